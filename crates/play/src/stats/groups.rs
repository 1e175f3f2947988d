//! Tests whether any of several samples differs, before pairs are compared.

use super::distributions::chi_square_above;
use super::ranks::midranks;

/// The result of a test of several samples.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GroupTest {
    /// Approximately chi-square distributed if nothing differs, with one degree of freedom fewer than there are samples.
    pub statistic: f64,
    /// The probability of at least this statistic if nothing differs.
    pub p: f64,
}

impl GroupTest {
    /// `statistic` is the one for samples without ties; `spread` is the share of the spread of ranks that ties leave.
    fn new(statistic: f64, spread: f64, samples: usize) -> Self {
        // Without spread all values are equal.
        let statistic = if spread > 0.0 {
            statistic / spread
        } else {
            0.0
        };
        Self {
            statistic,
            p: chi_square_above(statistic, samples - 1),
        }
    }
}

/// Friedman's test (1937) of paired samples, corrected for ties: samples are ranked within each repeat, so easy and hard repeats
/// count the same. Missing for fewer than three samples, for samples without values and for samples of unequal length.
#[must_use]
pub fn friedman<S: AsRef<[f64]>>(samples: &[S]) -> Option<GroupTest> {
    let repeats = samples.first()?.as_ref().len();
    let unequal = |sample: &S| sample.as_ref().len() != repeats;
    if samples.len() < 3 || repeats == 0 || samples.iter().any(unequal) {
        return None;
    }
    let (mut sums, mut ties) = (vec![0.0; samples.len()], 0.0);
    for repeat in 0..repeats {
        let row: Vec<f64> = samples
            .iter()
            .map(|sample| sample.as_ref()[repeat])
            .collect();
        let (ranks, tied) = midranks(&row);
        ties += tied;
        for (sum, rank) in sums.iter_mut().zip(ranks) {
            *sum += rank;
        }
    }
    let (k, n) = (samples.len() as f64, repeats as f64);
    let squares: f64 = sums.iter().map(|sum| sum * sum).sum();
    let statistic = 12.0 / (k * n * (k + 1.0)) * squares - 3.0 * n * (k + 1.0);
    let spread = 1.0 - ties / (k * (k * k - 1.0) * n);
    Some(GroupTest::new(statistic, spread, samples.len()))
}

/// The Kruskal-Wallis test (1952) of independent samples, corrected for ties: all values are ranked together. Missing for fewer
/// than two samples and if one is empty.
#[must_use]
pub fn kruskal_wallis<S: AsRef<[f64]>>(samples: &[S]) -> Option<GroupTest> {
    if samples.len() < 2 || samples.iter().any(|sample| sample.as_ref().is_empty()) {
        return None;
    }
    let values: Vec<f64> = samples.iter().flat_map(AsRef::as_ref).copied().collect();
    let (ranks, ties) = midranks(&values);
    let (mut squares, mut start) = (0.0, 0);
    for sample in samples {
        let end = start + sample.as_ref().len();
        let sum: f64 = ranks[start..end].iter().sum();
        squares += sum * sum / (end - start) as f64;
        start = end;
    }
    let n = values.len() as f64;
    let statistic = 12.0 / (n * (n + 1.0)) * squares - 3.0 * (n + 1.0);
    let spread = 1.0 - ties / (n * n * n - n);
    Some(GroupTest::new(statistic, spread, samples.len()))
}
