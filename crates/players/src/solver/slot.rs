//! One place of the transposition table: which position it is about, and what is known of its score.
//!
//! Positions are kept exactly, never as a mere hash: a table that confuses two positions once in a
//! thousand million would still make the solver wrong.

use std::fmt::Debug;

use bytemuck::{Pod, Zeroable};

/// What a search found out about the score of a position, and how much work that was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Record {
    /// The score is at least this.
    pub(super) lower: i32,
    /// The score is at most this.
    pub(super) upper: i32,
    /// Binary logarithm of the nodes spent, at most [`MOST_WORK`].
    pub(super) work: u32,
}

/// The widths that a slot is cut into; they follow from the size of the board.
#[derive(Debug, Clone, Copy)]
pub(super) struct Widths {
    /// Bits of a key.
    pub(super) key: u32,
    /// Bits of the generation.
    pub(super) generation: u32,
}

/// A slot; `home` is where it belongs: the lowest bits of the mixed key. One that is all zeros was never used; its generation is 0.
pub(super) trait Slot: Pod + Debug + Send {
    /// What distinguishes positions.
    type Key: Copy + PartialOrd;
    /// The key, spread evenly over its low bits, without loss.
    type Mixed: Copy + Debug + Send;

    /// Fewest bits of a home, such that slots have room for what a home leaves of the key.
    fn fewest_bits(key_bits: u32) -> u32;
    /// The widths for homes of at least that many bits.
    fn widths(key_bits: u32) -> Widths;
    /// Spreads a key.
    fn mix(key: Self::Key, widths: Widths) -> Self::Mixed;
    /// The lowest bits of a mixed key.
    fn home(mixed: Self::Mixed, bits: u32) -> usize;
    /// A slot with this content.
    fn new(mixed: Self::Mixed, bits: u32, widths: Widths, generation: u32, record: Record) -> Self;
    /// Is the slot, found at the home of `mixed`, about that position and of this generation?
    fn is_about(self, mixed: Self::Mixed, bits: u32, widths: Widths, generation: u32) -> bool;
    /// The generation in which the slot was filled.
    fn generation(self, widths: Widths) -> u32;
    /// The mixed key of a slot that lies at `home`.
    fn mixed(self, home: usize, bits: u32, widths: Widths) -> Self::Mixed;
    /// What is known.
    fn record(self) -> Record;
    /// Whether a slot is one word, which solvers can share.
    const IS_A_WORD: bool;
    /// The word, if it is one.
    fn word(self) -> u64;
    /// The slot of a word, if it is one.
    fn of_word(word: u64) -> Self;
    /// A number by which positions can be told apart with few mistakes.
    fn hash(mixed: Self::Mixed) -> u64;
}

/// A slot of one word. From the low end: lower and upper bound (6 bits each, shifted by 32), work (4),
/// generation, and the part of the mixed key that its home does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct Packed(u64);

/// The most work that a slot can note.
pub(super) const MOST_WORK: u32 = 15;

const RECORD_BITS: u32 = 16;
const MOST_GENERATION_BITS: u32 = 8;
const ZERO_SCORE: i32 = 32;

impl Packed {
    /// Smallest table: small enough for the first-level cache.
    const SMALLEST: u32 = 9;

    fn tag(mixed: u64, bits: u32, widths: Widths, generation: u32) -> u64 {
        ((mixed >> bits) << widths.generation) | u64::from(generation)
    }
}

impl Slot for Packed {
    type Key = u64;
    type Mixed = u64;

    fn fewest_bits(key_bits: u32) -> u32 {
        // At least one bit of generation must remain.
        (key_bits + RECORD_BITS + 1)
            .saturating_sub(u64::BITS)
            .max(Self::SMALLEST)
    }

    fn widths(key_bits: u32) -> Widths {
        let rest = key_bits.saturating_sub(Self::fewest_bits(key_bits));
        Widths {
            key: key_bits,
            generation: (u64::BITS - RECORD_BITS - rest).min(MOST_GENERATION_BITS),
        }
    }

