//! Connect-N on a plain grid, written to be obviously right. Tests and `gamete bench` compare with it.

use std::fmt;
use std::str::FromStr;

use super::{Bits, Column, Connect, FAMILY, Rules, stone};
use crate::game::{Facts, Game, NoChance, PositionError, Turn};
use crate::options::Options;
use crate::registry::Family;
use crate::sketch::Sketch;
use streams::{Stream, below};

/// Connect-N with its rules fixed, on a grid of cells.
#[derive(Debug, Clone)]
pub struct Plain {
    rules: Rules,
}

/// Rows of cells, the lowest first; a cell holds the seat whose stone it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    cells: Vec<Vec<Option<u8>>>,
}

impl Plain {
    /// The plain game with the rules of `fast`.
    #[must_use]
    pub fn twin<B: Bits>(fast: &Connect<B>) -> Self {
        Self {
            rules: fast.rules(),
        }
    }

    fn has_line(&self, grid: &Grid, seat: u8) -> bool {
        let (rows, cols) = (i32::from(self.rules.rows), i32::from(self.rules.cols));
        let own = |row: i32, column: i32| {
            (0..rows).contains(&row)
                && (0..cols).contains(&column)
                && grid.cells[row as usize][column as usize] == Some(seat)
        };
        let line = |row: i32, column: i32, up: i32, right: i32| {
            (0..i32::from(self.rules.connect))
                .all(|step| own(row + up * step, column + right * step))
        };
        (0..rows).any(|row| {
            (0..cols).any(|column| {
                [(1, 0), (0, 1), (1, 1), (-1, 1)]
                    .iter()
                    .any(|&(up, right)| line(row, column, up, right))
            })
        })
    }

    fn lowest_empty(grid: &Grid, column: u8) -> Option<usize> {
        grid.cells
            .iter()
            .position(|row| row[usize::from(column)].is_none())
    }
}

impl Grid {
    fn plies(&self) -> u32 {
        self.cells
            .iter()
            .flatten()
            .filter(|cell| cell.is_some())
            .count() as u32
    }
}

impl Game for Plain {
    type Position = Grid;
    type Move = Column;
    type Chance = NoChance;
    type Key = Grid;

    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn options(&self) -> Options {
        self.rules.to_options()
    }

    fn seats(&self) -> u8 {
        2
    }

    fn most_moves(&self) -> Option<u64> {
        Some(self.rules.longest_game().into())
    }

    fn start(&self) -> Grid {
        Grid {
            cells: vec![vec![None; usize::from(self.rules.cols)]; usize::from(self.rules.rows)],
        }
    }

    fn turn(&self, grid: &Grid) -> Turn {
        let full = grid.cells.iter().flatten().all(Option::is_some);
        let used_up = grid.plies() == 2 * u32::from(self.rules.pieces);
        if full || used_up || self.has_line(grid, 0) || self.has_line(grid, 1) {
            Turn::Over
        } else {
            Turn::Player((grid.plies() % 2) as u8)
        }
    }

    fn moves(&self, grid: &Grid, moves: &mut Vec<Column>) {
        moves.clear();
        if self.turn(grid) != Turn::Over {
            let columns =
                (0..self.rules.cols).filter(|&column| Self::lowest_empty(grid, column).is_some());
            moves.extend(columns.map(Column));
        }
    }

    fn play_unchecked(&self, grid: &mut Grid, Column(column): Column) {
        let seat = (grid.plies() % 2) as u8;
        if let Some(row) = Self::lowest_empty(grid, column) {
            grid.cells[row][usize::from(column)] = Some(seat);
        }
    }

    fn chances(&self, _: &Grid, chances: &mut Vec<(NoChance, f64)>) {
        chances.clear();
    }

    fn happen(&self, _: &mut Grid, chance: NoChance) {
        match chance {}
    }

    fn draw(&self, _: &mut Grid, _: &mut Stream) -> NoChance {
        unreachable!("no turn of Connect-N is chance's")
    }

    fn score(&self, grid: &Grid) -> i64 {
        i64::from(self.has_line(grid, 0)) - i64::from(self.has_line(grid, 1))
    }

    fn key(&self, grid: &Grid) -> Grid {
        grid.clone()
    }

    fn facts(&self, _: &Grid) -> Facts {
        Facts::new()
    }

    fn sketch(&self, grid: &Grid) -> Sketch {
        let top_down: Vec<&Vec<Option<u8>>> = grid.cells.iter().rev().collect();
        Sketch::new(self.rules.rows, self.rules.cols, |row, col| {
            top_down[row][col].map(stone)
        })
    }

    fn check(&self, grid: &Grid) -> Result<(), PositionError> {
        if self.has_line(grid, 0) && self.has_line(grid, 1) {
            return Err(PositionError("both have won".to_owned()));
        }
        Ok(())
    }

    fn random_move(&self, grid: &Grid, rng: &mut Stream) -> Column {
        loop {
            let column = below(rng, u32::from(self.rules.cols)) as u8;
            if Self::lowest_empty(grid, column).is_some() {
                return Column(column);
            }
        }
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |row: &Vec<Option<u8>>| -> String {
            row.iter()
                .map(|cell| cell.map_or('.', |seat| ['x', 'o'][usize::from(seat)]))
                .collect()
        };
        f.write_str(
            &self
                .cells
                .iter()
                .rev()
                .map(row)
                .collect::<Vec<_>>()
                .join("/"),
        )
    }
}

impl FromStr for Grid {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let cell = |stone: char| match stone {
            '.' => Ok(None),
            'x' => Ok(Some(0)),
            'o' => Ok(Some(1)),
            _ => Err(PositionError(format!("'{stone}'"))),
        };
        let row = |row: &str| row.chars().map(cell).collect::<Result<Vec<_>, _>>();
        let mut cells = text.split('/').map(row).collect::<Result<Vec<_>, _>>()?;
        cells.reverse();
        Ok(Self { cells })
    }
}
