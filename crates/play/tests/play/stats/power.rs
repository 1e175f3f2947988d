//! Whether the planned repeats are as Noether's formula has them, and see what they promise.

use play::stats::{
    LEVEL, MEDIUM_EFFECT, POWER, mann_whitney, pairs_needed, power, repeats_needed, wilcoxon,
};
use streams::{Stream, normal, stream};

#[test]
fn repeats_are_those_of_noether() {
    // (1.959964 + 0.841621)^2 / (6 * 0.14^2) = 66.7
    assert_eq!(repeats_needed(MEDIUM_EFFECT, LEVEL), Some(67));
    assert_eq!(repeats_needed(1.0 - MEDIUM_EFFECT, LEVEL), Some(67));
    assert_eq!(repeats_needed(1.0, LEVEL), Some(6));
    assert_eq!(repeats_needed(0.5, LEVEL), None);
    // The same over 3 * 0.2^2.
    assert_eq!(pairs_needed(0.7, LEVEL), Some(66));
    assert_eq!(pairs_needed(0.5, LEVEL), None);
}

#[test]
fn more_repeats_and_larger_effects_see_more() {
    assert!((power(0.5, 30, LEVEL) - LEVEL).abs() < 1e-12);
    assert!(power(MEDIUM_EFFECT, 67, LEVEL) >= POWER && power(MEDIUM_EFFECT, 66, LEVEL) < POWER);
    for repeats in 1..200 {
        let now = power(0.6, repeats, LEVEL);
        assert!(now < power(0.6, repeats + 1, LEVEL) && now < power(0.65, repeats, LEVEL));
        assert!(now > power(0.6, repeats, LEVEL / 3.0));
    }
    let effects = (1..=50).map(|hundredth| 0.5 + 0.01 * f64::from(hundredth));
    let needed: Vec<Option<u64>> = effects.map(|a12| repeats_needed(a12, LEVEL)).collect();
    assert!(needed.is_sorted_by(|less, more| less >= more));
}

/// 500 studies of normal numbers shifted so that the effect is what was planned for. True power of 80 % gives a share within
/// 4.5 standard errors (0.018 each) but once in 100,000 seeds; the formula itself is right to about 0.02 here.
#[test]
fn planned_repeats_see_the_effect_four_times_of_five() {
    let mut rng = stream(1987, &[]);
    // Values: A12 = Phi(shift / sqrt 2) = 0.64; differences: p' = Phi(shift * sqrt 2) = 0.7.
    let seen = share(
        |rng| {
            let (a, b) = (sample(rng, 67, 0.506_95), sample(rng, 67, 0.0));
            mann_whitney(&a, &b)
        },
        &mut rng,
    );
    assert!((0.72..0.88).contains(&seen), "{seen}");
    let seen = share(
        |rng| wilcoxon(&sample(rng, 66, 0.370_81), &[0.0; 66]),
        &mut rng,
    );
    assert!((0.72..0.88).contains(&seen), "{seen}");
}

fn share(mut study: impl FnMut(&mut Stream) -> f64, rng: &mut Stream) -> f64 {
    let seen = (0..500).filter(|_| study(rng) < LEVEL).count();
    seen as f64 / 500.0
}

fn sample(rng: &mut Stream, n: usize, shift: f64) -> Vec<f64> {
    (0..n).map(|_| normal(rng) + shift).collect()
}
