//! 2048: slide all tiles one way, equal ones that meet merge, chance adds a tile.
//!
//! **Standard rules** (2048-ga): two tiles at the start; after each move a 2 (90 %)
//! or a 4 (10 %) on a random empty cell; a merge adds the new tile's value to the score, a spawned tile
//! nothing; a tile made in a move does not merge again in it; a move that changes nothing is not allowed;
//! the game ends when no move is left; it continues past the winning tile.
//!
//! **`fer` rules** (2048-cgp): a tile made in a move keeps merging as long as
//! it equals the one before it (`2 2 4 8` to the right gives `16`); every move counts, even one that changes nothing;
//! the score is the sum of the tiles; the game ends when a tile must be added to a full board.
//!
//! Options: `rules` (standard), `size` (4x4; 3x3 to 5x5), `win` (2048), `stop-at-win` (no), `four` (0.1).
//!
//! **Large tiles.** The 4x4 board has four bits per cell, which hold tiles up to 32768. Before a move that
//! could make a larger one (two 32768 on the board; under `fer` rules one 16384) the position changes to a board of five bits per cell, where
//! even the largest possible tile (131072 on 4x4, 2^26 on 5x5) fits; nothing ever wraps or saturates.

mod direction;
mod lanes;
mod packed;
mod plain;
mod position;
mod rules;
mod slide;
mod two_ways;
mod wide;

use rand_core::Rng;

pub use direction::{Direction, Spawn};
pub use packed::Packed;
pub use plain::Plain;
pub use position::{Position, Tiles};
pub use rules::{Rules, Variant};

use crate::game::{Dice, Fact, Facts, Game, Generators, PositionError, Turn};
use crate::options::{Options, RulesError};
use crate::registry::{AnyGame, Family};
use crate::sketch::{Cell, Sketch};
use packed::Tables;
use streams::{Stream, below_given, threshold};
use two_ways::TwoWays;

/// 2048 in the registry.
pub const FAMILY: Family = Family::new(
    "2048",
    "2048: slide and merge tiles; standard or FER rules, 3x3 to 5x5",
    rules::OPTIONS,
    &[
        "",
        "rules=fer",
        "size=3x3",
        "size=5x5",
        "size=3x5 four=0.5",
        "size=5x4 rules=fer",
        "win=64 stop-at-win=true",
        "rules=fer win=128 stop-at-win=true size=3x4",
        "four=1",
    ],
    build,
);

fn build(options: &Options) -> Result<AnyGame, RulesError> {
    Ok(Twenty48::new(Rules::from_options(options)?).into())
}

/// Tiles on the board when the first move is made.
const TILES_AT_START: u8 = 2;

/// 2048 with its rules fixed.
#[derive(Clone)]
pub struct Twenty48 {
    rules: Rules,
    tables: &'static Tables,
    four: u64,
}

impl std::fmt::Debug for Twenty48 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Twenty48")
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

