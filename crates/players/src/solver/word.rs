//! The machine word of the solver's boards: 64 bits where they suffice, 128 beyond.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl, Shr};

use super::slot::{Packed, Slot, Wide};

/// A set of cells. Cell `i` is bit `i`.
pub(super) trait Word:
    Copy
    + Eq
    + Debug
    + Send
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// The empty set.
    const ZERO: Self;
    /// How many cells fit.
    const BITS: u32;
    /// Does the layout keep a row free above the board? It makes keys of one word unique.
    const SPARE_ROW: bool;
    /// How the table keeps a position of this word.
    type Slot: Slot;

    /// The set of this one cell.
    fn bit(cell: u32) -> Self;
    /// How many cells are in the set.
    fn count(self) -> u32;
    /// The set without its lowest cell.
    fn without_lowest(self) -> Self;
    /// What tells a position from all others of the same board.
    fn key(own: Self, occupied: Self) -> <Self::Slot as Slot>::Key;

    /// No cell at all?
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }

    /// At least one common cell?
    #[inline]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }
}

impl Word for u64 {
    const ZERO: Self = 0;
    const BITS: u32 = Self::BITS;
    const SPARE_ROW: bool = true;
    type Slot = Packed;

    #[inline]
    fn bit(cell: u32) -> Self {
        1 << cell
    }
    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }
    #[inline]
    fn without_lowest(self) -> Self {
        self & self.wrapping_sub(1)
    }
    #[inline]
    fn key(own: Self, occupied: Self) -> u64 {
        // A column of height h holds 2^h - 1 plus some number below 2^h: heights never overlap.
        own + occupied
    }
}

impl Word for u128 {
    const ZERO: Self = 0;
    const BITS: u32 = Self::BITS;
    const SPARE_ROW: bool = false;
    type Slot = Wide;

    #[inline]
    fn bit(cell: u32) -> Self {
        1 << cell
    }
    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }
    #[inline]
    fn without_lowest(self) -> Self {
        self & self.wrapping_sub(1)
    }
    #[inline]
    fn key(own: Self, occupied: Self) -> [u128; 2] {
        [own, occupied]
    }
}
