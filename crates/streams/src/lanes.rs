//! Thirty-two generators side by side, which a processor advances four at a time.
//!
//! What each of them draws is what it would draw alone. Their words lie in eight vectors: that of lane `8 * w + k` is word `w` of vector `k`. So numbers
//! below 256, one of each lane, become the bytes of one vector by shifting vector `k` up by `8 * k` bits; and back.

pub use crate::vector::Vector;
use crate::xoshiro::Stream;

/// How many generators.
pub const LANES: usize = 32;

/// One word of every lane.
pub type Words = [Vector; 8];

/// How many words [`Lanes::top_bits`] draws at once.
pub const AHEAD: usize = 8;

/// The generators.
#[derive(Debug, Clone, Default)]
pub struct Lanes {
    /// The four words of their states, for every vector of lanes; as words, since lanes are set one by one.
    states: [[[u64; 4]; 4]; 8],
}

impl Lanes {
    /// Puts a generator into a lane.
    pub fn set(&mut self, lane: usize, stream: &Stream) {
        for (words, word) in self.states[lane % 8].iter_mut().zip(stream.state()) {
            words[lane / 8] = word;
        }
    }

    /// The generator of a lane.
    #[must_use]
    pub fn stream(&self, lane: usize) -> Stream {
        Stream::of_state(self.states[lane % 8].map(|words| words[lane / 8]))
    }

    /// The two highest bits of the next words, as a byte of every lane.
    #[must_use]
    pub fn top_bits(&mut self) -> [Vector; AHEAD] {
        let mut bits = [Vector::default(); AHEAD];
        for (words, k) in self.states.iter_mut().zip(0..) {
            let mut state = words.map(Vector::from);
            for bits in &mut bits {
                let (word, next) = advanced_words(state);
                let top = word.shift_down(Vector::of_word(62));
                *bits = *bits | top.shift_up(Vector::of_word(8 * k));
                state = next;
            }
            *words = state.map(<[u64; 4]>::from);
        }
        bits
    }

    /// The next word of every lane. Only lanes whose byte in `wanted` is 255, and not 0, have drawn it: the others will give it again.
    #[must_use]
    pub fn next_where(&mut self, wanted: Vector) -> Words {
        let mut words = [Vector::default(); 8];
        for (k, kept) in self.states.iter_mut().enumerate() {
            let state = kept.map(Vector::from);
            let (word, next) = advanced_words(state);
            words[k] = word;
            let sign = wanted.shift_up(Vector::of_word(56 - 8 * k as u64));
            let is_wanted = Vector::default().larger_words(sign);
            for ((kept, old), next) in kept.iter_mut().zip(state).zip(next) {
                *kept = old.or_where(is_wanted, next).into();
            }
        }
        words
    }
}

/// The word that each of four states gives, and the states after it; for one of them see [`Stream`].
#[inline(always)]
fn advanced_words([a, b, c, d]: [Vector; 4]) -> (Vector, [Vector; 4]) {
    let word = a.add_words(d).rotated(23).add_words(a);
    let (c, d) = (c ^ a, d ^ b);
    let shifted = b.shift_up(Vector::of_word(17));
    (word, [a ^ d, b ^ c, c ^ shifted, d.rotated(45)])
}

#[cfg(test)]
mod tests {
    use rand_core::Rng;

    use super::*;
    use crate::stream;

    #[test]
    fn every_lane_draws_what_its_generator_draws_alone() {
        let mut alone: Vec<Stream> = (0..LANES as u64).map(|lane| stream(1, &[lane])).collect();
        let mut lanes = Lanes::default();
        for (lane, stream) in alone.iter().enumerate() {
            lanes.set(lane, stream);
        }
        let mut dice = stream(2, &[]);
        for _ in 0..100 {
            let wanted: [u8; LANES] =
                std::array::from_fn(|_| if dice.next_u32() > 1 << 30 { 255 } else { 0 });
            let words = lanes.next_where(wanted.into()).map(<[u64; 4]>::from);
            for (lane, stream) in alone.iter_mut().enumerate() {
                let mut ahead = stream.clone();
                assert_eq!(words[lane % 8][lane / 8], ahead.next_u64());
                if wanted[lane] != 0 {
                    *stream = ahead;
                }
            }
            for bits in lanes.top_bits() {
                for (stream, bits) in alone.iter_mut().zip(<[u8; LANES]>::from(bits)) {
                    assert_eq!(u64::from(bits), stream.next_u64() >> 62);
                }
            }
        }
        let kept: Vec<Stream> = (0..LANES).map(|lane| lanes.stream(lane)).collect();
        assert_eq!(kept, alone);
    }
}
