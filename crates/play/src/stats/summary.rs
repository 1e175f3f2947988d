//! Mean, spread and quantiles of a sample.

use serde::Serialize;

use super::mean::interval_around;

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
        let mut sorted = sample.to_vec();
        sorted.sort_unstable();
        let mean = mean(sample);
        let sd = deviation(sample, mean);
        let values: Vec<f64> = sorted.iter().map(|&value| value as f64).collect();
        let quantile = |share| quantile(&values, share);
        Self {
            mean,
            sd,
            ci95: sd.map(|_| interval_around(mean, &values)),
            median: quantile(0.5),
            quantiles: Quantiles {
                p05: quantile(0.05),
                p25: quantile(0.25),
                p75: quantile(0.75),
                p95: quantile(0.95),
            },
            min: sorted[0],
            max: sorted[sorted.len() - 1],
        }
    }
}

/// The sum is exact, so the mean does not depend on the order.
fn mean(sample: &[i64]) -> f64 {
    let sum: i128 = sample.iter().copied().map(i128::from).sum();
    sum as f64 / sample.len() as f64
}

fn deviation(sample: &[i64], mean: f64) -> Option<f64> {
    if sample.len() < 2 {
        return None;
    }
    let off = sample.iter().map(|&value| value as f64 - mean);
    let squares: f64 = off.map(|off| off * off).sum();
    Some((squares / (sample.len() - 1) as f64).sqrt())
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
