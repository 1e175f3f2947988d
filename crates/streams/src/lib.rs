//! Random numbers: one named generator, seeds that are derived and never drawn.
//!
//! The caller owns a [`Stream`]. The stream of a game is derived from the seed and the game's numbers only, so threads and machines
//! affect when a game is played, never its result.
//!
//! Logarithms and sines come from `libm`, because those of the system differ between machines.
#![deny(clippy::disallowed_methods, clippy::disallowed_macros)]

pub mod lanes;
mod vector;
mod xoshiro;

use rand_core::Rng;

pub use xoshiro::Stream;

/// The stream derived from `seed` and the numbers of `path` (repeat, generation, candidate, game ...).
///
/// Different paths give unrelated streams; the same path always gives the same one.
#[must_use]
pub fn stream(seed: u64, path: &[u64]) -> Stream {
    Stream::of_seed(derive(seed, path))
}

/// The seed derived from `seed` and the numbers of `path`, to derive further seeds from.
#[must_use]
pub fn derive(seed: u64, path: &[u64]) -> u64 {
    path.iter()
        .fold(mix(seed), |state, &number| mix(state ^ number))
}

/// The step of SplitMix64: 2^64 by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// One step of SplitMix64 (Steele, Lea, Flood 2014): a bijection that spreads every input bit.
fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(GOLDEN);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number below `n`, all exactly equally likely (Lemire 2019, with rejection).
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
pub fn below_given<R: Rng + ?Sized>(first: u32, rng: &mut R, n: u32) -> u32 {
    assert!(n > 0, "no number is below 0");
    let mut product = u64::from(first) * u64::from(n);
    if (product as u32) < n {
        let unfair = n.wrapping_neg() % n;
        while (product as u32) < unfair {
            product = u64::from(rng.next_u32()) * u64::from(n);
        }
    }
    (product >> 32) as u32
}

/// The number below which a share `probability` of all 32-bit words lies.
pub fn threshold(probability: f64) -> u64 {
    (probability * (1_u64 << 32) as f64).round() as u64
}

/// A number in [0, 1), a multiple of 2^-53.
#[inline]
pub fn unit<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    (rng.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

/// A number in [low, high).
#[inline]
pub fn uniform<R: Rng + ?Sized>(rng: &mut R, low: f64, high: f64) -> f64 {
    low + (high - low) * unit(rng)
}

/// True with this probability.
#[inline]
pub fn chance<R: Rng + ?Sized>(rng: &mut R, probability: f64) -> bool {
    unit(rng) < probability
}

/// A standard normal number (Box and Muller 1958).
pub fn normal<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    let radius = libm::sqrt(-2.0 * libm::log(1.0 - unit(rng)));
    radius * libm::cos(2.0 * std::f64::consts::PI * unit(rng))
}

/// Shuffles the items, all orders equally likely (Fisher and Yates).
pub fn shuffle<T, R: Rng + ?Sized>(rng: &mut R, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(rng, last as u32 + 1) as usize);
    }
}

/// `count` distinct numbers below `n`, in random order.
///
/// # Panics
/// If `count` is more than `n`.
pub fn distinct<R: Rng + ?Sized>(rng: &mut R, n: usize, count: usize) -> Vec<usize> {
    assert!(count <= n, "there are fewer than {count} numbers below {n}");
    let mut numbers: Vec<usize> = (0..n).collect();
    for place in 0..count {
        let other = place + below(rng, (n - place) as u32) as usize;
        numbers.swap(place, other);
    }
    numbers.truncate(count);
    numbers
}
