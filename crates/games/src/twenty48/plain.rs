//! 2048 on a plain grid, written to be obviously right. Tests and `gamete bench` compare with it.

use std::fmt;
use std::str::FromStr;

use rand_core::Rng;

use super::{Direction, FAMILY, Rules, Spawn, Twenty48, Variant};
use crate::game::{Fact, Facts, Game, PositionError, Turn};
use crate::options::Options;
use crate::registry::Family;
use crate::sketch::{Cell, Sketch};
use streams::{Stream, below_given, threshold};

/// 2048 with its rules fixed, on a grid of tile values.
#[derive(Debug, Clone)]
pub struct Plain {
    rules: Rules,
}

/// Rows of tiles (0 is empty), and the score as it was earned.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    tiles: Vec<Vec<u64>>,
    earned: u64,
    fours: u32,
    due: u8,
}

impl Plain {
    /// The plain game with the rules of `fast`.
    #[must_use]
    pub fn twin(fast: &Twenty48) -> Self {
        Self {
            rules: fast.rules(),
        }
    }

    /// Slides one line towards its start; returns it with the value of all merges.
    fn slide(&self, line: &[u64]) -> (Vec<u64>, u64) {
        let mut result: Vec<u64> = Vec::new();
        let mut earned = 0;
        let mut made_in_this_move = false;
        for &arriving in line.iter().filter(|&&tile| tile > 0) {
            let mut tile = arriving;
            let mut merged = false;
            while result.last() == Some(&tile)
                && (self.rules.variant == Variant::Fer || (!made_in_this_move && !merged))
            {
                result.pop();
                tile *= 2;
                earned += tile;
                merged = true;
            }
            result.push(tile);
            made_in_this_move = merged;
        }
        result.resize(line.len(), 0);
        (result, earned)
    }

    fn slid(&self, grid: &Grid, direction: Direction) -> Grid {
        let mut result = grid.clone();
        let (rows, cols) = (usize::from(self.rules.rows), usize::from(self.rules.cols));
        let vertical = matches!(direction, Direction::Up | Direction::Down);
        for line in 0..if vertical { cols } else { rows } {
            let mut cells: Vec<(usize, usize)> = if vertical {
                (0..rows).map(|row| (row, line)).collect()
            } else {
                (0..cols).map(|column| (line, column)).collect()
            };
            if matches!(direction, Direction::Right | Direction::Down) {
                cells.reverse();
            }
            let tiles: Vec<u64> = cells
                .iter()
                .map(|&(row, column)| grid.tiles[row][column])
                .collect();
            let (slid, earned) = self.slide(&tiles);
            for (&(row, column), tile) in cells.iter().zip(slid) {
                result.tiles[row][column] = tile;
            }
            result.earned += earned;
        }
        result
    }

    fn is_legal(&self, grid: &Grid, direction: Direction) -> bool {
        self.rules.variant == Variant::Fer || self.slid(grid, direction).tiles != grid.tiles
    }

    fn empty_cells(&self, grid: &Grid) -> Vec<u8> {
        let tiles = grid.tiles.iter().flatten().zip(0..);
        tiles
            .filter(|&(&tile, _)| tile == 0)
            .map(|(_, cell)| cell)
            .collect()
    }

    fn highest(grid: &Grid) -> u64 {
        grid.tiles.iter().flatten().copied().max().unwrap_or(0)
    }
}

impl Game for Plain {
    type Position = Grid;
    type Move = Direction;
    type Chance = Spawn;
    type Key = Grid;

    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn options(&self) -> Options {
        self.rules.to_options()
    }

    fn seats(&self) -> u8 {
        1
    }

    fn start(&self) -> Grid {
        let tiles = vec![vec![0; usize::from(self.rules.cols)]; usize::from(self.rules.rows)];
        Grid {
            tiles,
            earned: 0,
            fours: 0,
            due: 2,
        }
    }

    fn turn(&self, grid: &Grid) -> Turn {
        if self.rules.stop_at_win && Self::highest(grid) >= 1 << self.rules.win {
            return Turn::Over;
        }
        if grid.due > 0 {
            return if self.empty_cells(grid).is_empty() {
                Turn::Over
            } else {
                Turn::Chance
            };
        }
        let any_legal = Direction::ALL
            .iter()
            .any(|&direction| self.is_legal(grid, direction));
        if any_legal {
            Turn::Player(0)
        } else {
            Turn::Over
        }
    }

    fn moves(&self, grid: &Grid, moves: &mut Vec<Direction>) {
        moves.clear();
        if self.turn(grid) == Turn::Player(0) {
            moves.extend(
                Direction::ALL
                    .iter()
                    .filter(|&&direction| self.is_legal(grid, direction)),
            );
        }
    }

    fn moves_to_search(&self, grid: &Grid, moves: &mut Vec<Direction>) {
        self.moves(grid, moves);
        moves.sort_by_key(|chosen| Direction::SEARCH.iter().position(|known| known == chosen));
    }

