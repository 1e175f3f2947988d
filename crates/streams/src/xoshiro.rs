//! xoshiro256++ (Blackman and Vigna 2021), with a state that can be read: generators that draw side by side need it.

use std::convert::Infallible;

use rand_core::{TryRng, utils};
use serde::{Deserialize, Serialize};

use crate::{GOLDEN, mix};

/// The generator of all games and players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stream {
    s: [u64; 4],
}

impl Stream {
    /// The generator with this state, of which not all may be 0.
    #[must_use]
    pub fn of_state(s: [u64; 4]) -> Self {
        Self { s }
    }

    /// Its state.
    #[inline]
    #[must_use]
    pub fn state(&self) -> [u64; 4] {
        self.s
    }

    /// The generator of a seed: its state is drawn by SplitMix64, which never draws four zeros.
    pub(crate) fn of_seed(seed: u64) -> Self {
        let word = |number: u64| mix(seed.wrapping_add(number.wrapping_mul(GOLDEN)));
        Self::of_state([0, 1, 2, 3].map(word))
    }
}

/// The word that a state gives, and the state after it.
#[inline(always)]
fn advanced([a, b, c, d]: [u64; 4]) -> (u64, [u64; 4]) {
    let word = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
    let (c, d) = (c ^ a, d ^ b);
    let state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
    (word, state)
}

impl TryRng for Stream {
    type Error = Infallible;

    /// The upper half of a word: the lowest bits are a little less random.
    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| (word >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let (word, state) = advanced(self.s);
        self.s = state;
        Ok(word)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        utils::fill_bytes_via_next_word(bytes, || self.try_next_u64())
    }
}

#[cfg(test)]
mod tests {
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn it_is_the_generator_of_its_name() {
        for seed in [0, 1, 42, u64::MAX, mix(7)] {
            let (mut ours, mut known) = (
                Stream::of_seed(seed),
                Xoshiro256PlusPlus::seed_from_u64(seed),
            );
            for _ in 0..1000 {
                assert_eq!(ours.next_u64(), known.next_u64());
                assert_eq!(ours.next_u32(), known.next_u32());
            }
            let (mut bytes, mut expected) = ([0; 13], [0; 13]);
            ours.fill_bytes(&mut bytes);
            known.fill_bytes(&mut expected);
            assert_eq!(bytes, expected);
        }
    }

    #[test]
    fn it_is_kept_as_it_always_was() {
        let (ours, known) = (Stream::of_seed(3), Xoshiro256PlusPlus::seed_from_u64(3));
        let texts = [serde_json::to_string(&ours), serde_json::to_string(&known)];
        let [ours, known] = texts.map(|text| text.expect("a generator is plain data"));
        assert_eq!(ours, known);
    }
}
