//! Plays games on all cores: who sits where, one record a game, in the order of the games.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use games::{AnyGame, Fact, Game, with_game};
use players::arena::{Dice, Finished, Observer, play_out};
use players::{Playable, Player, Spec, SpecError};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::batch::{Dispatch, DispatchError, Parcel, can_travel};
use crate::bots::BotError;
use crate::seating::seat;

/// Who plays: one player a seat, and how long each may think.
#[derive(Debug, Clone)]
pub struct Table {
    specs: Vec<Spec>,
    move_time: Option<Duration>,
}

impl Table {
    /// These players, one a seat, each with at most `move_time` a move where it can be limited.
    #[must_use]
    pub fn new(specs: Vec<Spec>, move_time: Option<Duration>) -> Self {
        Self { specs, move_time }
    }

    /// The players' specs, one a seat.
    #[must_use]
    pub fn specs(&self) -> &[Spec] {
        &self.specs
    }

    /// How long each may think about a move.
    #[must_use]
    pub fn move_time(&self) -> Option<Duration> {
        self.move_time
    }

    /// The same players, the other way round.
    #[must_use]
    pub fn swapped(&self) -> Self {
        let specs = self.specs.iter().rev().cloned();
        Self::new(specs.collect(), self.move_time)
    }

    /// New players for a game.
    pub fn seat_players<G: Playable>(
        &self,
        game: &G,
    ) -> Result<Vec<Box<dyn Player<G>>>, SpecError> {
        self.specs
            .iter()
            .map(|spec| seat(game, spec, self.move_time))
            .collect()
    }
}

/// Who plays: threads, each of which takes a game whenever it has none, so that all are busy to the end; or workers elsewhere, for
/// whatever can be played there.
#[derive(Debug)]
pub struct Workers {
    threads: rayon::ThreadPool,
    elsewhere: Option<Arc<dyn Dispatch>>,
}

impl Workers {
    /// So many threads.
    pub fn new(threads: usize) -> Result<Self, PlayError> {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
        Ok(Self {
            threads: builder.build()?,
            elsewhere: None,
        })
    }

    /// The same, but games that can travel are played elsewhere.
    #[must_use]
    pub fn with(mut self, elsewhere: Option<Arc<dyn Dispatch>>) -> Self {
        self.elsewhere = elsewhere;
        self
    }

    /// How many.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// How many games are played at once, here or elsewhere.
    #[must_use]
    pub fn slots(&self) -> usize {
        let elsewhere = self.elsewhere.as_ref();
        elsewhere.map_or(self.threads(), |pool| pool.slots())
    }

    /// Whoever plays these games elsewhere, if they can be played there.
    fn elsewhere(&self, jobs: &[(&Table, u64)], interest: Interest) -> Option<&dyn Dispatch> {
        let pool = self.elsewhere.as_deref()?;
        let all = jobs.iter().all(|(table, _)| can_travel(table, interest));
        all.then_some(pool)
    }
}

/// What is to be kept of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interest {
    /// The result.
    Result,
    /// The time of every move as well.
    MoveTimes,
}

/// Why games could not be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// A player cannot be made.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// A bot does not get ready to play.
    #[error("{spec}: {error}")]
    Bot {
        /// The player.
        spec: String,
        /// What was wrong.
        error: BotError,
    },
    /// An opponent gave a game up.
    #[error("the opponent {spec} could not go on: {reason}")]
    Opponent {
        /// The player.
        spec: String,
        /// Why.
        reason: String,
    },
    /// A player whose speed is measured gave a game up.
    #[error("{spec} could not go on: {reason}")]
    GaveUp {
        /// The player.
        spec: String,
        /// Why.
        reason: String,
    },
    /// Games did not come back from elsewhere.
    #[error(transparent)]
    Elsewhere(#[from] DispatchError),
    /// The system gave no threads.
    #[error("could not start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// One finished game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Points of the first player.
    pub score: i64,
    /// Moves of all players.
    pub moves: u32,
    /// Values of the game's facts, in the game's order.
    pub facts: Box<[u64]>,
    /// The seat that could not go on, and why.
    pub forfeit: Option<(u8, String)>,
    /// Time the game took.
    pub seconds: f64,
    /// Time of every move, if that was asked for.
    pub move_seconds: Box<[f64]>,
}

