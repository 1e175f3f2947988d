//! The machine word of a column: 32 bits where they suffice, 64 beyond.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A set of rows: the filled cells of a column, or rows of the whole board. The floor's row is bit 0.
pub trait ColumnBits:
    Copy
    + Eq
    + Hash
    + Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + Not<Output = Self>
    + 'static
{
    /// No row.
    const NONE: Self;
    /// Every row.
    const ALL: Self;
    /// How many rows fit.
    const ROWS: u32;
    /// The rows of a column of a piece, its lowest row on the floor.
    fn from_mask(mask: u8) -> Self;
    /// The rows below `row`, which must be less than `ROWS`.
    fn below(row: u32) -> Self;
    /// All rows moved up; by a number that is taken modulo `ROWS`, so that no check slows it down.
    fn up(self, rows: u32) -> Self;
    /// All rows moved down by one; the floor's row is lost.
    fn down(self) -> Self;
    /// How many rows are in the set.
    fn count(self) -> u32;
    /// One more than the highest row; 0 if there is none.
    fn height(self) -> u32;
    /// No row at all?
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::NONE
    }
}

macro_rules! column_bits {
    ($($word:ty),+) => {$(
        impl ColumnBits for $word {
            const NONE: Self = 0;
            const ALL: Self = <$word>::MAX;
            const ROWS: u32 = <$word>::BITS;
            #[inline]
            fn from_mask(mask: u8) -> Self {
                Self::from(mask)
            }
            #[inline]
            fn below(row: u32) -> Self {
                (1 << row) - 1
            }
            #[inline]
            fn up(self, rows: u32) -> Self {
                self.wrapping_shl(rows)
            }
            #[inline]
            fn down(self) -> Self {
                self >> 1
            }
            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn height(self) -> u32 {
                <$word>::BITS - self.leading_zeros()
            }
        }
    )+};
}

column_bits!(u32, u64);
