//! Random numbers: one named generator, seeds that are derived and never drawn.
//!
//! Whoever plays owns a [`Stream`]. The stream of a game follows from the seed and the game's numbers
//! alone, so threads and machines change when a game is played, never how it goes.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator all games and players draw from.
pub type Stream = Xoshiro256PlusPlus;

/// The stream that belongs to `seed` and the numbers of `path` (repeat, generation, candidate, game ...).
///
/// Different paths give unrelated streams; the same path always gives the same one.
#[must_use]
pub fn stream(seed: u64, path: &[u64]) -> Stream {
    let mixed = path
        .iter()
        .fold(mix(seed), |state, &number| mix(state ^ number));
    Stream::seed_from_u64(mixed)
}

/// One step of SplitMix64 (Steele, Lea, Flood 2014): a bijection that spreads every input bit.
fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number below `n`, each exactly equally likely (Lemire 2019, with rejection).
///
/// # Panics
/// If `n` is 0.
#[inline]
pub fn below<R: Rng + ?Sized>(rng: &mut R, n: u32) -> u32 {
    let first = rng.next_u32();
    below_given(first, rng, n)
}

/// As [`below`], with the first random word already drawn.
#[inline]
pub(crate) fn below_given<R: Rng + ?Sized>(first: u32, rng: &mut R, n: u32) -> u32 {
    assert!(n > 0, "there is no number below 0");
    let mut product = u64::from(first) * u64::from(n);
    if (product as u32) < n {
        let unfair = n.wrapping_neg() % n;
        while (product as u32) < unfair {
            product = u64::from(rng.next_u32()) * u64::from(n);
        }
    }
    (product >> 32) as u32
}

/// Below this number lies a share `probability` of all 32-bit words.
pub(crate) fn threshold(probability: f64) -> u64 {
    (probability * (1_u64 << 32) as f64).round() as u64
}
