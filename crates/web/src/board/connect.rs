//! Connect-N: the stones from the top, and the cells of the winning line.

use games::connect::{Bits, Connect, Position};
use play::any::AnyPosition;
use serde::Serialize;
use utoipa::ToSchema;

use super::Board;

/// The stones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Stones {
    rows: u8,
    cols: u8,
    /// Row by row from the top; none is an empty cell.
    cells: Vec<Option<Stone>>,
    /// How many in a line win.
    connect: u8,
    /// The cells of all lines of the winner.
    line: Vec<usize>,
}

/// A stone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
enum Stone {
    /// Of the player who began.
    #[serde(rename = "x")]
    First,
    /// Of the other player.
    #[serde(rename = "o")]
    Second,
}

pub(super) fn draw(position: &AnyPosition) -> Option<Board> {
    stones::<u64>(position).or_else(|| stones::<u128>(position))
}

fn stones<B: Bits>(position: &AnyPosition) -> Option<Board> {
    let (game, position) = position.typed::<Connect<B>>()?;
    let (rows, cols) = (position.rows(), position.cols());
    let places = || {
        let rows = (0..rows).rev();
        rows.flat_map(|row| (0..cols).map(move |column| (row, column)))
    };
    let stone = |(row, column)| {
        let seat = position.stone(row, column)?;
        Some([Stone::First, Stone::Second][usize::from(seat)])
    };
    let winning = winning(game, position);
    let is_in_line = |&(_, (row, column)): &(usize, (u8, u8))| {
        let cell = B::bit(u32::from(column) * u32::from(rows) + u32::from(row));
        !(winning & cell).is_empty()
    };
    let line = places().enumerate().filter(is_in_line);
    Some(Board::Connect(Stones {
        rows,
        cols,
        cells: places().map(stone).collect(),
        connect: game.rules().connect,
        line: line.map(|(place, _)| place).collect(),
    }))
}

/// All cells of lines that the winner has.
fn winning<B: Bits>(game: &Connect<B>, position: &Position<B>) -> B {
    game.winner(position).map_or(B::ZERO, |seat| {
        let own = position.stones(seat);
        let lines = game
            .all_lines()
            .into_iter()
            .filter(|&line| line & own == line);
        lines.fold(B::ZERO, |all, line| all | line)
    })
}
