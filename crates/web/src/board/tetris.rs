//! Tetris: the stack from the top, the known pieces, and where the current one can be placed.

use games::Game;
use games::tetris::{ColumnBits, Placement, Position, Tetris};
use play::any::AnyPosition;
use serde::Serialize;
use utoipa::ToSchema;

use super::Board;

/// The stack and the known pieces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Stack {
    rows: u32,
    cols: u32,
    /// Row by row from the top: `#` is filled (a position does not know by which piece), nothing is empty.
    cells: Vec<&'static str>,
    /// The letter of the piece to place.
    current: Option<String>,
    /// Letters of the pieces known to follow.
    next: Vec<String>,
    /// Whether the current piece may be held and exchanged.
    may_hold: bool,
    /// The letter of the piece that is held.
    held: Option<String>,
    /// The letter of the piece that the current one can be exchanged for: the held one, or the next while none is.
    other: Option<String>,
    /// Where the current piece can be placed, then where the other one can.
    placements: Vec<TetrisPlacement>,
}

/// A placement of the current piece, or of the one it is exchanged for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct TetrisPlacement {
    /// The move; it begins with `h` if the current piece is held.
    #[serde(rename = "move")]
    chosen: String,
    /// The cells that the piece will fill, before full rows vanish.
    cells: Vec<u32>,
}

pub(super) fn draw(position: &AnyPosition) -> Option<Board> {
    stack::<u32>(position).or_else(|| stack::<u64>(position))
}

fn stack<C: ColumnBits>(position: &AnyPosition) -> Option<Board> {
    let (game, position) = position.typed::<Tetris<C>>()?;
    let board = position.board();
    let (rows, cols) = (board.rows(), board.width());
    let places = (0..rows).rev();
    let places = places.flat_map(|row| (0..cols).map(move |column| (column, row)));
    let cell = |(column, row)| {
        if board.is_filled(column, row) {
            "#"
        } else {
            ""
        }
    };
    let mut queue = position.queue().iter().map(|piece| piece.to_string());
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let placed = |&chosen| TetrisPlacement {
        cells: landing(game, position, chosen),
        chosen: chosen.to_string(),
    };
    Some(Board::Tetris(Stack {
        rows,
        cols,
        cells: places.map(cell).collect(),
        current: queue.next(),
        next: queue.collect(),
        may_hold: game.rules().hold,
        held: position.held().map(|piece| piece.to_string()),
        other: game
            .hand(position)
            .piece(true)
            .map(|piece| piece.to_string()),
        placements: moves.iter().map(placed).collect(),
    }))
}

/// The cells that the piece fills when it is dropped like this, counted row by row from the top.
fn landing<C: ColumnBits>(game: &Tetris<C>, position: &Position<C>, chosen: Placement) -> Vec<u32> {
    let Some(piece) = game.hand(position).piece(chosen.hold) else {
        return Vec::new();
    };
    let board = position.board();
    let shape = &game.shape(piece).rotations()[usize::from(chosen.rotation)];
    let lowest = board.landing(shape, u32::from(chosen.column));
    let mut cells = Vec::new();
    for (column, mask) in (u32::from(chosen.column)..).zip(shape.masks()) {
        for row in (0..shape.height()).filter(|row| mask >> row & 1 == 1) {
            let from_top = board.rows() - 1 - (lowest + row);
            cells.push(from_top * board.width() + column);
        }
    }
    cells.sort_unstable();
    cells
}
