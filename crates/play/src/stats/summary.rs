//! Mean, spread and quantiles of a sample.

use serde::Serialize;

use super::counts::Counts;

/// Statistics of a sample. Deviation and interval are missing for a sample of one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Summary {
    /// Arithmetic mean.
    pub mean: f64,
    /// Estimated standard deviation of the population (n - 1).
    pub sd: Option<f64>,
    /// The 95 % interval of the mean: Student's, corrected for skewness.
    pub ci95: Option<[f64; 2]>,
    /// Middle value; the mean of the two middle ones if there are two.
    pub median: f64,
    /// Values below which 5, 25, 75 and 95 % of the sample lie.
    pub quantiles: Quantiles,
    /// Smallest value.
    pub min: i64,
    /// Largest value.
    pub max: i64,
}

/// Quantiles of a sample, interpolated linearly between neighbours (as numpy and R do by default).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Quantiles {
    /// 5 %.
    pub p05: f64,
    /// 25 %.
    pub p25: f64,
    /// 75 %.
    pub p75: f64,
    /// 95 %.
    pub p95: f64,
}

impl Summary {
    /// The summary of a sample, which must not be empty.
    #[must_use]
    pub fn of(sample: &[i64]) -> Self {
        let mut counts = Counts::default();
        counts.add(sample.to_vec());
        counts.summary()
    }
}

/// The value below which this share of a sorted sample lies, interpolated linearly between neighbours; the sample must not be
/// empty.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (low, high) = (
        sorted[place.floor() as usize],
        sorted[place.ceil() as usize],
    );
    low + (high - low) * place.fract()
}
