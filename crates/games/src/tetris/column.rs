//! The machine word of a column: 32 bits where they suffice, 64 beyond.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

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
    + BitXor<Output = Self>
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
    /// The rows of a word of 32 bits.
    fn from_word(word: u32) -> Self;
    /// The rows below `row`, a number that is taken modulo `ROWS`, so that no check slows it down.
    fn below(row: u32) -> Self;
    /// All rows moved up; by a number that is taken modulo `ROWS`, so that no check slows it down.
    fn up(self, rows: u32) -> Self;
    /// All rows moved down by one; the floor's row is lost.
    fn down(self) -> Self;
    /// The rows from `row` on, at most 32 of them, moved down to the floor; `row` modulo `ROWS`.
    fn window(self, row: u32) -> u32;
    /// The rows above `row`, moved down to the floor; `row` modulo `ROWS`.
    fn above(self, row: u32) -> Self;
    /// The rows below the highest.
    fn covered(self) -> Self;
    /// One more than the highest row below `row`; 0 if there is none. `row` modulo `ROWS`.
    fn height_below(self, row: u32) -> u32;
    /// How many rows from the floor on are in the set without a gap.
    fn solid(self) -> u32;
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
    ($($word:ty: $height_below:expr),+) => {$(
        impl ColumnBits for $word {
            const NONE: Self = 0;
            const ALL: Self = <$word>::MAX;
            const ROWS: u32 = <$word>::BITS;
            #[inline]
            fn from_mask(mask: u8) -> Self {
                Self::from(mask)
            }
            #[inline]
            fn from_word(word: u32) -> Self {
                word.into()
            }
            #[inline]
            fn below(row: u32) -> Self {
                Self::wrapping_shl(1, row).wrapping_sub(1)
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
            fn window(self, row: u32) -> u32 {
                self.wrapping_shr(row) as u32
            }
            #[inline]
            fn above(self, row: u32) -> Self {
                self.wrapping_shr(row) >> 1
            }
            #[inline]
            fn covered(self) -> Self {
                // Each step doubles how far down a row reaches.
                (0..Self::ROWS.ilog2()).fold(self >> 1, |rows, step| rows | rows >> (1 << step))
            }
            #[inline]
            fn height_below(self, row: u32) -> u32 {
                $height_below(self & Self::below(row))
            }
            #[inline]
            fn solid(self) -> u32 {
                self.trailing_ones()
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

column_bits!(u32: height_by_exponent, u64: ColumnBits::height);

/// The height of rows that do not reach bit 31, by way of a floating-point exponent: unlike leading
/// zeros, of this the compiler makes vector instructions on every machine.
#[inline]
fn height_by_exponent(rows: u32) -> u32 {
    // Without the bit next to the highest no rounding can reach the next power of two.
    let exponent = ((rows & !(rows >> 1)) as i32 as f32).to_bits() >> 23;
    exponent.saturating_sub(126)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<C: ColumnBits>(column: C) {
        let filled = |row: u32| column.window(row) & 1 == 1;
        let rows = || 0..C::ROWS;
        let gap = rows().find(|&row| !filled(row));
        assert_eq!(column.solid(), gap.unwrap_or(C::ROWS));
        let covered = column.covered();
        for row in rows() {
            assert_eq!(covered.window(row) & 1 == 1, row + 1 < column.height());
            let height = (0..row)
                .rev()
                .find(|&below| filled(below))
                .map_or(0, |below| below + 1);
            assert_eq!(column.height_below(row), height, "{column:?} below {row}");
            let above = rows().filter(|&other| other > row && filled(other)).count();
            assert_eq!(column.above(row).count() as usize, above);
            assert_eq!((C::below(row).count(), C::below(row).height()), (row, row));
        }
    }

    #[test]
    fn rows_are_counted_and_moved() {
        for bits in [
            0,
            1,
            2,
            0b1011,
            0x00ff_f0ff,
            0x7fff_ffff,
            u32::MAX,
            0x8000_0001,
            0xffff_fffe,
        ] {
            check(bits);
            check(u64::from(bits));
            check(u64::from(bits) << 8 | 3);
            check(u64::from(bits) << 30);
        }
    }
}
