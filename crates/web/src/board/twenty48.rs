//! 2048: the tiles, row by row from the top.

use games::twenty48::{Position, Twenty48};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Board, Shown};

/// The tiles of a board of 2048.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Tiles {
    rows: u8,
    cols: u8,
    /// Values row by row from the top; 0 is an empty cell.
    cells: Vec<u64>,
}

impl Shown for Twenty48 {
    fn board(&self, position: &Position) -> Board {
        let tiles = position.tiles();
        let value = |exponent: u8| match exponent {
            0 => 0,
            exponent => 1 << exponent,
        };
        Board::Twenty48(Tiles {
            rows: tiles.rows(),
            cols: tiles.cols(),
            cells: tiles.exponents().map(value).collect(),
        })
    }

    fn is_won(&self, position: &Position) -> bool {
        Twenty48::is_won(self, position)
    }
}
