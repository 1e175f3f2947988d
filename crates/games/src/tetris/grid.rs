//! A position on plain rows of cells: the board of the plain game.

use std::fmt;
use std::str::FromStr;

use super::clears::Clears;
use super::piece::Piece;
use super::text::Text;
use crate::game::PositionError;

/// Cells as (column, row).
pub(super) type Cells = Vec<(usize, usize)>;

/// Rows of cells, the lowest first, and the pieces known, in the bag and placed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    pub(super) rows: Vec<Vec<bool>>,
    pub(super) queue: Vec<Piece>,
    pub(super) bag: Vec<Piece>,
    pub(super) held: Option<Piece>,
    pub(super) pieces: u64,
    pub(super) clears: Clears,
}

impl Grid {
    pub(super) fn height(&self) -> i32 {
        self.rows
            .iter()
            .rposition(|row| row.contains(&true))
            .map_or(0, |row| row as i32 + 1)
    }

    pub(super) fn holes(&self) -> i32 {
        let mut holes = 0;
        for column in 0..self.rows[0].len() {
            let mut covered = false;
            for row in self.rows.iter().rev() {
                holes += i32::from(covered && !row[column]);
                covered |= row[column];
            }
        }
        holes
    }

    /// Moves all cells that are not connected to the floor down by one. False if there is none.
    pub(super) fn let_fall(&mut self) -> bool {
        let grounded = self.grounded();
        let mut fell = false;
        for (row, stays) in grounded.iter().enumerate() {
            for (column, stays) in stays.iter().enumerate() {
                if self.rows[row][column] && !stays {
                    self.rows[row][column] = false;
                    self.rows[row - 1][column] = true;
                    fell = true;
                }
            }
        }
        fell
    }

    /// The cells connected to the floor, found by walking from it.
    fn grounded(&self) -> Vec<Vec<bool>> {
        let (height, width) = (self.rows.len(), self.rows[0].len());
        let mut grounded = vec![vec![false; width]; height];
        let mut to_visit: Cells = (0..width).map(|column| (column, 0)).collect();
        while let Some((column, row)) = to_visit.pop() {
            if self.rows[row][column] && !grounded[row][column] {
                grounded[row][column] = true;
                let beside = [(column + 1, row), (column, row + 1)];
                let before = [(column.wrapping_sub(1), row), (column, row.wrapping_sub(1))];
                let all = beside.into_iter().chain(before);
                to_visit.extend(all.filter(|cell| cell.0 < width && cell.1 < height));
            }
        }
        grounded
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            rows,
            queue,
            bag,
            held,
            pieces,
            clears,
        } = self.clone();
        Text {
            rows,
            queue,
            bag,
            held,
            pieces,
            clears,
        }
        .fmt(f)
    }
}

impl FromStr for Grid {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let Text {
            rows,
            queue,
            bag,
            held,
            pieces,
            clears,
        } = text.parse()?;
        Ok(Self {
            rows,
            queue,
            bag,
            held,
            pieces,
            clears,
        })
    }
}
