//! Moves of 2048 and the tiles that chance adds.

use std::fmt;
use std::str::FromStr;

use crate::game::NotAMove;

/// The way all tiles slide. The numbers 0 to 3 are those that other 2048 programs use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// To the top row.
    Up = 0,
    /// To the last column.
    Right = 1,
    /// To the bottom row.
    Down = 2,
    /// To the first column.
    Left = 3,
}

impl Direction {
    /// All four, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];

    /// The order in which 2048-search tries them.
    pub const SEARCH: [Self; 4] = [Self::Down, Self::Right, Self::Up, Self::Left];

    /// The direction that a random word draws.
    #[inline]
    pub(super) fn drawn(word: u64) -> Self {
        match word >> 62 {
            0 => Self::Up,
            1 => Self::Right,
            2 => Self::Down,
            _ => Self::Left,
        }
    }

    #[inline]
    pub(super) fn is_vertical(self) -> bool {
        self as u8 & 1 == 0
    }

    /// Away from the first row or column?
    #[inline]
    pub(super) fn is_away(self) -> bool {
        matches!(self, Self::Right | Self::Down)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["up", "right", "down", "left"][*self as usize])
    }
}

impl FromStr for Direction {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Self, NotAMove> {
        Self::ALL
            .into_iter()
            .find(|direction| direction.to_string() == text)
            .ok_or_else(|| NotAMove::new(text, "up, right, down or left"))
    }
}

/// A new tile: written `2@7`, the tile and the cell it comes to, counted row by row from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spawn {
    /// Counted row by row from 0.
    pub cell: u8,
    /// 1 for a 2, 2 for a 4.
    pub exponent: u8,
}

impl fmt::Display for Spawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", 1 << self.exponent, self.cell)
    }
}

impl FromStr for Spawn {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Self, NotAMove> {
        let wrong = || NotAMove::new(text, "2@CELL or 4@CELL");
        let (tile, cell) = text.split_once('@').ok_or_else(wrong)?;
        let exponent = match tile {
            "2" => 1,
            "4" => 2,
            _ => return Err(wrong()),
        };
        Ok(Self {
            cell: cell.parse().map_err(|_| wrong())?,
            exponent,
        })
    }
}
