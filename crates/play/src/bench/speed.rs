//! Moves per second of a player on the fast or the plain board, on one thread.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use games::tetris::{ColumnBits, Plain, Tetris};
use games::{AnyGame, Game, Generators, Turn, with_twins};
use players::arena::Dice;
use players::{Cancelled, Playable, Player, Spec};

use super::generators::Generator;
use super::judged::Judged;
use crate::error::PlayError;
use crate::seating::{prepare, seated, try_out_one};

/// Which board is played on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Board {
    /// Bitboard.
    Fast,
    /// Array of cells.
    Plain,
}

/// A speed measurement of a player.
#[derive(Debug, Clone)]
pub struct SpeedTest {
    /// The game with its rules.
    pub game: AnyGame,
    /// The player; `None` is a Tetris player that supports both boards.
    pub player: Option<Spec>,
    /// The board.
    pub board: Board,
    /// The random numbers that chance draws from.
    pub generator: Generator,
    /// How long it plays.
    pub time: Duration,
}

impl SpeedTest {
    /// Is there a player for this board?
    #[must_use]
    pub fn is_playable(&self) -> bool {
        match (&self.player, &self.game) {
            (Some(player), game) => with_twins!(game, (fast, plain) => match self.board {
                Board::Fast => prepare(fast, player, None).is_ok(),
                Board::Plain => prepare(plain, player, None).is_ok(),
            }),
            (None, AnyGame::Tetris(_) | AnyGame::TallTetris(_)) => true,
            (None, _) => false,
        }
    }

    /// Moves per second; nothing if it was stopped.
    ///
    /// # Panics
    /// If there is no player.
    pub fn run(&self, seed: u64, stop: &Cancelled) -> Result<Option<f64>, PlayError> {
        let pace = Pace::new(self.time, stop, self.generator);
        match (&self.player, &self.game) {
            (Some(player), game) => with_twins!(game, (fast, plain) => match self.board {
                Board::Fast => by_spec(fast, player, seed, pace),
                Board::Plain => by_spec(plain, player, seed, pace),
            }),
            (None, AnyGame::Tetris(fast)) => judged(fast, self.board, seed, pace),
            (None, AnyGame::TallTetris(fast)) => judged(fast, self.board, seed, pace),
            (None, _) => unreachable!("there is a player"),
        }
    }
}

/// Counts moves and time. Reading the clock after each move would distort the result, so it is read about every millisecond.
struct Pace<'a> {
    time: Duration,
    stop: &'a Cancelled,
    generator: Generator,
    started: Instant,
    moves: u64,
    /// Number of moves at which to read the clock again.
    next: u64,
    looked: Instant,
    batch: u64,
}

const LOOK_EVERY: Duration = Duration::from_millis(1);

/// The result of reading the clock.
enum Look {
    GoOn,
    Enough,
    Stopped,
}

impl<'a> Pace<'a> {
    fn new(time: Duration, stop: &'a Cancelled, generator: Generator) -> Self {
        let now = Instant::now();
        Self {
            time,
            stop,
            generator,
            started: now,
            moves: 0,
            next: 1,
            looked: now,
            batch: 1,
        }
    }

    /// To be called after every move.
    fn moved(&mut self) -> Look {
        self.moves += 1;
        if self.moves < self.next {
            return Look::GoOn;
        }
        if self.stop.load(Ordering::Relaxed) {
            return Look::Stopped;
        }
        if self.started.elapsed() >= self.time {
            return Look::Enough;
        }
        self.batch = match self.looked.elapsed() < LOOK_EVERY {
            true => self.batch * 2,
            false => (self.batch / 2).max(1),
        };
        (self.next, self.looked) = (self.moves + self.batch, Instant::now());
        Look::GoOn
    }

    fn speed(&self) -> f64 {
        self.moves as f64 / self.started.elapsed().as_secs_f64()
    }
}

fn judged<C: ColumnBits>(
    fast: &Tetris<C>,
    board: Board,
    seed: u64,
    pace: Pace<'_>,
) -> Result<Option<f64>, PlayError> {
    let known = fast.rules().known;
    let (name, judged) = ("the player of both boards", || Judged::new(known));
    match board {
        Board::Fast => play(fast, name, seed, pace, || vec![Box::new(judged())]),
        Board::Plain => {
            let plain = Plain::twin(fast);
            play(&plain, name, seed, pace, || vec![Box::new(judged())])
        }
    }
}

fn by_spec<G: Playable>(
    game: &G,
    player: &Spec,
    seed: u64,
    pace: Pace<'_>,
) -> Result<Option<f64>, PlayError> {
    try_out_one(game, player)?;
    let prepared = prepare(game, player, None)?;
    let players = vec![prepared; usize::from(game.seats())];
    play(game, &player.label(), seed, pace, || seated(&players))
}

/// Plays one game after the other until the time is over.
fn play<G: Game>(
    game: &G,
    name: &str,
    seed: u64,
    mut pace: Pace<'_>,
    seated: impl Fn() -> Vec<Box<dyn Player<G>>>,
) -> Result<Option<f64>, PlayError> {
    for number in 0.. {
        let (mut players, mut dice) = (seated(), Dice::of(seed, number));
        let mut chance = pace.generator.chance(seed, number);
        for player in &mut players {
            player.cancel_when(pace.stop);
        }
        let mut position = game.start();
        loop {
            let seat = match game.turn(&position) {
                Turn::Over => break,
                Turn::Chance => {
                    chance.draw(game, &mut position);
                    continue;
                }
                Turn::Player(seat) => seat,
            };
            let player = &mut players[usize::from(seat)];
            let chosen = player.choose(game, &position, dice.seat(seat));
            if let Some(reason) = player.forfeit() {
                if pace.stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let spec = name.to_owned();
                return Err(PlayError::GaveUp { spec, reason });
            }
            game.play_unchecked(&mut position, chosen);
            match pace.moved() {
                Look::GoOn => {}
                Look::Enough => return Ok(Some(pace.speed())),
                Look::Stopped => return Ok(None),
            }
        }
    }
    unreachable!("there is always another game")
}