impl Twenty48 {
    /// The game with these rules.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            tables: Tables::of(rules.variant),
            four: threshold(rules.four),
        }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The tiles after sliding them, before chance adds one.
    #[inline]
    #[must_use]
    pub fn slid(&self, tiles: Tiles, direction: Direction) -> Tiles {
        match tiles {
            Tiles::Packed(packed) if !packed.may_overflow(self.rules.variant) => {
                Tiles::Packed(packed.slid(direction, self.tables))
            }
            _ => tiles.widened().slid(direction, self.rules.variant).into(),
        }
    }

    /// A packed board after sliding, for searches that look at boards in millions: a tile that would not fit
    /// stays 32768, where [`slid`](Self::slid) would change to a wide board.
    #[inline]
    #[must_use]
    pub fn slid_packed(&self, board: Packed, direction: Direction) -> Packed {
        board.slid(direction, self.tables)
    }

    /// The tiles after sliding them in all directions, in the order of [`Direction::ALL`], with what each slide scores; a slide
    /// that changes nothing leaves them as they are. Under standard rules.
    #[inline]
    #[must_use]
    pub fn slides(&self, tiles: Tiles) -> [(Tiles, u32); 4] {
        match tiles {
            Tiles::Packed(packed) if !packed.may_overflow(self.rules.variant) => packed
                .slides(self.tables)
                .map(|(slid, gain)| (Tiles::Packed(slid), gain)),
            _ => Direction::ALL.map(|direction| {
                let slid = self.slid(tiles, direction);
                (slid, (slid.merged() - tiles.merged()) as u32)
            }),
        }
    }

    /// As [`slides`](Self::slides) for a packed board; a tile that would not fit stays 32768.
    #[inline]
    #[must_use]
    pub fn slides_packed(&self, board: Packed) -> [(Packed, u32); 4] {
        board.slides(self.tables)
    }

    /// Puts a random tile on a random empty cell, of which there must be one.
    #[inline]
    pub fn spawn(&self, tiles: &mut Tiles, rng: &mut Stream) -> Spawn {
        let (cell, exponent) = match tiles {
            Tiles::Packed(packed) => {
                let spawned = packed.spawn(self.four, rng);
                (spawned.cell(), 1 + u8::from(spawned.is_four))
            }
            Tiles::Wide(wide) => {
                let word = rng.next_u64();
                let chosen = below_given((word >> 32) as u32, rng, wide.empty());
                let (cell, exponent) = (
                    wide.nth_empty(chosen),
                    1 + u8::from((word & 0xffff_ffff) < self.four),
                );
                wide.put(cell, exponent);
                (cell, exponent)
            }
        };
        Spawn {
            cell: cell as u8,
            exponent,
        }
    }

    /// Does a move that changes nothing count?
    #[inline]
    #[must_use]
    pub fn may_pass(&self) -> bool {
        self.rules.variant == Variant::Fer
    }

    /// Has a tile reached the winning one?
    #[must_use]
    pub fn is_won(&self, position: &Position) -> bool {
        position.tiles.has_at_least(self.rules.win)
    }

    fn has_move(&self, tiles: Tiles) -> bool {
        self.may_pass()
            || match tiles {
                Tiles::Packed(packed) => packed.has_move(),
                Tiles::Wide(wide) => wide.has_move(),
            }
    }

    /// May the player slide these tiles that way?
    #[must_use]
    pub fn is_legal(&self, tiles: Tiles, direction: Direction) -> bool {
        self.may_pass() || self.slid(tiles, direction) != tiles
    }

    /// The directions in which the player may slide these tiles, one bit each in the order of [`Direction::ALL`].
    #[inline]
    #[must_use]
    pub fn legal(&self, tiles: Tiles) -> u8 {
        if self.may_pass() {
            return 0b1111;
        }
        match tiles {
            Tiles::Packed(packed) => packed.movable(),
            Tiles::Wide(_) => {
                let slides = self.slides(tiles);
                (0..4).fold(0, |legal, place| {
                    legal | u8::from(slides[place].0 != tiles) << place
                })
            }
        }
    }

    fn legal_among(
        &self,
        directions: [Direction; 4],
        position: &Position,
        moves: &mut Vec<Direction>,
    ) {
        moves.clear();
        if self.turn(position) == Turn::Player(0) {
            let legal = self.legal(position.tiles);
            let is_legal = |direction: &Direction| legal >> *direction as u8 & 1 == 1;
            moves.extend(directions.into_iter().filter(is_legal));
        }
    }

    fn random_direction(rng: &mut Stream) -> Direction {
        Direction::drawn(rng.next_u64())
    }

    /// Does a game end only when no move is left?
    fn only_ends_stuck(&self) -> bool {
        self.rules.variant == Variant::Standard && !self.rules.stop_at_win
    }

    /// Lets chance add the tiles that are due.
    fn draw_due(&self, position: &mut Position, rng: &mut Stream) {
        while position.due > 0 && self.turn(position) == Turn::Chance {
            self.draw(position, rng);
        }
    }

    fn playouts_in_lanes(&self, games: &mut [(Position, Dice)], moves: &mut [u32]) {
        let play = match (self.rules.rows, self.rules.cols) {
            (3, 3) => lanes::playouts::<3, 3>,
            (3, 4) => lanes::playouts::<3, 4>,
            (3, 5) => lanes::playouts::<3, 5>,
            (4, 3) => lanes::playouts::<4, 3>,
            (4, 4) => lanes::playouts::<4, 4>,
            (4, 5) => lanes::playouts::<4, 5>,
            (5, 3) => lanes::playouts::<5, 3>,
            (5, 4) => lanes::playouts::<5, 4>,
            _ => lanes::playouts::<5, 5>,
        };
        play(self.four, games, moves);
    }

    /// Random moves on the packed board to the end, or until the wide board has to take over.
    fn playout_packed(
        &self,
        packed: &mut Packed,
        fours: &mut u32,
        rngs: &mut impl Generators,
    ) -> u32 {
        let (mut board, mut moves, mut drawn_fours) = (TwoWays::of(*packed), 0, 0);
        let mut can_move = packed.has_move();
        while can_move && !board.packed().may_overflow(Variant::Standard) {
            let slid = loop {
                let direction = Self::random_direction(rngs.seat(0));
                if let Some(slid) = board.slid(direction, self.tables) {
                    break slid;
                }
            };
            let spawned;
            (board, spawned) = slid.spawned(self.four, rngs.chance());
            drawn_fours += u32::from(spawned.is_four);
            can_move = spawned.empty > 0 || board.packed().has_equal_neighbours();
            moves += 1;
        }
        (*packed, *fours) = (board.packed(), *fours + drawn_fours);
        moves
    }
}

