//! Tic-tac-toe: three in a line on a board of three by three.
//!
//! Two players take turns to mark an empty cell, x first. Three own marks in a row, a column or a diagonal win; a full board
//! without a line is a draw. Best play is a draw; there are 5,478 positions and 255,168 games
//! (<https://en.wikipedia.org/wiki/Tic-tac-toe>).
//!
//! Options: none. A move is the number of its cell, 1 to 9, row by row from the top.
//!
//! The board is nine bits a player; a line is one of eight masks.

use std::fmt;
use std::str::FromStr;

use crate::game::{Facts, Game, NoChance, NotAMove, PositionError, Turn};
use crate::options::{Options, RulesError};
use crate::registry::{AnyGame, Family};
use crate::sketch::{Cell, Sketch};
use streams::{Stream, below};

/// Tic-tac-toe in the registry.
pub const FAMILY: Family = Family::new(
    "tic-tac-toe",
    "Tic-tac-toe: mark cells in turn, three in a line win",
    &[],
    &[""],
    build,
);

fn build(_: &Options) -> Result<AnyGame, RulesError> {
    Ok(TicTacToe.into())
}

/// Rows and columns of the board.
const SIDE: usize = 3;
const CELLS: u8 = 9;
const FULL: u16 = (1 << CELLS) - 1;
/// Rows, columns and diagonals; bit i is cell i, row by row from the top.
const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];
const MARKS: [&str; 2] = ["x", "o"];

/// The game.
#[derive(Debug, Clone)]
pub struct TicTacToe;

/// The marks of both players. As text the rows from the top: `x.o/.x./...`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    marks: [u16; 2],
}

impl Position {
    fn plies(self) -> u32 {
        (self.marks[0] | self.marks[1]).count_ones()
    }

    fn empty(self) -> u16 {
        FULL & !(self.marks[0] | self.marks[1])
    }

    /// The seat whose mark is in this cell.
    fn seat(self, cell: usize) -> Option<u8> {
        (0..2).find(|&seat| self.marks[usize::from(seat)] & 1 << cell != 0)
    }

    fn has_line(self, seat: usize) -> bool {
        LINES.iter().any(|line| self.marks[seat] & line == *line)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seats: Vec<Option<u8>> = (0..SIDE * SIDE).map(|cell| self.seat(cell)).collect();
        write_rows(f, &seats)
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let mut marks = [0; 2];
        for (cell, seat) in read_rows(text)?.into_iter().enumerate() {
            if let Some(seat) = seat {
                marks[usize::from(seat)] |= 1 << cell;
            }
        }
        Ok(Self { marks })
    }
}

fn write_rows(f: &mut fmt::Formatter<'_>, seats: &[Option<u8>]) -> fmt::Result {
    let row = |row: &[Option<u8>]| -> String {
        let mark = |seat: &Option<u8>| seat.map_or(".", |seat| MARKS[usize::from(seat)]);
        row.iter().map(mark).collect()
    };
    let rows: Vec<String> = seats.chunks(SIDE).map(row).collect();
    f.write_str(&rows.join(if f.alternate() { "\n" } else { "/" }))
}

fn read_rows(text: &str) -> Result<Vec<Option<u8>>, PositionError> {
    let wrong = || PositionError(format!("'{text}'; expected three rows like x.o/.x./..."));
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != SIDE || rows.iter().any(|row| row.chars().count() != SIDE) {
        return Err(wrong());
    }
    let seat = |mark: char| match mark {
        '.' => Ok(None),
        'x' => Ok(Some(0)),
        'o' => Ok(Some(1)),
        _ => Err(wrong()),
    };
    rows.concat().chars().map(seat).collect()
}

/// A cell to mark, counted from 0; written from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark(pub u8);

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0 + 1).fmt(f)
    }
}

impl FromStr for Mark {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Self, NotAMove> {
        match text.parse() {
            Ok(number @ 1..=CELLS) => Ok(Self(number - 1)),
            _ => Err(NotAMove::new(text, "a cell from 1 to 9")),
        }
    }
}

/// A mark in a sketch.
fn drawn(seat: u8) -> Cell {
    Cell::new(MARKS[usize::from(seat)], seat + 1)
}

impl Game for TicTacToe {
    type Position = Position;
    type Move = Mark;
    type Chance = NoChance;
    type Key = Position;

    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn options(&self) -> Options {
        Options::default()
    }

    fn seats(&self) -> u8 {
        2
    }

    fn most_moves(&self) -> Option<u64> {
        Some((SIDE * SIDE) as u64)
    }

    fn start(&self) -> Position {
        Position { marks: [0; 2] }
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        let to_move = (position.plies() % 2) as u8;
        if position.empty() == 0 || position.has_line(usize::from(1 - to_move)) {
            Turn::Over
        } else {
            Turn::Player(to_move)
        }
    }

    fn moves(&self, position: &Position, moves: &mut Vec<Mark>) {
        moves.clear();
        if self.turn(position) != Turn::Over {
            let empty = position.empty();
            moves.extend((0..CELLS).filter(|cell| empty & 1 << cell != 0).map(Mark));
        }
    }

    #[inline]
    fn play_unchecked(&self, position: &mut Position, Mark(cell): Mark) {
        position.marks[(position.plies() % 2) as usize] |= 1 << cell;
    }

    fn chances(&self, _: &Position, chances: &mut Vec<(NoChance, f64)>) {
        chances.clear();
    }

    fn happen(&self, _: &mut Position, chance: NoChance) {
        match chance {}
    }

    fn draw(&self, _: &mut Position, _: &mut Stream) -> NoChance {
        unreachable!("tic-tac-toe has no chance")
    }

