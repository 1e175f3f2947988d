//! The 4x4 board of a random game, kept twice: as it is, and with rows and columns exchanged.
//!
//! Each move waits for the one before it, so what counts is the longest way from a board to the next. A board that is there both ways need not be turned
//! before it slides, and its empty cells are counted while the slid lines are still being turned.

use streams::Stream;

use super::direction::Direction;
use super::packed::{Packed, Spawned, Tables, turned, zero_cells};

/// A board, and the same with rows and columns exchanged.
#[derive(Clone, Copy)]
pub(super) struct TwoWays {
    own: u64,
    turned: u64,
}

/// A board that a slide has changed.
pub(super) struct Slid {
    board: TwoWays,
    /// One of the two ways: the one that was there first.
    first: u64,
}

impl TwoWays {
    pub(super) fn of(board: Packed) -> Self {
        Self {
            own: board.0,
            turned: board.transposed().0,
        }
    }

    #[inline]
    pub(super) fn packed(self) -> Packed {
        Packed(self.own)
    }

    /// The board after sliding; none if that changes nothing. No tile may overflow.
    #[inline(always)]
    pub(super) fn slid(self, direction: Direction, tables: &Tables) -> Option<Slid> {
        let vertical = direction.is_vertical();
        let before = if vertical { self.turned } else { self.own };
        let rows = tables.slid_rows(before, usize::from(direction.is_away()));
        let first = rows.iter().rev().fold(0, |board, row| board << 16 | row);
        let other = turned(rows);
        let board = Self {
            own: if vertical { other } else { first },
            turned: if vertical { first } else { other },
        };
        (first != before).then_some(Slid { board, first })
    }
}

impl Slid {
    /// The board with a random tile on a random empty cell.
    #[inline(always)]
    pub(super) fn spawned(self, four: u64, rng: &mut Stream) -> (TwoWays, Spawned) {
        let TwoWays { own, turned } = self.board;
        let count = zero_cells(self.first).count_ones();
        let spawned = Spawned::draw(zero_cells(own), count, four, rng);
        let shift = spawned.cell.trailing_zeros();
        // Row and column of the cell, two bits each, are exchanged.
        let turned_shift = shift << 2 & 0x30 | shift >> 2 & 0x0c;
        let tile = 1 + u64::from(spawned.is_four);
        let board = TwoWays {
            own: own | tile << shift,
            turned: turned | tile << turned_shift,
        };
        (board, spawned)
    }
}