    #[inline]
    fn mix(key: u64, widths: Widths) -> u64 {
        // An odd factor and a shift of the high half onto the low one: both can be undone, so
        // different keys stay different.
        let within = u64::MAX >> (u64::BITS - widths.key);
        let spread = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) & within;
        spread ^ (spread >> (widths.key / 2))
    }

    #[inline]
    fn home(mixed: u64, bits: u32) -> usize {
        (mixed & ((1 << bits) - 1)) as usize
    }

    #[inline]
    fn new(mixed: u64, bits: u32, widths: Widths, generation: u32, record: Record) -> Self {
        let lower = (record.lower + ZERO_SCORE) as u64;
        let upper = (record.upper + ZERO_SCORE) as u64;
        let content = lower | (upper << 6) | (u64::from(record.work) << 12);
        Self((Self::tag(mixed, bits, widths, generation) << RECORD_BITS) | content)
    }

    #[inline]
    fn is_about(self, mixed: u64, bits: u32, widths: Widths, generation: u32) -> bool {
        self.0 >> RECORD_BITS == Self::tag(mixed, bits, widths, generation)
    }

    #[inline]
    fn generation(self, widths: Widths) -> u32 {
        ((self.0 >> RECORD_BITS) & ((1 << widths.generation) - 1)) as u32
    }

    fn mixed(self, home: usize, bits: u32, widths: Widths) -> u64 {
        ((self.0 >> RECORD_BITS >> widths.generation) << bits) | home as u64
    }

    #[inline]
    fn record(self) -> Record {
        Record {
            lower: (self.0 & 63) as i32 - ZERO_SCORE,
            upper: (self.0 >> 6 & 63) as i32 - ZERO_SCORE,
            work: (self.0 >> 12 & 15) as u32,
        }
    }

    const IS_A_WORD: bool = true;

    #[inline]
    fn word(self) -> u64 {
        self.0
    }

    #[inline]
    fn of_word(word: u64) -> Self {
        Self(word)
    }

    #[inline]
    fn hash(mixed: u64) -> u64 {
        mixed
    }
}

/// A slot with the whole position of a large board.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Wide {
    key: [u128; 2],
    lower: i8,
    upper: i8,
    work: u8,
    generation: u8,
    unused: [u8; 12],
}

/// A key of two words with its hash.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hashed {
    key: [u128; 2],
    hash: u64,
}

impl Slot for Wide {
    type Key = [u128; 2];
    type Mixed = Hashed;

    fn fewest_bits(_: u32) -> u32 {
        8
    }

    fn widths(key_bits: u32) -> Widths {
        Widths {
            key: key_bits,
            generation: MOST_GENERATION_BITS,
        }
    }

    fn mix(key: [u128; 2], _: Widths) -> Hashed {
        let fold = |hash: u64, part: u64| {
            let spread = (hash ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            spread ^ (spread >> 32)
        };
        let hash = key
            .iter()
            .flat_map(|&word| [word as u64, (word >> 64) as u64])
            .fold(0, fold);
        Hashed { key, hash }
    }

    fn home(mixed: Hashed, bits: u32) -> usize {
        (mixed.hash & ((1 << bits) - 1)) as usize
    }

    fn new(mixed: Hashed, _: u32, _: Widths, generation: u32, record: Record) -> Self {
        Self {
            key: mixed.key,
            lower: record.lower as i8,
            upper: record.upper as i8,
            work: record.work as u8,
            generation: generation as u8,
            unused: [0; 12],
        }
    }

    fn is_about(self, mixed: Hashed, _: u32, _: Widths, generation: u32) -> bool {
        u32::from(self.generation) == generation && self.key == mixed.key
    }

    fn generation(self, _: Widths) -> u32 {
        u32::from(self.generation)
    }

    fn mixed(self, _: usize, _: u32, widths: Widths) -> Hashed {
        Self::mix(self.key, widths)
    }

    fn record(self) -> Record {
        Record {
            lower: i32::from(self.lower),
            upper: i32::from(self.upper),
            work: u32::from(self.work),
        }
    }

    const IS_A_WORD: bool = false;

    fn word(self) -> u64 {
        0
    }

    fn of_word(_: u64) -> Self {
        Self::zeroed()
    }

    fn hash(mixed: Hashed) -> u64 {
        mixed.hash
    }
}