    fn score(&self, position: &Position) -> i64 {
        i64::from(position.has_line(0)) - i64::from(position.has_line(1))
    }

    fn key(&self, position: &Position) -> Position {
        *position
    }

    fn facts(&self, _: &Position) -> Facts {
        Facts::new()
    }

    fn sketch(&self, position: &Position) -> Sketch {
        Sketch::new(SIDE, SIDE, |row, col| {
            position.seat(row * SIDE + col).map(drawn)
        })
    }

    fn tones(&self, position: &Position, tones: &mut Vec<u8>) {
        tones.clear();
        let seats = (0..SIDE * SIDE).map(|cell| position.seat(cell));
        tones.extend(seats.map(|seat| seat.map_or(0, |seat| seat + 1)));
    }

    fn check(&self, position: &Position) -> Result<(), PositionError> {
        let [x, o] = position.marks.map(u16::count_ones);
        if x != o && x != o + 1 {
            return Err(PositionError(format!(
                "there are {x} x and {o} o; x begins and they take turns"
            )));
        }
        // The player to move has not won: the other would not have moved.
        if position.has_line((position.plies() % 2) as usize) {
            return Err(PositionError("somebody moved after the end".to_owned()));
        }
        Ok(())
    }

    #[inline]
    fn random_move(&self, position: &Position, rng: &mut Stream) -> Mark {
        let mut empty = position.empty();
        for _ in 0..below(rng, empty.count_ones()) {
            empty &= empty - 1;
        }
        Mark(empty.trailing_zeros() as u8)
    }
}

/// The plain twin: nine cells, lines found by looking at each.
#[derive(Debug, Clone, Copy)]
pub struct Plain;

/// Cells row by row from the top, each with the seat that marked it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Grid(Vec<Option<u8>>);

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_rows(f, &self.0)
    }
}

impl FromStr for Grid {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        read_rows(text).map(Self)
    }
}

impl Plain {
    /// The plain game.
    #[must_use]
    pub fn twin(_: &TicTacToe) -> Self {
        Self
    }

    fn has_line(grid: &Grid, seat: u8) -> bool {
        let own = |row: usize, col: usize| grid.0[row * SIDE + col] == Some(seat);
        let along = 0..SIDE;
        let rows = along
            .clone()
            .any(|row| along.clone().all(|col| own(row, col)));
        let cols = along
            .clone()
            .any(|col| along.clone().all(|row| own(row, col)));
        let falling = along.clone().all(|place| own(place, place));
        let rising = along.clone().all(|place| own(place, SIDE - 1 - place));
        rows || cols || falling || rising
    }

    fn to_move(grid: &Grid) -> u8 {
        (grid.0.iter().flatten().count() % 2) as u8
    }
}

impl Game for Plain {
    type Position = Grid;
    type Move = Mark;
    type Chance = NoChance;
    type Key = Grid;

    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn options(&self) -> Options {
        Options::default()
    }

    fn seats(&self) -> u8 {
        2
    }

    fn most_moves(&self) -> Option<u64> {
        Some((SIDE * SIDE) as u64)
    }

    fn start(&self) -> Grid {
        Grid(vec![None; SIDE * SIDE])
    }

    fn turn(&self, grid: &Grid) -> Turn {
        let is_full = grid.0.iter().all(Option::is_some);
        if is_full || Self::has_line(grid, 0) || Self::has_line(grid, 1) {
            Turn::Over
        } else {
            Turn::Player(Self::to_move(grid))
        }
    }

    fn moves(&self, grid: &Grid, moves: &mut Vec<Mark>) {
        moves.clear();
        if self.turn(grid) != Turn::Over {
            let empty = (0..CELLS).filter(|&cell| grid.0[usize::from(cell)].is_none());
            moves.extend(empty.map(Mark));
        }
    }

    fn play_unchecked(&self, grid: &mut Grid, Mark(cell): Mark) {
        grid.0[usize::from(cell)] = Some(Self::to_move(grid));
    }

    fn chances(&self, _: &Grid, chances: &mut Vec<(NoChance, f64)>) {
        chances.clear();
    }

    fn happen(&self, _: &mut Grid, chance: NoChance) {
        match chance {}
    }

    fn draw(&self, _: &mut Grid, _: &mut Stream) -> NoChance {
        unreachable!("tic-tac-toe has no chance")
    }

    fn score(&self, grid: &Grid) -> i64 {
        i64::from(Self::has_line(grid, 0)) - i64::from(Self::has_line(grid, 1))
    }

    fn key(&self, grid: &Grid) -> Grid {
        grid.clone()
    }

    fn facts(&self, _: &Grid) -> Facts {
        Facts::new()
    }

    fn sketch(&self, grid: &Grid) -> Sketch {
        Sketch::new(SIDE, SIDE, |row, col| grid.0[row * SIDE + col].map(drawn))
    }

    fn check(&self, _: &Grid) -> Result<(), PositionError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perft::distinct;

    /// Positions after each number of moves; together the 5,478 of the file's head.
    #[test]
    fn there_are_as_many_positions_as_is_known() {
        let counts = (0..=9).map(|depth| distinct(&TicTacToe, &TicTacToe.start(), depth));
        assert_eq!(counts.sum::<u128>(), 5_478);
    }

    #[test]
    fn impossible_positions_are_refused() {
        for text in ["xx./.../...", "xxx/oo./o..", "oo./.../..."] {
            let position: Position = text.parse().expect("a board");
            assert!(TicTacToe.check(&position).is_err(), "{text}");
        }
    }
}