/// Plays a game for every job (who plays, and the number of the game, from which its dice follow). The
/// records come in the order of the jobs. `finished` is called after every game, from any thread. Whoever calls
/// this has tried the players out.
pub fn play_all(
    game: &AnyGame,
    jobs: &[(&Table, u64)],
    seed: u64,
    workers: &Workers,
    interest: Interest,
    finished: &(dyn Fn() + Sync),
) -> Result<Vec<Record>, PlayError> {
    let never = AtomicBool::new(false);
    in_order(jobs.len(), finished, |done| {
        play_each(game, jobs, seed, workers, interest, &never, done)
    })
}

/// Takes records with their places, in whatever order, and gives them in the order of their places.
pub fn in_order(
    count: usize,
    finished: &(dyn Fn() + Sync),
    play: impl FnOnce(&(dyn Fn(usize, Record) + Sync)) -> Result<(), PlayError>,
) -> Result<Vec<Record>, PlayError> {
    let records = Mutex::new(vec![None; count]);
    play(&|place, record| {
        records.lock().expect("nobody panics with the records")[place] = Some(record);
        finished();
    })?;
    let records = records
        .into_inner()
        .expect("nobody panics with the records");
    Ok(records.into_iter().flatten().collect())
}

/// As [`play_all`], but hands every record over as soon as it is there, with the place of its job, in whatever order; and begins no further
/// game once `stop` is true.
pub fn play_each(
    game: &AnyGame,
    jobs: &[(&Table, u64)],
    seed: u64,
    workers: &Workers,
    interest: Interest,
    stop: &AtomicBool,
    done: &(dyn Fn(usize, Record) + Sync),
) -> Result<(), PlayError> {
    if let Some(elsewhere) = workers.elsewhere(jobs, interest) {
        return Ok(elsewhere.play(&Parcel::of(game, jobs, seed), stop, done)?);
    }
    let play = |table: &Table, number: u64| {
        let dice = Dice::of(seed, number);
        with_game!(game, game => play_one(game, table, dice, interest))
    };
    workers.threads.install(|| {
        jobs.par_iter()
            .with_max_len(1)
            .enumerate()
            .filter(|_| !stop.load(Ordering::Relaxed))
            .try_for_each(|(place, &(table, number))| {
                done(place, play(table, number)?);
                Ok::<(), SpecError>(())
            })
    })?;
    Ok(())
}

/// Times the moves of a game.
#[derive(Default)]
struct Stopwatch {
    started: Option<Instant>,
    seconds: Vec<f64>,
}

impl<G: Game> Observer<G> for Stopwatch {
    fn thinking(&mut self) {
        self.started = Some(Instant::now());
    }

    fn chosen(&mut self, _: u8, _: G::Move) {
        self.seconds.extend(
            self.started
                .take()
                .map(|started| started.elapsed().as_secs_f64()),
        );
    }
}

/// Plays one game.
pub(crate) fn play_one<G: Playable>(
    game: &G,
    table: &Table,
    mut dice: Dice,
    interest: Interest,
) -> Result<Record, SpecError> {
    // New players for every game: none may carry anything over from another game.
    let mut players = table.seat_players(game)?;
    let mut position = game.start();
    let mut stopwatch = Stopwatch::default();
    let started = Instant::now();
    let finished = match interest {
        Interest::Result => play_out(game, &mut position, &mut players, &mut dice, &mut ()),
        Interest::MoveTimes => {
            play_out(game, &mut position, &mut players, &mut dice, &mut stopwatch)
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    Ok(record(
        game,
        &position,
        finished,
        seconds,
        stopwatch.seconds,
    ))
}

/// Points of the first player at the end of a game: a game for two is lost for whoever could not go on.
pub fn score<G: Game>(game: &G, position: &G::Position, forfeit: Option<&(u8, String)>) -> i64 {
    match forfeit {
        Some((0, _)) if game.seats() == 2 => -1,
        Some(_) if game.seats() == 2 => 1,
        _ => game.score(position),
    }
}

fn record<G: Game>(
    game: &G,
    position: &G::Position,
    finished: Finished,
    seconds: f64,
    move_seconds: Vec<f64>,
) -> Record {
    let value = |fact| match fact {
        Fact::Count(value) | Fact::Class(value) => value,
        Fact::Flag(holds) => u64::from(holds),
    };
    Record {
        score: score(game, position, finished.forfeit.as_ref()),
        moves: finished.moves,
        facts: game
            .facts(position)
            .into_iter()
            .map(|(_, fact)| value(fact))
            .collect(),
        forfeit: finished.forfeit,
        seconds,
        move_seconds: move_seconds.into_boxed_slice(),
    }
}
