//! The median of numbers that are compared, not shown.

/// The median; of two middle values the larger, so that it is one of the values.
///
/// # Panics
/// If there are no values.
#[must_use]
pub fn median_high(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_middle_values_it_is_the_larger() {
        assert_eq!(median_high([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median_high([4.0, 1.0, 3.0, 2.0].into_iter()), 3.0);
    }
}
