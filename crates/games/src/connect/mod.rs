//! Connect-N on a board of M rows and N columns: C in a line win, each player has P pieces.
//!
//! Two players take turns to drop a piece into a column that is not full. C own pieces in a straight
//! line (row, column or diagonal) win. The game is drawn when the board is full or both players have
//! used up their pieces. M=6, N=7, C=4, P=21 is the well-known game.
//!
//! Options: `rows` (6), `cols` (7), `connect` (4), `pieces` (enough to fill the board); any board of up
//! to 128 cells.
//!
//! The board is one bit per cell, without spare rows. A line of C in direction d starts only at cells
//! from which it fits; `b & b >> d & b >> 2d ...` masked with those start cells finds all lines at once,
//! so boards need not be square and C need not be 4.

mod bits;
mod plain;
mod position;
mod rules;

pub use bits::Bits;
pub use plain::Plain;
pub use position::{Column, Position};
pub use rules::{MAX_CELLS, Rules};

use crate::game::{Facts, Game, Generators, NoChance, PositionError, Turn};
use crate::options::{Options, RulesError};
use crate::registry::{AnyGame, Family};
use crate::sketch::{Cell, Sketch};
use streams::{Stream, below};

/// Connect-N in the registry.
pub const FAMILY: Family = Family::new(
    "connect",
    "Connect-N: drop pieces, C in a line win; any board up to 128 cells",
    rules::OPTIONS,
    &[
        "",
        "rows=4 cols=5 connect=3",
        "rows=3 cols=3 connect=3 pieces=2",
        "rows=1 cols=6 connect=2",
        "rows=7 cols=2 connect=5",
        "rows=8 cols=8 connect=4",
        "rows=9 cols=10 connect=5 pieces=30",
        "rows=2 cols=64 connect=7",
        "rows=16 cols=8 connect=6",
    ],
    build,
);

fn build(options: &Options) -> Result<AnyGame, RulesError> {
    let rules = Rules::from_options(options)?;
    Ok(if rules.cells() <= u64::BITS {
        Connect::<u64>::new(rules).into()
    } else {
        Connect::<u128>::new(rules).into()
    })
}

/// Lines in the four directions: the step from cell to cell, and the cells where a line of C may start.
/// A direction without lines has no such cell, and steps nowhere.
///
/// Side by side, so that all four are looked at at once.
#[derive(Debug, Clone, Copy)]
struct Lines<B> {
    steps: [u32; 4],
    starts: [B; 4],
}

/// Connect-N with its rules fixed, on a board of the word `B`.
#[derive(Debug, Clone)]
pub struct Connect<B> {
    rules: Rules,
    lines: Lines<B>,
    board: B,
    bottom: B,
    columns: Vec<B>,
}

impl<B: Bits> Connect<B> {
    /// The game with these rules, which must fit the word.
    ///
    /// # Panics
    /// If the board has more cells than `B` has bits.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        assert!(rules.cells() <= B::BITS, "the board does not fit the word");
        Self {
            rules,
            lines: lines(rules),
            board: cells(rules, |_, _| true),
            bottom: cells(rules, |row, _| row == 0),
            columns: (0..u32::from(rules.cols))
                .map(|own| cells(rules, |_, column| column == own))
                .collect(),
        }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The cell on top of each column that is not full.
    #[inline]
    #[must_use]
    pub fn playable(&self, position: &Position<B>) -> B {
        self.on_top(position.occupied())
    }

    /// The cell on top of each column that is not full, where these are occupied.
    #[inline]
    #[must_use]
    pub fn on_top(&self, occupied: B) -> B {
        // Stones lie without gaps, so above each stone and on the floor; a column's top stone shifts
        // onto the next column's floor, which is in the set anyway.
        ((occupied << 1) | self.bottom) & !occupied & self.board
    }

    /// Do these stones contain a line of C?
    #[inline]
    #[must_use]
    pub fn has_line(&self, stones: B) -> bool {
        let connect = u32::from(self.rules.connect);
        let mut runs = [stones; 4];
        let mut shorten = |length: u32| {
            for (run, step) in runs.iter_mut().zip(self.lines.steps) {
                *run &= *run >> (length * step);
            }
        };
        let mut length = 1;
        while 2 * length <= connect {
            shorten(length);
            length *= 2;
        }
        if length < connect {
            shorten(connect - length);
        }
        let lines = runs.into_iter().zip(self.lines.starts);
        let found = lines.fold(B::ZERO, |found, (run, starts)| found | (run & starts));
        !found.is_empty()
    }

    /// The cells, empty or not, that complete a line of C with these stones.
    #[inline]
    #[must_use]
    pub fn completing(&self, stones: B) -> B {
        let connect = u32::from(self.rules.connect);
        let mut all = B::ZERO;
        for (step, starts) in self.directions() {
            for missing in 0..connect {
                let mut run = starts;
                for place in (0..connect).filter(|&place| place != missing) {
                    run &= stones >> (place * step);
                }
                all |= run << (missing * step);
            }
        }
        all
    }

