//! Numbers formatted for people.

/// A number with its significant digits: groups of three for large ones, decimals for small ones, a power of ten for tiny ones.
#[must_use]
pub fn figure(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return "-".to_owned();
    }
    // What is left of rounding is nothing.
    if size < 1e-9 {
        return "0".to_owned();
    }
    if size < 0.001 {
        return format!("{value:.1e}");
    }
    let decimals = match size {
        _ if value.fract() == 0.0 => 0,
        s if s >= 1000.0 => 0,
        s if s >= 100.0 => 1,
        s if s >= 1.0 => 2,
        _ => 4,
    };
    grouped(value, decimals)
}

/// A number with groups of three digits and `decimals` after the point.
#[must_use]
pub fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let sign = if value < 0.0 { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{grouped}{point}{fraction}")
}

/// A number with its interval, if it has one.
#[must_use]
pub fn with_interval(value: f64, interval: Option<[f64; 2]>) -> String {
    match interval {
        Some([low, high]) => format!("{} ({} to {})", figure(value), figure(low), figure(high)),
        None => figure(value),
    }
}

/// Genes with their names, in a row.
#[must_use]
pub fn listed(genes: impl IntoIterator<Item = (String, f64)>) -> String {
    let genes = genes.into_iter();
    let genes = genes.map(|(name, value)| format!("{name} {value:.4}"));
    genes.collect::<Vec<_>>().join(", ")
}

/// A probability as text.
#[must_use]
pub fn probability(p: f64) -> String {
    if p < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("{p:.3}")
    }
}

/// A number of bytes as text: 812 kB, 1.3 MB.
#[must_use]
pub fn bytes(count: u64) -> String {
    let (size, unit) = match count as f64 {
        b if b < 1e3 => return format!("{count} bytes"),
        b if b < 999.5e3 => (b / 1e3, "kB"),
        b if b < 999.5e6 => (b / 1e6, "MB"),
        b => (b / 1e9, "GB"),
    };
    match size {
        s if s < 10.0 => format!("{s:.1} {unit}"),
        s => format!("{s:.0} {unit}"),
    }
}

/// A time as text.
pub fn seconds(value: f64) -> String {
    let whole = std::time::Duration::from_secs(value.round().max(0.0) as u64);
    match value {
        v if v < 10.0 => format!("{v:.1} s"),
        _ => humantime::format_duration(whole).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_two_or_three_digits() {
        let sizes = [
            17,
            4_096,
            812_345,
            999_900,
            1_300_000,
            67_108_864,
            1_610_612_736,
        ];
        let texts = [
            "17 bytes", "4.1 kB", "812 kB", "1.0 MB", "1.3 MB", "67 MB", "1.6 GB",
        ];
        assert_eq!(sizes.map(bytes), texts);
    }

    #[test]
    fn every_size_keeps_its_digits() {
        let texts = [
            (12_345.6, "12,346"),
            (-123.45, "-123.5"),
            (3.0, "3"),
            (1.005_9, "1.01"),
            (0.0123, "0.0123"),
            // "-0.0000" said nothing of an error that is to be as small as possible.
            (-0.000_012_3, "-1.2e-5"),
            (-1e-12, "0"),
            (f64::NAN, "-"),
        ];
        for (value, text) in texts {
            assert_eq!(figure(value), text);
        }
    }
}
