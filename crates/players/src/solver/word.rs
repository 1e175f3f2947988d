//! What the solver needs of a machine word beyond being a set of cells.

use games::connect::Bits;

use super::slot::{Packed, Slot, Wide};

/// A set of cells in the layout of the solver.
pub(super) trait Word: Bits {
    /// Does the layout keep a row free above the board? It makes keys of one word unique.
    const SPARE_ROW: bool;
    /// How the table keeps a position of this word.
    type Slot: Slot;

    /// What distinguishes a position from all others of the same board.
    fn key(own: Self, occupied: Self) -> <Self::Slot as Slot>::Key;

    /// The key in an opening book; none of a board that is too large for one.
    fn book_key(key: <Self::Slot as Slot>::Key) -> Option<u64>;

    /// The set without its lowest cell.
    #[inline]
    fn without_lowest(self) -> Self {
        // Adding a word of ones takes one away.
        self & self.plus(!Self::ZERO)
    }

    /// At least one common cell?
    #[inline]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }
}

impl Word for u64 {
    const SPARE_ROW: bool = true;
    type Slot = Packed;

    #[inline]
    fn key(own: Self, occupied: Self) -> u64 {
        // A column of height h holds 2^h - 1 plus some number below 2^h: heights never overlap.
        own + occupied
    }

    #[inline]
    fn book_key(key: u64) -> Option<u64> {
        Some(key)
    }
}

impl Word for u128 {
    const SPARE_ROW: bool = false;
    type Slot = Wide;

    #[inline]
    fn key(own: Self, occupied: Self) -> [u128; 2] {
        [own, occupied]
    }

    #[inline]
    fn book_key(_: [u128; 2]) -> Option<u64> {
        None
    }
}
