//! A row of bits, 64 to a word.

use rand_core::Rng;
use serde::{Deserialize, Serialize};

/// A row of bits. As text it is zeros and ones, the first bit first.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Bits {
    len: usize,
    // Bits beyond `len` are 0, so that equal rows are equal words.
    words: Vec<u64>,
}

impl Bits {
    /// All zeros.
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        Self {
            len,
            words: vec![0; len.div_ceil(64)],
        }
    }

    /// Random bits.
    #[must_use]
    pub fn random<R: Rng>(len: usize, rng: &mut R) -> Self {
        let mut bits = Self::zeros(len);
        bits.words
            .iter_mut()
            .for_each(|word| *word = rng.next_u64());
        bits.trim();
        bits
    }

    /// Ones from `first` on, zeros before.
    #[must_use]
    pub fn ones_from(len: usize, first: usize) -> Self {
        let mut bits = Self::zeros(len);
        for (place, word) in bits.words.iter_mut().enumerate() {
            let from = first.saturating_sub(64 * place);
            *word = if from < 64 { u64::MAX << from } else { 0 };
        }
        bits.trim();
        bits
    }

    /// Number of bits.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bit at a place.
    #[must_use]
    pub fn get(&self, place: usize) -> bool {
        self.words[place / 64] >> (place % 64) & 1 == 1
    }

    /// Sets the bit at a place.
    pub fn set(&mut self, place: usize, bit: bool) {
        if self.get(place) != bit {
            self.flip(place);
        }
    }

    /// Inverts the bit at a place.
    pub fn flip(&mut self, place: usize) {
        assert!(place < self.len, "bit {place} of {}", self.len);
        self.words[place / 64] ^= 1 << (place % 64);
    }

    /// Number of ones.
    #[must_use]
    pub fn ones(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// The bits in order.
    pub fn iter(&self) -> impl Iterator<Item = bool> + '_ {
        (0..self.len).map(|place| self.get(place))
    }

    /// As [`Genome::exchange`](super::Genome::exchange), a word at a time.
    #[must_use]
    pub fn exchange(&self, other: &Self, mask: &Self) -> [Self; 2] {
        self.exchange_at(other, |word| mask.words[word])
    }

    /// The same with the words of a mask one after the other; what they say beyond the last bit does not count.
    #[must_use]
    pub fn exchange_at(&self, other: &Self, mut mask: impl FnMut(usize) -> u64) -> [Self; 2] {
        let [mut one, mut two] = [self.clone(), other.clone()];
        let words = one.words.iter_mut().zip(&mut two.words);
        for (word, (one, two)) in words.enumerate() {
            let exchanged = (*one ^ *two) & !mask(word);
            *one ^= exchanged;
            *two ^= exchanged;
        }
        [one, two]
    }

    fn trim(&mut self) {
        let spare = 64 * self.words.len() - self.len;
        if let Some(last) = self.words.last_mut() {
            *last &= u64::MAX >> spare;
        }
    }
}

impl FromIterator<bool> for Bits {
    fn from_iter<I: IntoIterator<Item = bool>>(bits: I) -> Self {
        let bits: Vec<bool> = bits.into_iter().collect();
        let mut row = Self::zeros(bits.len());
        bits.iter()
            .enumerate()
            .for_each(|(place, &bit)| row.set(place, bit));
        row
    }
}

impl From<Bits> for String {
    fn from(bits: Bits) -> Self {
        bits.iter().map(|bit| if bit { '1' } else { '0' }).collect()
    }
}

impl TryFrom<String> for Bits {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.chars()
            .map(|c| match c {
                '0' => Ok(false),
                '1' => Ok(true),
                other => Err(format!("'{other}' is not a bit; expected 0 or 1")),
            })
            .collect()
    }
}
