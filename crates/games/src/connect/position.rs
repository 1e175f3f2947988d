//! Positions and moves of Connect-N as data and as text.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::bits::Bits;
use crate::game::{NotAMove, PositionError};

/// The stones of both players. Cell `column * rows + row`, rows counted from the bottom, is one bit.
///
/// As text: the rows from the top, separated by `/` (or, with `{:#}`, by line ends); `x` moved first,
/// `o` second, `.` is empty. Example: `...../..o../.xx..`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Position<B> {
    pub(super) stones: [B; 2],
    pub(super) rows: u8,
    pub(super) cols: u8,
}

impl<B: Bits> Position<B> {
    /// A board without stones.
    #[must_use]
    pub(super) fn empty(rows: u8, cols: u8) -> Self {
        Self {
            stones: [B::ZERO; 2],
            rows,
            cols,
        }
    }

    /// The stones of the player at `seat`.
    #[must_use]
    pub fn stones(&self, seat: u8) -> B {
        self.stones[usize::from(seat)]
    }

    /// All stones.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> B {
        self.stones[0] | self.stones[1]
    }

    /// How many moves have been made.
    #[inline]
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.occupied().count()
    }

    /// The seat whose stone lies at `row` (from the bottom) and `column`.
    #[must_use]
    pub fn stone(&self, row: u8, column: u8) -> Option<u8> {
        let cell = B::bit(u32::from(column) * u32::from(self.rows) + u32::from(row));
        (0..2).find(|&seat| !(self.stones(seat) & cell).is_empty())
    }

    /// The same position on words that hold any board, for code that is compiled for one word only.
    #[must_use]
    pub fn widened(&self) -> Position<u128> {
        Position {
            stones: self.stones.map(B::wide),
            rows: self.rows,
            cols: self.cols,
        }
    }

    /// Rows of the board.
    #[must_use]
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// Columns of the board.
    #[must_use]
    pub fn cols(&self) -> u8 {
        self.cols
    }
}

impl<B: Bits> fmt::Display for Position<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.rows).rev() {
            for column in 0..self.cols {
                f.write_str(match self.stone(row, column) {
                    Some(0) => "x",
                    Some(_) => "o",
                    None => ".",
                })?;
            }
            if row > 0 {
                f.write_str(if f.alternate() { "\n" } else { "/" })?;
            }
        }
        Ok(())
    }
}

impl<B: Bits> FromStr for Position<B> {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let lines: Vec<&str> = text
            .trim()
            .split(|c: char| c == '/' || c.is_whitespace())
            .filter(|l| !l.is_empty())
            .collect();
        let (rows, cols) = (
            lines.len(),
            lines.first().map_or(0, |line| line.chars().count()),
        );
        if rows == 0 || rows.saturating_mul(cols) > B::BITS as usize {
            return Err(PositionError(format!(
                "{rows} rows of {cols} cells; a board has at least 1 and at most {} cells",
                B::BITS
            )));
        }
        let mut position = Self::empty(rows as u8, cols as u8);
        for (line, row) in lines.iter().zip((0..rows).rev()) {
            if line.chars().count() != cols {
                return Err(PositionError(format!(
                    "row '{line}' should have {cols} cells"
                )));
            }
            for (column, stone) in line.chars().enumerate() {
                let seat = match stone {
                    '.' => continue,
                    'x' | 'X' => 0,
                    'o' | 'O' => 1,
                    _ => {
                        return Err(PositionError(format!(
                            "'{stone}' in row '{line}'; allowed are x, o and ."
                        )));
                    }
                };
                position.stones[seat] |= B::bit((column * rows + row) as u32);
            }
        }
        Ok(position)
    }
}

/// A column to drop a piece into, counted from 0 at the left; people read and write it from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column(pub u8);

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", u32::from(self.0) + 1)
    }
}

impl FromStr for Column {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Self, NotAMove> {
        match text.parse::<u8>() {
            Ok(number @ 1..=128) => Ok(Self(number - 1)),
            _ => Err(NotAMove::new(text, "a column, counted from 1 at the left")),
        }
    }
}
