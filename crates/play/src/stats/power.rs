//! How many repeats are enough: planned before a study, told after one.
//!
//! Noether's formulas (1987), with z the normal quantiles of the level (two-sided) and of the power:
//! Mann and Whitney's test needs (z + z)^2 / (6 (A12 - 1/2)^2) repeats a setting, Wilcoxon's signed-rank test
//! (z + z)^2 / (3 (p' - 1/2)^2) pairs, where p' is the probability that two differences together favour one side.

use super::distributions::{normal_below, normal_quantile};

/// The effect studies are planned for: A12 = 0.64, called medium.
pub const MEDIUM_EFFECT: f64 = 0.64;
/// The usual level of a test: how often it sees a difference where there is none.
pub const LEVEL: f64 = 0.05;
/// The usual power of a test: how often it sees the effect that is there.
pub const POWER: f64 = 0.8;

const INDEPENDENT: f64 = 6.0;
const PAIRED: f64 = 3.0;

/// Repeats a setting that Mann and Whitney's test at this level needs to see an effect of `a12` with 80 % power; missing when
/// there is no effect. Divide the level by the number of comparisons where several are made.
#[must_use]
pub fn repeats_needed(a12: f64, level: f64) -> Option<u64> {
    needed(INDEPENDENT, a12, level)
}

/// Pairs that Wilcoxon's signed-rank test at this level needs to see an effect with 80 % power, as
/// [`paired_effect`](super::paired_effect) measures it; missing when there is no effect.
#[must_use]
pub fn pairs_needed(effect: f64, level: f64) -> Option<u64> {
    needed(PAIRED, effect, level)
}

/// The probability that Mann and Whitney's test at this level sees an effect of `a12` with so many repeats a setting. It may be a little
/// off for very few repeats, as every approximation by the normal distribution.
#[must_use]
pub fn power(a12: f64, repeats: u64, level: f64) -> f64 {
    let z = libm::sqrt(INDEPENDENT * repeats as f64) * (a12 - 0.5).abs();
    let limit = -normal_quantile(0.5 * level);
    // By bad luck a test may also see the effect on the wrong side; that counts, so no effect is seen at the level.
    normal_below(z - limit) + normal_below(-z - limit)
}

fn needed(factor: f64, effect: f64, level: f64) -> Option<u64> {
    let off = (effect - 0.5).abs();
    let z = normal_quantile(POWER) - normal_quantile(0.5 * level);
    (off > 0.0).then(|| (z * z / (factor * off * off)).ceil() as u64)
}