    /// The cells of each column.
    #[must_use]
    pub fn columns(&self) -> &[B] {
        &self.columns
    }

    /// Every line of C cells on the board.
    #[must_use]
    pub fn all_lines(&self) -> Vec<B> {
        let cells = 0..self.rules.cells();
        let lines = self.directions().flat_map(|(step, starts)| {
            let starts = cells
                .clone()
                .filter(move |&cell| !(starts & B::bit(cell)).is_empty());
            starts.map(move |start| {
                let line = (0..u32::from(self.rules.connect)).map(|place| start + place * step);
                line.fold(B::ZERO, |line, cell| line | B::bit(cell))
            })
        });
        lines.collect()
    }

    /// The position after these moves from the start, e.g. `4453`; columns beyond 9 need a gap or a
    /// dash between all of them (`10-3-10`).
    pub fn position_after(&self, columns: &str) -> Result<Position<B>, PositionError> {
        let apart = columns.contains(|c: char| c == '-' || c == ',' || c.is_whitespace());
        let words: Vec<String> = if apart {
            columns
                .split(|c: char| !c.is_ascii_digit())
                .filter(|w| !w.is_empty())
                .map(str::to_owned)
                .collect()
        } else {
            columns.chars().map(String::from).collect()
        };
        let mut position = self.start();
        for (place, word) in words.iter().enumerate() {
            let wrong =
                |why: String| PositionError(format!("move {} ('{word}'): {why}", place + 1));
            let column: Column = word.parse().map_err(|error| wrong(format!("{error}")))?;
            if self.turn(&position) == Turn::Over {
                return Err(wrong("the game is over before it".to_owned()));
            }
            self.play(&mut position, column)
                .map_err(|error| wrong(error.to_string()))?;
        }
        Ok(position)
    }

    /// The seat that has a line, if one has.
    #[must_use]
    pub fn winner(&self, position: &Position<B>) -> Option<u8> {
        (0..2).find(|&seat| self.has_line(position.stones(seat)))
    }

    /// The step and the starts of every direction that has lines.
    #[inline]
    fn directions(&self) -> impl Iterator<Item = (u32, B)> {
        let directions = self.lines.steps.into_iter().zip(self.lines.starts);
        directions.filter(|(_, starts)| !starts.is_empty())
    }

    fn cell_on_top(&self, occupied: B, column: usize) -> B {
        let own = self.columns[column];
        occupied.plus(self.bottom & own) & own
    }

    /// A column drawn from all until one is not full.
    #[inline]
    fn random_cell(&self, occupied: B, rng: &mut Stream) -> (usize, B) {
        loop {
            let column = below(rng, self.columns.len() as u32) as usize;
            let cell = self.cell_on_top(occupied, column);
            if !cell.is_empty() {
                return (column, cell);
            }
        }
    }
}

/// The cells for whose row and column `keep` holds.
fn cells<B: Bits>(rules: Rules, keep: impl Fn(u32, u32) -> bool) -> B {
    let rows = u32::from(rules.rows);
    (0..rules.cells())
        .filter(|cell| keep(cell % rows, cell / rows))
        .fold(B::ZERO, |set, cell| set | B::bit(cell))
}

fn lines<B: Bits>(rules: Rules) -> Lines<B> {
    let (rows, cols, connect) = (
        u32::from(rules.rows),
        u32::from(rules.cols),
        u32::from(rules.connect),
    );
    let up = |row: u32| row + connect <= rows;
    let down = |row: u32| row + 1 >= connect;
    let right = |column: u32| column + connect <= cols;
    let starts: [B; 4] = [
        cells(rules, |row, _| up(row)),
        cells(rules, |_, column| right(column)),
        cells(rules, |row, column| up(row) && right(column)),
        cells(rules, |row, column| down(row) && right(column)),
    ];
    let mut steps = [1, rows, rows + 1, rows - 1];
    for (step, starts) in steps.iter_mut().zip(starts) {
        if starts.is_empty() {
            *step = 0;
        }
    }
    Lines { steps, starts }
}

/// A stone in a sketch.
fn stone(seat: u8) -> Cell {
    Cell::new(["x", "o"][usize::from(seat)], seat + 1)
}

impl<B: Bits> Game for Connect<B> {
    type Position = Position<B>;
    type Move = Column;
    type Chance = NoChance;
    type Key = [B; 2];

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

    fn start(&self) -> Position<B> {
        Position::empty(self.rules.rows, self.rules.cols)
    }

    #[inline]
    fn turn(&self, position: &Position<B>) -> Turn {
        let plies = position.plies();
        let to_move = (plies % 2) as u8;
        if plies == self.rules.longest_game() || self.has_line(position.stones(1 - to_move)) {
            Turn::Over
        } else {
            Turn::Player(to_move)
        }
    }

