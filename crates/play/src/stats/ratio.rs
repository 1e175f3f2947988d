//! The ratio of two sums over games, with its 95 % interval.

use super::mean_interval;

/// The sum of `above` by the sum of `below`, one value each for every game; `None` if the latter is 0. The interval is that of the mean of
/// the linearised ratio (the delta method): long games count more, as they do in the ratio.
pub(crate) fn ratio(above: &[f64], below: &[f64]) -> Option<(f64, Option<[f64; 2]>)> {
    let total: f64 = below.iter().sum();
    if total == 0.0 {
        return None;
    }
    let value = above.iter().sum::<f64>() / total;
    let mean = total / below.len() as f64;
    let pairs = above.iter().zip(below);
    let linear: Vec<f64> = pairs
        .map(|(above, below)| value + (above - value * below) / mean)
        .collect();
    Some((value, mean_interval(&linear)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use streams::stream;

    #[test]
    fn games_of_equal_length_have_the_interval_of_their_mean() {
        let (points, moves) = ([30.0, 50.0, 10.0, 70.0], [10.0; 4]);
        let (value, interval) = ratio(&points, &moves).expect("moves");
        assert!((value - 4.0).abs() < 1e-12);
        let [low, high] = mean_interval(&points.map(|points| points / 10.0)).expect("four");
        let [ours_low, ours_high] = interval.expect("four games");
        assert!((low - ours_low).abs() < 1e-12 && (high - ours_high).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_no_ratio() {
        assert_eq!(ratio(&[1.0], &[0.0]), None);
        assert_eq!(ratio(&[], &[]), None);
        assert_eq!(ratio(&[6.0], &[2.0]), Some((3.0, None)));
    }

    /// Of 400 studies with 40 games each, a right interval misses 20 and more than 40 with a probability below 0.0001.
    #[test]
    fn the_interval_holds_the_truth_in_most_studies() {
        let mut missed = 0;
        for study in 0..400 {
            let mut dice = stream(1, &[study]);
            let mut uniform = || streams::below(&mut dice, 1000) as f64 / 1000.0;
            let moves: Vec<f64> = (0..40).map(|_| 10.0 + 90.0 * uniform()).collect();
            // Three points a move, and noise without a mean.
            let points: Vec<f64> = moves
                .iter()
                .map(|moves| 3.0 * moves + 40.0 * (uniform() - 0.4995))
                .collect();
            let [low, high] = ratio(&points, &moves)
                .and_then(|of| of.1)
                .expect("40 games");
            missed += u32::from(!(low..=high).contains(&3.0));
        }
        assert!((5..=40).contains(&missed), "{missed} of 400");
    }
}