/// A tile in a sketch.
fn tile(exponent: u8) -> Option<Cell> {
    (exponent > 0).then(|| Cell::new((1_u64 << exponent).to_string(), exponent))
}

impl Game for Twenty48 {
    type Position = Position;
    type Move = Direction;
    type Chance = Spawn;
    type Key = (Tiles, u8);

    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn options(&self) -> Options {
        self.rules.to_options()
    }

    fn seats(&self) -> u8 {
        1
    }

    fn start(&self) -> Position {
        Position {
            tiles: Tiles::empty_board(self.rules.rows, self.rules.cols),
            fours: 0,
            due: TILES_AT_START,
        }
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        if self.rules.stop_at_win && self.is_won(position) {
            return Turn::Over;
        }
        let goes_on = if position.due > 0 {
            position.tiles.empty() > 0
        } else {
            self.has_move(position.tiles)
        };
        match (goes_on, position.due) {
            (false, _) => Turn::Over,
            (true, 0) => Turn::Player(0),
            (true, _) => Turn::Chance,
        }
    }

    fn moves(&self, position: &Position, moves: &mut Vec<Direction>) {
        self.legal_among(Direction::ALL, position, moves);
    }

    fn moves_to_search(&self, position: &Position, moves: &mut Vec<Direction>) {
        self.legal_among(Direction::SEARCH, position, moves);
    }

    #[inline]
    fn play_unchecked(&self, position: &mut Position, chosen: Direction) {
        position.tiles = self.slid(position.tiles, chosen);
        position.due = 1;
    }

    fn chances(&self, position: &Position, chances: &mut Vec<(Spawn, f64)>) {
        chances.clear();
        if self.turn(position) != Turn::Chance {
            return;
        }
        let share = 1.0 / f64::from(position.tiles.empty());
        for (cell, _) in position
            .tiles
            .exponents()
            .enumerate()
            .filter(|&(_, exponent)| exponent == 0)
        {
            for (exponent, probability) in [(1, 1.0 - self.rules.four), (2, self.rules.four)] {
                if probability > 0.0 {
                    chances.push((
                        Spawn {
                            cell: cell as u8,
                            exponent,
                        },
                        probability * share,
                    ));
                }
            }
        }
    }

