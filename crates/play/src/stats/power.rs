//! How many repeats are enough: for planning a study, and for judging one afterwards.
//!
//! Noether's formulas (1987), where z1 and z2 are the normal quantiles of the level (two-sided) and of the power: the Mann-Whitney test
//! needs (z1 + z2)^2 / (6 (A12 - 1/2)^2) repeats per setting, the Wilcoxon signed-rank test (z1 + z2)^2 / (3 (p' - 1/2)^2) pairs, where p'
//! is the probability that the sum of two differences favours one side.

use super::distributions::{normal_below, normal_quantile};

/// The effect studies are planned for: A12 = 0.64, called medium.
pub const MEDIUM_EFFECT: f64 = 0.64;
/// The usual level of a test: how often it finds a difference where there is none.
pub const LEVEL: f64 = 0.05;
/// The usual power of a test: how often it detects an effect that exists.
pub const POWER: f64 = 0.8;

const INDEPENDENT: f64 = 6.0;
const PAIRED: f64 = 3.0;

/// Repeats per setting that the Mann-Whitney test at this level needs to detect an effect of `a12` with 80 % power; missing if
/// there is no effect. Divide the level by the number of comparisons if there are several.
#[must_use]
pub fn repeats_needed(a12: f64, level: f64) -> Option<u64> {
    needed(INDEPENDENT, a12, level)
}

/// Pairs that the Wilcoxon signed-rank test at this level needs to detect an effect with 80 % power, as
/// [`paired_effect`](super::paired_effect) measures it; missing if there is no effect.
#[must_use]
pub fn pairs_needed(effect: f64, level: f64) -> Option<u64> {
    needed(PAIRED, effect, level)
}

/// The probability that the Mann-Whitney test at this level detects an effect of `a12` with this many repeats per setting. Like every
/// normal approximation it is slightly off for very few repeats.
#[must_use]
pub fn power(a12: f64, repeats: u64, level: f64) -> f64 {
    let z = libm::sqrt(INDEPENDENT * repeats as f64) * (a12 - 0.5).abs();
    let limit = -normal_quantile(0.5 * level);
    // A significant result on the wrong side counts too, so that without an effect the power is the level.
    normal_below(z - limit) + normal_below(-z - limit)
}

fn needed(factor: f64, effect: f64, level: f64) -> Option<u64> {
    let off = (effect - 0.5).abs();
    let z = normal_quantile(POWER) - normal_quantile(0.5 * level);
    (off > 0.0).then(|| (z * z / (factor * off * off)).ceil() as u64)
}
