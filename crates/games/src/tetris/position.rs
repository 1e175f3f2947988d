//! Positions of Tetris on a bit board.

use std::fmt;
use std::str::FromStr;

use super::board::Board;
use super::clears::Clears;
use super::column::ColumnBits;
use super::piece::{Piece, PieceSet, Queue};
use super::text::Text;
use crate::game::PositionError;

/// The board, the known pieces, what is left in the bag, and what has happened so far.
///
/// As text `10x20 #.../##.. TI pieces 7 clears 1,0,0,0 bag JL hold S`; `{:#}` shows the whole board. The size is
/// columns x rows, rows stand from the highest that is not empty down to the floor (`-` for none), then
/// the letters of the queue (`-` for none); what is zero is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position<C> {
    pub(super) board: Board<C>,
    pub(super) queue: Queue,
    pub(super) bag: PieceSet,
    pub(super) held: Option<Piece>,
    pub(super) pieces: u64,
    pub(super) clears: Clears,
}

impl<C: ColumnBits> Position<C> {
    /// An empty board before the first piece is known.
    #[must_use]
    pub(super) fn start(columns: u8, rows: u8) -> Self {
        Self {
            board: Board::empty(columns, rows),
            queue: Queue::default(),
            bag: PieceSet::default(),
            held: None,
            pieces: 0,
            clears: Clears::default(),
        }
    }

    /// The board.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board<C> {
        &self.board
    }

    /// The known pieces, the current one first.
    #[inline]
    #[must_use]
    pub fn queue(&self) -> Queue {
        self.queue
    }

    /// What is left in the bag; nothing when the next piece comes from a new one, or from none.
    #[must_use]
    pub fn bag(&self) -> PieceSet {
        self.bag
    }

    /// The piece that is held.
    #[must_use]
    pub fn held(&self) -> Option<Piece> {
        self.held
    }

    /// Pieces placed so far.
    #[must_use]
    pub fn pieces(&self) -> u64 {
        self.pieces
    }

    /// Clears so far.
    #[must_use]
    pub fn clears(&self) -> &Clears {
        &self.clears
    }

    fn to_text(self) -> Text {
        let (width, rows) = (self.board.width(), self.board.rows());
        let row = |row| {
            (0..width)
                .map(|column| self.board.is_filled(column, row))
                .collect()
        };
        Text {
            rows: (0..rows).map(row).collect(),
            queue: self.queue.iter().collect(),
            bag: self.bag.iter().collect(),
            held: self.held,
            pieces: self.pieces,
            clears: self.clears,
        }
    }
}

impl<C: ColumnBits> fmt::Display for Position<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_text().fmt(f)
    }
}

impl<C: ColumnBits> FromStr for Position<C> {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let text: Text = text.parse()?;
        let (columns, rows) = (text.rows[0].len(), text.rows.len());
        if rows > C::ROWS as usize {
            let most = C::ROWS;
            return Err(PositionError(format!(
                "{rows} rows; this game has at most {most}"
            )));
        }
        let mut position = Self::start(columns as u8, rows as u8);
        for (row, cells) in (0..).zip(&text.rows) {
            for (column, _) in (0..).zip(cells).filter(|(_, filled)| **filled) {
                position.board.fill(column, row);
            }
        }
        for piece in text.queue {
            position.queue.push(piece);
        }
        position.bag = text.bag.into_iter().collect();
        position.held = text.held;
        position.pieces = text.pieces;
        position.clears = text.clears;
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str) {
        let position: Position<u64> = text.parse().unwrap();
        assert_eq!(position.to_string(), text);
        assert_eq!(format!("{position:#}").parse(), Ok(position));
    }

    #[test]
    fn text_reads_back() {
        check("10x20 - -");
        check("10x20 - TI pieces 12");
        check("4x4 #.../##.# TI pieces 7 clears 1,0,0,0 bag JL");
        check("4x40 .#../##.# abcdefgh clears 0,0,0,0,7 avalanches 1,6,210 bag Zz");
        check("4x4 #.../#.../#.../#... -");
        check("10x20 - TI pieces 7 bag JL hold S");
    }

    #[test]
    fn the_whole_board_is_shown_line_by_line() {
        let position: Position<u32> = "4x4 #.#. TI pieces 7".parse().unwrap();
        assert_eq!(
            format!("{position:#}"),
            "4x4\n....\n....\n....\n#.#.\nTI pieces 7"
        );
    }

    #[test]
    fn wrong_text_is_refused_with_what_is_right() {
        let check = |text: &str, part: &str| {
            let error = text.parse::<Position<u32>>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        };
        check("", "like 10x20");
        check("3x20 - -", "4 to 16 columns");
        check("10x20", "like '10x20 - TI'");
        check("10x20 -", "like '10x20 - TI'");
        check("10x33 - -", "at most 32");
        check("4x4 ### -", "should have 4 cells");
        check("4x4 ##x# -", "allowed are # and .");
        check("4x4 #.../#.../#.../#.../#... -", "the board has 4");
        check("4x4 - T!", "'!' in 'T!'");
        check("4x4 - TTTTTTTTT", "more than 8");
        check("4x4 - T points 3", "allowed are pieces");
        check("4x4 - T pieces", "whole numbers");
        check("4x4 - T pieces 10000000000000000", "whole numbers");
        check("4x4 - T clears 1,2,3,4,5,6", "at most 5");
        check("4x4 - T avalanches 1,2", "at least 3");
        check("4x4 - T bag", "letters that differ");
        check("4x4 - T bag SS", "letters that differ");
        check("4x4 - T hold", "one letter");
        check("4x4 - T hold SZ", "one letter");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC*") {
            let _ = text.parse::<Position<u32>>();
        }

        #[test]
        fn no_text_that_is_almost_right_panics(
            text in "[0-9]{1,2}x[0-9]{1,2} [#./-]{0,20} [A-Za-z-]{0,9}( (pieces|clears|bag|avalanches|hold) [0-9A-Z,]{0,9}){0,3}"
        ) {
            if let Ok(position) = text.parse::<Position<u32>>() {
                prop_assert_eq!(position.to_string().parse(), Ok(position));
            }
        }
    }
}
