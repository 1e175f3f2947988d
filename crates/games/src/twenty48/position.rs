//! Positions of 2048 as data and as text.

use std::fmt;
use std::str::FromStr;

use super::packed::Packed;
use super::wide::Wide;
use serde::{Deserialize, Serialize};

use crate::game::PositionError;

/// The tiles: packed into 64 bits when they are 4x4 and all fit, else wide. One board has one form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tiles {
    /// A 4x4 board without a tile above 32768.
    Packed(Packed),
    /// Any other board.
    Wide(Wide),
}

/// Cells of the largest board.
pub(super) const MOST_CELLS: usize = 25;

/// The largest exponent that four bits hold.
const LARGEST_PACKED: u8 = 15;

impl Tiles {
    pub(super) fn empty_board(rows: u8, cols: u8) -> Self {
        Self::from(Wide::empty_board(rows, cols))
    }

    /// The board with these exponents, row by row.
    pub(super) fn of(rows: u8, cols: u8, exponents: &[u8; MOST_CELLS]) -> Self {
        if (rows, cols) == (4, 4)
            && exponents[..16]
                .iter()
                .all(|&exponent| exponent <= LARGEST_PACKED)
        {
            let place = |board, &exponent| board << 4 | u64::from(exponent);
            return Self::Packed(Packed(exponents[..16].iter().rev().fold(0, place)));
        }
        let mut wide = Wide::empty_board(rows, cols);
        for (&exponent, cell) in exponents.iter().zip(0..wide.count()) {
            wide.put(cell, exponent);
        }
        Self::Wide(wide)
    }

    /// Rows of the board.
    #[must_use]
    pub fn rows(self) -> u8 {
        match self {
            Self::Packed(_) => 4,
            Self::Wide(wide) => wide.rows(),
        }
    }

    /// Columns of the board.
    #[must_use]
    pub fn cols(self) -> u8 {
        match self {
            Self::Packed(_) => 4,
            Self::Wide(wide) => wide.cols(),
        }
    }

    /// The exponents row by row; 0 is an empty cell.
    pub fn exponents(self) -> impl Iterator<Item = u8> {
        (0..u32::from(self.rows()) * u32::from(self.cols())).map(move |cell| match self {
            Self::Packed(packed) => packed.exponent(cell),
            Self::Wide(wide) => wide.exponent(cell),
        })
    }

    /// How many cells are empty.
    #[inline]
    #[must_use]
    pub fn empty(self) -> u32 {
        match self {
            Self::Packed(packed) => packed.empty(),
            Self::Wide(wide) => wide.empty(),
        }
    }

    /// The exponent of the highest tile.
    #[must_use]
    pub fn highest(self) -> u8 {
        self.exponents().max().unwrap_or(0)
    }

    /// The sum of all tiles.
    #[must_use]
    pub fn sum(self) -> u64 {
        self.exponents()
            .filter(|&exponent| exponent > 0)
            .map(|exponent| 1 << exponent)
            .sum()
    }

    /// Has a tile at least this exponent?
    #[inline]
    #[must_use]
    pub fn has_at_least(self, exponent: u8) -> bool {
        match self {
            Self::Packed(packed) => packed.has_at_least(exponent),
            Self::Wide(_) => self.highest() >= exponent,
        }
    }

    /// What merging 2s up to these tiles has scored: a tile 2^e took merges worth (e - 1) 2^e.
    #[inline]
    #[must_use]
    pub fn merged(self) -> u64 {
        match self {
            Self::Packed(packed) => packed.merged(),
            Self::Wide(wide) => {
                let tiles = wide.exponents().filter(|&exponent| exponent > 0);
                tiles.map(|e| (u64::from(e) - 1) << e).sum()
            }
        }
    }

    /// The board with another exponent for each; 0 must stay 0.
    #[must_use]
    pub fn mapped(self, exponent: impl Fn(u8) -> u8) -> Self {
        let mut wide = Wide::empty_board(self.rows(), self.cols());
        self.exponents()
            .zip(0..)
            .for_each(|(old, cell)| wide.put(cell, exponent(old)));
        wide.into()
    }

