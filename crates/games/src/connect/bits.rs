//! The machine word of a bit board: 64 bits where they suffice, 128 beyond.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl, Shr};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A set of cells. Cell `i` is bit `i`.
pub trait Bits:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + Serialize
    + DeserializeOwned
    + 'static
{
    /// The empty set.
    const ZERO: Self;
    /// How many cells fit.
    const BITS: u32;
    /// The set of this one cell.
    fn bit(cell: u32) -> Self;
    /// How many cells are in the set.
    fn count(self) -> u32;
    /// The lowest cell; `BITS` if there is none.
    fn lowest(self) -> u32;
    /// Addition that wraps round.
    fn plus(self, other: Self) -> Self;
    /// The same cells in the larger word.
    fn wide(self) -> u128;
    /// No cell at all?
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }
}

macro_rules! bits {
    ($($word:ty),+) => {$(
        impl Bits for $word {
            const ZERO: Self = 0;
            const BITS: u32 = <$word>::BITS;
            #[inline]
            fn bit(cell: u32) -> Self {
                1 << cell
            }
            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline]
            fn wide(self) -> u128 {
                self.into()
            }
        }
    )+};
}

bits!(u64, u128);
