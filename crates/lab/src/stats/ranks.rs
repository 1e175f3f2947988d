//! Comparing two samples by ranks: no assumption on how they are distributed.

use statrs::distribution::{ContinuousCDF, Normal};

/// Vargha and Delaney's A12 (2000): the probability that a value of `a` is above one of `b`, equals counting half. 0.5 means
/// no difference; 0.56, 0.64 and 0.71 are called small, medium and large.
#[must_use]
pub fn a12(a: &[f64], b: &[f64]) -> f64 {
    u_statistic(a, b) / (a.len() * b.len()) as f64
}

/// Mann and Whitney's test (1947): the two-sided probability that so different ranks come from one distribution. By the
/// normal approximation with corrections for ties and continuity, as R and scipy have it for larger samples.
#[must_use]
pub fn mann_whitney(a: &[f64], b: &[f64]) -> f64 {
    let (n, m) = (a.len() as f64, b.len() as f64);
    let all = n + m;
    let ties: f64 = tied_groups(a, b).iter().map(|&t| t * t * t - t).sum();
    let variance = n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let off = (u_statistic(a, b) - n * m / 2.0).abs() - 0.5;
    let z = off.max(0.0) / variance.sqrt();
    let normal = Normal::standard();
    (2.0 * normal.sf(z)).min(1.0)
}

/// Pairs in which the value of `a` is above that of `b`, equals counting half.
fn u_statistic(a: &[f64], b: &[f64]) -> f64 {
    let mut sorted = b.to_vec();
    sorted.sort_by(f64::total_cmp);
    let above = |value: &f64| {
        let below = sorted.partition_point(|other| other < value);
        let equal = sorted.partition_point(|other| other <= value) - below;
        below as f64 + 0.5 * equal as f64
    };
    a.iter().map(above).sum()
}

/// Sizes of the groups of equal values in both samples together.
fn tied_groups(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut all: Vec<f64> = a.iter().chain(b).copied().collect();
    all.sort_by(f64::total_cmp);
    all.chunk_by(|x, y| x == y)
        .map(|group| group.len() as f64)
        .collect()
}