    fn moves(&self, position: &Position<B>, moves: &mut Vec<Column>) {
        moves.clear();
        if self.turn(position) == Turn::Over {
            return;
        }
        let mut playable = self.playable(position);
        while !playable.is_empty() {
            let cell = playable.lowest();
            moves.push(Column((cell / u32::from(self.rules.rows)) as u8));
            playable &= !B::bit(cell);
        }
    }

    #[inline]
    fn play_unchecked(&self, position: &mut Position<B>, Column(column): Column) {
        let to_move = (position.plies() % 2) as usize;
        position.stones[to_move] |= self.cell_on_top(position.occupied(), usize::from(column));
    }

    fn chances(&self, _: &Position<B>, chances: &mut Vec<(NoChance, f64)>) {
        chances.clear();
    }

    fn happen(&self, _: &mut Position<B>, chance: NoChance) {
        match chance {}
    }

    fn draw(&self, _: &mut Position<B>, _: &mut Stream) -> NoChance {
        unreachable!("no turn of Connect-N is chance's")
    }

    fn score(&self, position: &Position<B>) -> i64 {
        match self.winner(position) {
            Some(0) => 1,
            Some(_) => -1,
            None => 0,
        }
    }

    fn key(&self, position: &Position<B>) -> [B; 2] {
        position.stones
    }

    fn facts(&self, _: &Position<B>) -> Facts {
        // The result is all there is, which every game for two reports anyway.
        Facts::new()
    }

    fn sketch(&self, position: &Position<B>) -> Sketch {
        let Rules { rows, cols, .. } = self.rules;
        Sketch::new(rows, cols, |row, col| {
            let seat = position.stone(rows - 1 - row as u8, col as u8)?;
            Some(stone(seat))
        })
    }

    fn tones(&self, position: &Position<B>, tones: &mut Vec<u8>) {
        let Rules { rows, cols, .. } = self.rules;
        let cells = (0..rows)
            .rev()
            .flat_map(|row| (0..cols).map(move |column| (row, column)));
        tones.clear();
        tones.extend(
            cells.map(|(row, column)| position.stone(row, column).map_or(0, |seat| seat + 1)),
        );
    }

    fn check(&self, position: &Position<B>) -> Result<(), PositionError> {
        let refuse = |why: String| Err(PositionError(why));
        let Rules {
            rows, cols, pieces, ..
        } = self.rules;
        if (position.rows, position.cols) != (rows, cols) {
            return refuse(format!(
                "the board is {}x{} and should be {rows}x{cols} (rows x columns)",
                position.rows, position.cols
            ));
        }
        let floating =
            position.occupied() & !self.bottom & !((position.occupied() << 1) & !self.bottom);
        if !floating.is_empty() {
            let (column, row) = (
                floating.lowest() / u32::from(rows),
                floating.lowest() % u32::from(rows),
            );
            return refuse(format!(
                "the stone in column {}, row {} from below, floats",
                column + 1,
                row + 1
            ));
        }
        let [first, second] = position.stones.map(B::count);
        if first != second && first != second + 1 {
            return refuse(format!(
                "x has {first} stones and o {second}; x begins and they take turns"
            ));
        }
        if first > u32::from(pieces) {
            return refuse(format!("x has {first} stones; each player has {pieces}"));
        }
        self.check_lines(position)
    }

    #[inline]
    fn random_move(&self, position: &Position<B>, rng: &mut Stream) -> Column {
        Column(self.random_cell(position.occupied(), rng).0 as u8)
    }

    fn playout(&self, position: &mut Position<B>, rngs: &mut impl Generators) -> u32 {
        if self.turn(position) == Turn::Over {
            return 0;
        }
        let before = position.plies();
        let longest = self.rules.longest_game();
        let mut plies = before;
        let mut occupied = position.occupied();
        loop {
            let mover = (plies % 2) as u8;
            let own = &mut position.stones[usize::from(mover)];
            let (_, cell) = self.random_cell(occupied, rngs.seat(mover));
            *own |= cell;
            occupied |= cell;
            plies += 1;
            if plies == longest || self.has_line(*own) {
                return plies - before;
            }
        }
    }
}

impl<B: Bits> Connect<B> {
    /// A line may only be the work of the last stone, whichever top stone of its owner that was.
    fn check_lines(&self, position: &Position<B>) -> Result<(), PositionError> {
        let last = 1 - (position.plies() % 2) as u8;
        if self.has_line(position.stones(1 - last)) {
            let name = ["x", "o"][usize::from(1 - last)];
            return Err(PositionError(format!(
                "{name} had already won before the last move"
            )));
        }
        let own = position.stones(last);
        if !self.has_line(own) {
            return Ok(());
        }
        let could_be_last = |column: &B| {
            let stones = position.occupied() & *column;
            let top = stones & !(stones >> 1);
            !(own & top).is_empty() && !self.has_line(own & !top)
        };
        if self.columns.iter().any(could_be_last) {
            return Ok(());
        }
        let name = ["x", "o"][usize::from(last)];
        Err(PositionError(format!(
            "{name} has won twice: no single last stone made all its lines"
        )))
    }
}