    fn play_unchecked(&self, grid: &mut Grid, chosen: Direction) {
        *grid = self.slid(grid, chosen);
        grid.due = 1;
    }

    fn chances(&self, grid: &Grid, chances: &mut Vec<(Spawn, f64)>) {
        chances.clear();
        if self.turn(grid) != Turn::Chance {
            return;
        }
        let cells = self.empty_cells(grid);
        let share = 1.0 / cells.len() as f64;
        for cell in cells {
            chances.push((Spawn { cell, exponent: 1 }, (1.0 - self.rules.four) * share));
            chances.push((Spawn { cell, exponent: 2 }, self.rules.four * share));
        }
        chances.retain(|&(_, probability)| probability > 0.0);
    }

    fn happen(&self, grid: &mut Grid, Spawn { cell, exponent }: Spawn) {
        let cols = usize::from(self.rules.cols);
        grid.tiles[usize::from(cell) / cols][usize::from(cell) % cols] = 1 << exponent;
        grid.fours += u32::from(exponent == 2);
        grid.due -= 1;
    }

    fn draw(&self, grid: &mut Grid, rng: &mut Stream) -> Spawn {
        let cells = self.empty_cells(grid);
        let word = rng.next_u64();
        let chosen = below_given((word >> 32) as u32, rng, cells.len() as u32);
        let is_four = (word & 0xffff_ffff) < threshold(self.rules.four);
        let spawn = Spawn {
            cell: cells[chosen as usize],
            exponent: if is_four { 2 } else { 1 },
        };
        self.happen(grid, spawn);
        spawn
    }

    fn score(&self, grid: &Grid) -> i64 {
        match self.rules.variant {
            Variant::Standard => grid.earned as i64,
            Variant::Fer => grid.tiles.iter().flatten().sum::<u64>() as i64,
        }
    }

    fn key(&self, grid: &Grid) -> Grid {
        Grid {
            earned: 0,
            fours: 0,
            ..grid.clone()
        }
    }

    fn facts(&self, grid: &Grid) -> Facts {
        let highest = Self::highest(grid);
        [
            ("won", Fact::Flag(highest >= 1 << self.rules.win)),
            ("highest_tile", Fact::Class(highest)),
        ]
        .into_iter()
        .collect()
    }

    fn sketch(&self, grid: &Grid) -> Sketch {
        Sketch::new(self.rules.rows, self.rules.cols, |row, col| {
            let tile = grid.tiles[row][col];
            (tile > 0).then(|| Cell::new(tile.to_string(), tile.ilog2() as u8))
        })
    }

    fn check(&self, grid: &Grid) -> Result<(), PositionError> {
        let size = usize::from(self.rules.rows) * usize::from(self.rules.cols);
        if grid.tiles.iter().flatten().count() == size {
            Ok(())
        } else {
            Err(PositionError("wrong size".to_owned()))
        }
    }

    fn random_move(&self, grid: &Grid, rng: &mut Stream) -> Direction {
        loop {
            let direction = Direction::ALL[(rng.next_u32() >> 30) as usize];
            if self.is_legal(grid, direction) {
                return direction;
            }
        }
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exponent = |&tile: &u64| if tile == 0 { 0 } else { tile.ilog2() };
        let digit = |tile: &u64| char::from_digit(exponent(tile), 36).unwrap_or('?');
        let row = |row: &Vec<u64>| row.iter().map(digit).collect::<String>();
        f.write_str(&self.tiles.iter().map(row).collect::<Vec<_>>().join("/"))?;
        if self.fours > 0 {
            write!(f, " fours {}", self.fours)?;
        }
        if self.due > 0 {
            write!(f, " due {}", self.due)?;
        }
        Ok(())
    }
}

impl FromStr for Grid {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let wrong = || PositionError(text.to_owned());
        let mut words = text.split_whitespace();
        let tile = |digit: char| {
            let exponent = digit.to_digit(32).ok_or_else(wrong)?;
            Ok(if exponent == 0 { 0 } else { 1 << exponent })
        };
        let row = |row: &str| row.chars().map(tile).collect::<Result<Vec<u64>, _>>();
        let rows = words.next().ok_or_else(wrong)?.split('/').map(row);
        let mut grid = Self {
            tiles: rows.collect::<Result<_, _>>()?,
            earned: 0,
            fours: 0,
            due: 0,
        };
        while let (Some(name), Some(number)) = (words.next(), words.next()) {
            let number: u32 = number.parse().map_err(|_| wrong())?;
            match name {
                "fours" => grid.fours = number,
                _ => grid.due = number as u8,
            }
        }
        let value = |tile: &u64| {
            if *tile == 0 {
                0
            } else {
                (u64::from(tile.ilog2()) - 1) * tile
            }
        };
        let merged: u64 = grid.tiles.iter().flatten().map(value).sum();
        grid.earned = merged.saturating_sub(4 * u64::from(grid.fours));
        Ok(grid)
    }
}