    pub(super) fn widened(self) -> Wide {
        match self {
            Self::Wide(wide) => wide,
            Self::Packed(_) => {
                let mut wide = Wide::empty_board(4, 4);
                self.exponents()
                    .zip(0..)
                    .for_each(|(exponent, cell)| wide.put(cell, exponent));
                wide
            }
        }
    }
}

impl From<Wide> for Tiles {
    fn from(wide: Wide) -> Self {
        let fits = wide.rows() == 4
            && wide.cols() == 4
            && wide.exponents().all(|exponent| exponent <= LARGEST_PACKED);
        if !fits {
            return Self::Wide(wide);
        }
        let mut packed = Packed(0);
        wide.exponents()
            .zip(0..)
            .for_each(|(exponent, cell)| packed.put(cell, exponent));
        Self::Packed(packed)
    }
}

/// A board, how many of its tiles came as a 4, and how many tiles chance still has to add.
///
/// The score is not stored: under standard rules it follows from the tiles and the fours, since a tile
/// that came as a 4 spared one merge of two 2s.
///
/// As text: exponents, one digit per cell (a = 10, b = 11, ...), rows separated by `/`; then, where they
/// are not 0, `fours N` and `due N`. Example: `0012/0300/0000/000b fours 1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) tiles: Tiles,
    pub(super) fours: u32,
    pub(super) due: u8,
}

impl Position {
    /// The tiles on the board.
    #[must_use]
    pub fn tiles(&self) -> Tiles {
        self.tiles
    }

    /// The same with other tiles.
    #[must_use]
    pub fn with_tiles(self, tiles: Tiles) -> Self {
        Self { tiles, ..self }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (cell, exponent) in self.tiles.exponents().enumerate() {
            if cell > 0 && cell % usize::from(self.tiles.cols()) == 0 {
                f.write_str("/")?;
            }
            let digit = char::from_digit(u32::from(exponent), 36).expect("exponents are below 32");
            write!(f, "{digit}")?;
        }
        for (name, number) in [("fours", self.fours), ("due", u32::from(self.due))] {
            if number > 0 {
                write!(f, " {name} {number}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let mut words = text.split_whitespace();
        let board = words
            .next()
            .ok_or_else(|| PositionError("the board is missing".to_owned()))?;
        let mut position = Self {
            tiles: read_tiles(board)?,
            fours: 0,
            due: 0,
        };
        while let Some(name) = words.next() {
            let number = words.next().and_then(|word| word.parse::<u32>().ok());
            match (name, number) {
                ("fours", Some(fours)) => position.fours = fours,
                ("due", Some(due @ 0..=2)) => position.due = due as u8,
                _ => {
                    return Err(PositionError(format!(
                        "'{name}' after the board; expected 'fours NUMBER' or 'due NUMBER' (at most 2)"
                    )));
                }
            }
        }
        Ok(position)
    }
}

fn read_tiles(board: &str) -> Result<Tiles, PositionError> {
    let whole_4x4 = board.len() == 16 && !board.contains('/') && board.is_ascii();
    let rows: Vec<&str> = if whole_4x4 {
        (0..4).map(|row| &board[4 * row..4 * row + 4]).collect()
    } else {
        board.split('/').collect()
    };
    let cols = rows[0].chars().count();
    let sizes = 3..=5;
    if !sizes.contains(&rows.len()) || !sizes.contains(&cols) {
        return Err(PositionError(format!(
            "{} rows of {cols} cells; a board has 3 to 5 of each",
            rows.len()
        )));
    }
    let mut wide = Wide::empty_board(rows.len() as u8, cols as u8);
    for (number, row) in rows.iter().enumerate() {
        if row.chars().count() != cols {
            return Err(PositionError(format!(
                "row '{row}' should have {cols} cells"
            )));
        }
        for (column, digit) in row.chars().enumerate() {
            let exponent = digit
                .to_digit(36)
                .filter(|&exponent| exponent <= 31)
                .ok_or_else(|| {
                    PositionError(format!(
                        "'{digit}' in row '{row}'; an exponent is 0-9 or a-v"
                    ))
                })?;
            wide.put((number * cols + column) as u32, exponent as u8);
        }
    }
    Ok(wide.into())
}
