//! The 95 % interval of a mean: Student's, corrected for skewness.
//!
//! Student's interval assumes that means are symmetric around the truth. Scores are often skewed, and then it lies too low on the
//! long side. Hall (1992) takes the skewness out of t = (mean - truth) / standard error by a cubic that can be inverted:
//!
//! y = t + a t^2 + a^2 t^3 / 3 + a / 2, so t = ((1 + 3 a (y - a / 2))^(1/3) - 1) / a, where a = skewness / (3 sqrt n).
//!
//! The quantiles of y are those of Student's t. The skewness of few values is mostly chance, so 1 - 2/n of it counts. There is nothing
//! to draw: a sample has one interval, on every machine, and a million values cost no more than their sum.

use super::student_quantile;

/// The 95 % interval of the mean; missing for fewer than two values, and without width if all are equal.
///
/// How often it holds the true mean, for 3, 5, 10 and 30 values: normal 95 % at all sizes; exponential 89, 91, 93 and 94 %;
/// log-normal (sigma 1/2) 93 to 95 %, (sigma 1) 86, 86, 90 and 92 %. Values that are 0 or 1 are better counted (see
/// [`Share`](super::Share)): few of them may all be equal and then say nothing about the others.
#[must_use]
pub fn mean_interval(sample: &[f64]) -> Option<[f64; 2]> {
    let mut sorted = sample.to_vec();
    // The interval must not depend on the order of the values.
    sorted.sort_by(f64::total_cmp);
    interval_of(sorted.into_iter().map(|value| (value, 1)))
}

/// The same for values that occur so often.
pub(crate) fn interval_of(values: impl Iterator<Item = (f64, u64)> + Clone) -> Option<[f64; 2]> {
    let (mut total, mut sum) = (0, 0.0);
    for (value, count) in values.clone() {
        total += count;
        sum += count as f64 * value;
    }
    if total < 2 {
        return None;
    }
    let mean = sum / total as f64;
    let (mut squares, mut cubes) = (0.0, 0.0);
    for (value, count) in values {
        let off = value - mean;
        squares += count as f64 * off * off;
        cubes += count as f64 * off * off * off;
    }
    Some(interval_around(mean, total as f64, squares, cubes))
}

/// The part of an interval that is possible: few or skewed values may give one that reaches beyond. A range that values were `seen`
/// outside of is none.
#[must_use]
pub fn possible(interval: [f64; 2], range: [f64; 2], seen: [f64; 2]) -> [f64; 2] {
    let low = if seen[0] < range[0] {
        f64::NEG_INFINITY
    } else {
        range[0]
    };
    let high = if seen[1] > range[1] {
        f64::INFINITY
    } else {
        range[1]
    };
    interval.map(|end| end.clamp(low, high))
}

/// The interval around the mean of `n` values, at least two, given the sums of the squares and cubes of their distances from it.
pub(super) fn interval_around(mean: f64, n: f64, squares: f64, cubes: f64) -> [f64; 2] {
    if squares == 0.0 {
        return [mean; 2];
    }
    let variance = squares / n;
    let skewness = cubes / n / (variance * libm::sqrt(variance));
    let error = libm::sqrt(squares / (n - 1.0) / n);
    let a = (1.0 - 2.0 / n) * skewness / (3.0 * libm::sqrt(n));
    let limit = student_quantile(0.975, n - 1.0);
    [limit, -limit].map(|y| mean - error * unskewed(y, a))
}

/// The t whose transform is y.
fn unskewed(y: f64, a: f64) -> f64 {
    // Below this the formula loses more digits than the correction has.
    if a.abs() < 1e-6 {
        return y;
    }
    (libm::cbrt(1.0 + 3.0 * a * (y - 0.5 * a)) - 1.0) / a
}
