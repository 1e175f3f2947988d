//! 2048: the tiles, row by row from the top.

use games::twenty48::Twenty48;
use play::any::AnyPosition;
use serde::Serialize;
use utoipa::ToSchema;

use super::Board;

/// The tiles of a board of 2048.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Tiles {
    rows: u8,
    cols: u8,
    /// Values row by row from the top; 0 is an empty cell.
    cells: Vec<u64>,
}

pub(super) fn draw(position: &AnyPosition) -> Option<Board> {
    let (_, position) = position.typed::<Twenty48>()?;
    let tiles = position.tiles();
    let value = |exponent: u8| match exponent {
        0 => 0,
        exponent => 1 << exponent,
    };
    Some(Board::Twenty48(Tiles {
        rows: tiles.rows(),
        cols: tiles.cols(),
        cells: tiles.exponents().map(value).collect(),
    }))
}
