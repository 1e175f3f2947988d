//! Comparing two samples by ranks: no assumption on how they are distributed.

use statrs::stats_tests::Alternative;
use statrs::stats_tests::mannwhitneyu::{MannWhitneyUMethod, mannwhitneyu};

/// Vargha and Delaney's A12 (2000): the probability that a value of `a` is above one of `b`, equals counting half. 0.5 means
/// no difference; 0.56, 0.64 and 0.71 are called small, medium and large. The samples must not be empty or have what is not a number.
#[must_use]
pub fn a12(a: &[f64], b: &[f64]) -> f64 {
    compare(a, b).0 / (a.len() * b.len()) as f64
}

/// Mann and Whitney's test (1947): the two-sided probability that so different ranks come from one distribution. By the
/// normal approximation with corrections for ties and continuity, as R and scipy have it for larger samples.
#[must_use]
pub fn mann_whitney(a: &[f64], b: &[f64]) -> f64 {
    let p = compare(a, b).1;
    // All values are equal: there is nothing to tell apart.
    if p.is_nan() { 1.0 } else { p.min(1.0) }
}

/// U of the first sample, and p.
fn compare(a: &[f64], b: &[f64]) -> (f64, f64) {
    let method = MannWhitneyUMethod::AsymptoticInclContinuityCorrection;
    mannwhitneyu(a, b, method, Alternative::TwoSided).expect("both samples have comparable values")
}
