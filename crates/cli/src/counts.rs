//! Whole numbers as people write them: 100000, 100_000, 100,000, 100k and 1e5.

/// A parser of whole numbers from `low` to `high`.
pub(crate) fn from_to<N: TryFrom<u64>>(
    low: u64,
    high: u64,
) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| {
        let number = number(text).filter(|number| (low..=high).contains(number));
        number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| {
            format!("expected a whole number from {low} to {high}, e.g. 2500, 100_000, 100,000, 100k or 1e5")
        })
    }
}

/// The number that a text means, if it is a whole one.
fn number(text: &str) -> Option<u64> {
    if !grouped(text) {
        return None;
    }
    let plain = text.replace([',', '_'], "");
    if let Ok(number) = plain.parse() {
        return Some(number);
    }
    let (digits, zeros) = scaled(&plain)?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let zeros = zeros.checked_sub(fraction.len())?;
    let all = format!("{whole}{fraction}{}", "0".repeat(zeros));
    let is_number = !whole.is_empty() && all.bytes().all(|byte| byte.is_ascii_digit());
    all.parse().ok().filter(|_| is_number)
}

/// The digits of a number like 1.5e6 or 20k, and how many zeros are meant.
fn scaled(text: &str) -> Option<(&str, usize)> {
    if let Some((digits, exponent)) = text.split_once(['e', 'E']) {
        let exponent = exponent.trim_start_matches('+').parse().ok();
        return Some((digits, exponent.filter(|&zeros| zeros <= 19)?));
    }
    let units = [('k', 3), ('K', 3), ('M', 6), ('G', 9)];
    units
        .into_iter()
        .find_map(|(unit, zeros)| Some((text.strip_suffix(unit)?, zeros)))
}

/// Whether separators stand between groups of three digits.
fn grouped(text: &str) -> bool {
    let digits = text.split(['.', 'e', 'E']).next().unwrap_or_default();
    let mut groups = digits.split([',', '_']);
    let first = groups.next().unwrap_or_default();
    let is_separated = first.len() < digits.len();
    let whole = |group: &str| group.trim_end_matches(['k', 'K', 'M', 'G']).len() == 3;
    !is_separated || ((1..=3).contains(&first.len()) && groups.all(whole))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for text in [
            "100000", "100_000", "100,000", "100k", "1e5", "0.1e6", "1E+5", "0.1M",
        ] {
            assert_eq!(number(text), Some(100_000), "{text}");
        }
        assert_eq!(number("18446744073709551615"), Some(u64::MAX));
        assert_eq!(number("1,000,000"), Some(1_000_000));
        assert_eq!(number("1.5k"), Some(1500));
        for text in [
            "",
            "-1",
            "1.5",
            "1,5",
            "10,00",
            "1,0000",
            ",100",
            "1e",
            "e5",
            "1e-2",
            "1e20",
            "k",
            "1 000",
            "0x10",
            "1.25e1",
            "99999999999999999999",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
