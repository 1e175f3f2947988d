//! Tetris: the stack in one colour, since a position does not record which piece a cell came from, and the known pieces next to it.

use std::fmt::Write;

use games::tetris::{Board, ColumnBits, Oriented, Piece, Position, Tetris};

use super::{Drawing, ground};
use play::any::AnyPosition;

/// Side of a cell of the board, and of a cell of the pieces next to it.
const CELL: u32 = 16;
const SMALL: u32 = 10;
const EDGE: u32 = 8;
/// Cells that a piece next to the board has room for, if no piece is wider.
const PIECE: u32 = 5;
const GROUND: &str = "#2b313b";
const HOLLOW: &str = "#151920";
const LINES: &str = "#272e39";
const FILLED: &str = "#c3c9d2";
const TEXT: &str = "#eef1f5";

/// Okabe and Ito's colours, which are safe for colour blindness, and some shades between them.
const COLOURS: [(char, &str); 7] = [
    ('I', "#87d7ff"),
    ('O', "#ffff5f"),
    ('T', "#d787af"),
    ('J', "#0087d7"),
    ('L', "#ffaf00"),
    ('S', "#00af87"),
    ('Z', "#d75f5f"),
];

/// The picture of a position of this game; `None` for other games.
pub(super) fn drawing(position: &AnyPosition) -> Option<Drawing> {
    let small = position.typed::<Tetris<u32>>();
    let large = || position.typed::<Tetris<u64>>();
    let small = small.map(|(game, position)| draw(game, position));
    small.or_else(|| large().map(|(game, position)| draw(game, position)))
}

fn draw<C: ColumnBits>(game: &Tetris<C>, position: &Position<C>) -> Drawing {
    let board = position.board();
    let (columns, rows) = (board.width(), board.rows());
    let (pieces, below) = queue(game, position, 2 * EDGE + columns * CELL);
    let widths = game
        .shapes()
        .iter()
        .map(|shape| shape.rotations()[0].width());
    let side = match widths.max() {
        Some(width) if !pieces.is_empty() => 18 + width.max(PIECE) * SMALL + EDGE,
        _ => 0,
    };
    let width = 2 * EDGE + columns * CELL + side;
    let height = (2 * EDGE + rows * CELL).max(below);
    Drawing {
        title: format!(
            "tetris, {columns}x{rows}, {} pieces placed, {} lines cleared",
            position.pieces(),
            position.clears().lines()
        ),
        width,
        height,
        shapes: ground(width, height, GROUND) + &stack(board) + &pieces,
    }
}

fn stack<C: ColumnBits>(board: &Board<C>) -> String {
    let (columns, rows) = (board.width(), board.rows());
    let (width, height) = (columns * CELL, rows * CELL);
    let mut lines = String::new();
    for column in 1..columns {
        let _ = write!(lines, "M{} {EDGE}v{height}", EDGE + column * CELL);
    }
    for row in 1..rows {
        let _ = write!(lines, "M{EDGE} {}h{width}", EDGE + row * CELL);
    }
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let filled: String = cells
        .filter(|&(column, row)| board.is_filled(column, row))
        .map(|(column, row)| square(EDGE + column * CELL, EDGE + (rows - 1 - row) * CELL, CELL))
        .collect();
    format!(
        "<rect x=\"{EDGE}\" y=\"{EDGE}\" width=\"{width}\" height=\"{height}\" fill=\"{HOLLOW}\"/>\
         <path d=\"{lines}\" stroke=\"{LINES}\"/><path d=\"{filled}\" fill=\"{FILLED}\"/>"
    )
}

/// The known pieces below each other, each with its letter, then the held one; and the y where they end.
fn queue<C: ColumnBits>(game: &Tetris<C>, position: &Position<C>, left: u32) -> (String, u32) {
    let (mut shapes, mut y) = (String::new(), EDGE);
    let known = position
        .queue()
        .iter()
        .map(|piece| (piece, piece.to_string()));
    let held = position.held().map(|piece| (piece, format!("({piece})")));
    for (piece, name) in known.chain(held) {
        let shape = &game.shape(piece).rotations()[0];
        let _ = write!(
            shapes,
            "<text x=\"{left}\" y=\"{}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"{TEXT}\">{name}</text>\
             <path d=\"{}\" fill=\"{}\"/>",
            y + SMALL,
            cells(shape, left + 18, y),
            colour(piece)
        );
        y += shape.height().max(2) * SMALL + EDGE;
    }
    (shapes, y)
}

/// The cells of a piece whose box has its upper left corner here.
fn cells(shape: &Oriented, left: u32, top: u32) -> String {
    let mut squares = String::new();
    for (column, mask) in (0..).zip(shape.masks()) {
        for row in (0..shape.height()).filter(|row| mask >> row & 1 == 1) {
            let y = top + (shape.height() - 1 - row) * SMALL;
            squares += &square(left + column * SMALL, y, SMALL);
        }
    }
    squares
}

/// A cell, slightly smaller than its square, so that cells are visibly separate.
fn square(x: u32, y: u32, side: u32) -> String {
    let side = side - 1;
    format!("M{x} {y}h{side}v{side}h-{side}z")
}

fn colour(piece: Piece) -> &'static str {
    let letter = piece.letter();
    let known = COLOURS.iter().find(|(own, _)| *own == letter);
    known.unwrap_or(&COLOURS[letter as usize % COLOURS.len()]).1
}

#[cfg(test)]
mod tests {
    use games::tetris::Rules;

    use super::*;
    use crate::board_picture::{contrast, picture};
    use games::AnyGame;

    #[test]
    fn the_stack_and_the_known_pieces_are_seen() {
        let rules = Rules::from_options(&"board=4x4".parse().unwrap()).unwrap();
        let game: Tetris<u32> = Tetris::new(rules);
        let svg = picture(&AnyGame::from(game), "4x4 #.../##.. T pieces 2").unwrap();
        assert_eq!(svg.matches("h15v15h-15z").count(), 3);
        assert_eq!(svg.matches("h9v9h-9z").count(), 4);
        assert!(
            svg.contains(">T</text>") && svg.contains("2 pieces placed"),
            "{svg}"
        );
    }

    #[test]
    fn letters_and_cells_stand_out() {
        assert!(contrast(TEXT, GROUND) >= 4.5 && contrast(FILLED, HOLLOW) >= 4.5);
        for (letter, colour) in COLOURS {
            assert!(contrast(colour, GROUND) >= 3.0, "{letter}");
        }
    }
}