    fn happen(&self, position: &mut Position, Spawn { cell, exponent }: Spawn) {
        match &mut position.tiles {
            Tiles::Packed(packed) => packed.put(u32::from(cell), exponent),
            Tiles::Wide(wide) => wide.put(u32::from(cell), exponent),
        }
        position.fours += u32::from(exponent - 1);
        position.due -= 1;
    }

    #[inline]
    fn draw(&self, position: &mut Position, rng: &mut Stream) -> Spawn {
        let spawn = self.spawn(&mut position.tiles, rng);
        position.fours += u32::from(spawn.exponent - 1);
        position.due -= 1;
        spawn
    }

    fn score(&self, position: &Position) -> i64 {
        match self.rules.variant {
            Variant::Standard => position.tiles.merged() as i64 - 4 * i64::from(position.fours),
            Variant::Fer => position.tiles.sum() as i64,
        }
    }

    fn key(&self, position: &Position) -> (Tiles, u8) {
        (position.tiles, position.due)
    }

    fn facts(&self, position: &Position) -> Facts {
        let highest = position.tiles.highest();
        [
            ("won", Fact::Flag(self.is_won(position))),
            (
                "highest_tile",
                Fact::Class(if highest == 0 { 0 } else { 1 << highest }),
            ),
        ]
        .into_iter()
        .collect()
    }

    fn sketch(&self, position: &Position) -> Sketch {
        let tiles: Vec<u8> = position.tiles.exponents().collect();
        let (rows, cols) = (self.rules.rows, self.rules.cols);
        Sketch::new(rows, cols, |row, col| {
            tile(tiles[row * usize::from(cols) + col])
        })
    }

    fn check(&self, position: &Position) -> Result<(), PositionError> {
        let (rows, cols) = (position.tiles.rows(), position.tiles.cols());
        if (rows, cols) != (self.rules.rows, self.rules.cols) {
            return Err(PositionError(format!(
                "the board is {rows}x{cols} and should be {}x{} (rows x columns)",
                self.rules.rows, self.rules.cols
            )));
        }
        let largest = rows * cols + 1;
        if position.tiles.highest() > largest {
            return Err(PositionError(format!(
                "tile 2^{} cannot be reached on a board of {rows}x{cols}; 2^{largest} is the largest",
                position.tiles.highest()
            )));
        }
        if position.tiles.merged() < 4 * u64::from(position.fours) {
            return Err(PositionError(format!(
                "these tiles cannot have come from {} fours",
                position.fours
            )));
        }
        Ok(())
    }

    #[inline]
    fn random_move(&self, position: &Position, rng: &mut Stream) -> Direction {
        loop {
            let direction = Self::random_direction(rng);
            if self.is_legal(position.tiles, direction) {
                return direction;
            }
        }
    }

    fn playout(&self, position: &mut Position, rngs: &mut impl Generators) -> u32 {
        let mut moves = 0;
        if self.only_ends_stuck() {
            self.draw_due(position, rngs.chance());
            if let Tiles::Packed(packed) = &mut position.tiles {
                moves = self.playout_packed(packed, &mut position.fours, rngs);
            }
        }
        moves + crate::game::playout_step_by_step(self, position, rngs)
    }

    fn playouts(&self, games: &mut [(Position, Dice)]) -> Vec<u32> {
        let mut moves = vec![0; games.len()];
        if self.only_ends_stuck() && games.len() >= lanes::FEWEST {
            for (position, dice) in &mut *games {
                self.draw_due(position, dice.chance());
            }
            self.playouts_in_lanes(games, &mut moves);
        }
        for (moves, (position, dice)) in moves.iter_mut().zip(games) {
            *moves += self.playout(position, dice);
        }
        moves
    }
}
