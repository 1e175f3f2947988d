//! 95 % intervals by resampling (Efron 1979): no assumption on how scores are distributed.
//!
//! A resample draws as many values as the sample has, with replacement. The seed is fixed and every function comes from
//! `libm`, so a sample has the same interval on every machine.
//!
//! There are 10,000 resamples for up to 400 values, then as many as make 4 million draws, but at least 400: about 50 ms at most
//! for up to 10,000 values. Fewer are enough for large samples, whose resamples vary less.

use streams::{Stream, below, stream};

use super::distributions::{normal_below, normal_quantile};
use super::{NORMAL_95, quantile};

const SEED: u64 = 1979;
const DRAWS: usize = 4_000_000;

/// The 95 % interval of the mean; missing for fewer than two values.
///
/// Bias-corrected and accelerated (BCa; Efron 1987): scores are often skewed, and the plain percentiles then lie too low on the
/// long side. Like every bootstrap it is too narrow for very few values, as it knows nothing beyond them: for exponential
/// values it contains the true mean in 80 % of samples of 5, 88 % of 10, 93 % of 30 and 94 % of 100 (2,000 samples each).
#[must_use]
pub fn mean_interval(sample: &[f64]) -> Option<[f64; 2]> {
    if sample.len() < 2 {
        return None;
    }
    let sample = &sorted(sample)[..];
    let mean = mean(sample);
    let Some(acceleration) = acceleration(sample, mean) else {
        return Some([mean; 2]);
    };
    let means = resampled(sample, |values| self::mean(values));
    let bias = normal_quantile(share_below(&means, mean));
    let place = |z: f64| {
        let shifted = bias + z;
        normal_below(bias + shifted / (1.0 - acceleration * shifted))
    };
    Some([-NORMAL_95, NORMAL_95].map(|z| quantile(&means, place(z))))
}

/// The 95 % interval of the median; missing for fewer than two values.
///
/// Plain percentiles: the medians of resamples are values of the sample, so there is no smooth bias to correct, and the
/// jackknife behind the acceleration of BCa is known to fail for the median (Efron and Tibshirani 1993, section 10.6).
#[must_use]
pub fn median_interval(sample: &[f64]) -> Option<[f64; 2]> {
    if sample.len() < 2 {
        return None;
    }
    let medians = resampled(&sorted(sample), median);
    Some([0.025, 0.975].map(|share| quantile(&medians, share)))
}

/// The interval must not depend on the order of the values.
fn sorted(sample: &[f64]) -> Vec<f64> {
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The statistic of each resample, sorted.
fn resampled(sample: &[f64], mut statistic: impl FnMut(&mut [f64]) -> f64) -> Vec<f64> {
    let mut rng = stream(SEED, &[]);
    let mut resample = sample.to_vec();
    let count = (DRAWS / sample.len()).clamp(400, 10_000);
    let mut statistics: Vec<f64> = (0..count)
        .map(|_| {
            draw(sample, &mut resample, &mut rng);
            statistic(&mut resample)
        })
        .collect();
    statistics.sort_by(f64::total_cmp);
    statistics
}

fn draw(sample: &[f64], resample: &mut [f64], rng: &mut Stream) {
    for value in resample {
        *value = sample[below(rng, sample.len() as u32) as usize];
    }
}

/// The share of resamples below the estimate, equal ones counting half; kept away from 0 and 1, whose quantiles are infinite.
fn share_below(sorted: &[f64], estimate: f64) -> f64 {
    let below = sorted.partition_point(|&value| value < estimate);
    let not_above = sorted.partition_point(|&value| value <= estimate);
    let count = sorted.len() as f64;
    ((below + not_above) as f64 / (2.0 * count)).clamp(0.5 / count, 1.0 - 0.5 / count)
}

/// How fast the standard error changes with the mean: a sixth of the skewness of the jackknife, which for a mean is the skewness
/// of the values themselves. Missing if all values are equal.
fn acceleration(sample: &[f64], mean: f64) -> Option<f64> {
    let (mut squares, mut cubes) = (0.0, 0.0);
    for value in sample {
        let off = value - mean;
        squares += off * off;
        cubes += off * off * off;
    }
    (squares > 0.0).then(|| cubes / (6.0 * squares * libm::sqrt(squares)))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Without a full sort: most of the time is spent here.
fn median(values: &mut [f64]) -> f64 {
    let odd = values.len() % 2 == 1;
    let (lower, &mut upper, _) = values.select_nth_unstable_by(values.len() / 2, f64::total_cmp);
    if odd {
        return upper;
    }
    let lower = lower.iter().copied().max_by(f64::total_cmp);
    0.5 * (lower.unwrap_or(upper) + upper)
}
