//! Plays one game and records its result.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use games::{Fact, Game};
use players::arena::{Dice, Finished, Observer, play_out};
use players::{Cancelled, Player};
use serde::{Deserialize, Serialize};

/// What to record of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interest {
    /// Only the result.
    Result,
    /// Also the time of every move.
    MoveTimes,
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
    /// The seat that gave up, and why.
    pub forfeit: Option<(u8, String)>,
    /// Duration of the game.
    pub seconds: f64,
    /// Time of every move, if requested.
    pub move_seconds: Box<[f64]>,
    /// In a two-player game in which nobody drew a random number: a fingerprint of where it began and all its moves. Another game of these
    /// players with the same one is no further game, but this one again.
    #[serde(default)]
    pub same: Option<u64>,
    /// Who played it; none if it was played here.
    #[serde(skip)]
    pub origin: Option<Arc<Origin>>,
}

/// Where a game was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The worker that played it.
    pub worker: Arc<str>,
    /// Whether it was played a second time by somebody else, with the same result.
    pub checked: bool,
}

/// The fingerprint of a game: FNV-1a over its first position and its moves.
struct Path {
    hash: u64,
    /// Games for one are never compared, and moves there are many.
    is_kept: bool,
}

impl Path {
    fn of<G: Game>(game: &G, start: &G::Position) -> Self {
        let mut path = Self {
            hash: 0xcbf2_9ce4_8422_2325,
            is_kept: game.seats() == 2,
        };
        if path.is_kept {
            path.write(start.to_string().as_bytes());
        }
        path
    }

    fn add(&mut self, step: impl Hash) {
        if self.is_kept {
            step.hash(self);
        }
    }
}

impl Hasher for Path {
    fn finish(&self) -> u64 {
        self.hash
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Watches the moves, and whether the game is still needed.
struct Watch<'a> {
    path: &'a mut Path,
    cancelled: &'a AtomicBool,
}

impl<G: Game> Observer<G> for Watch<'_> {
    fn looks_at_steps(&self) -> bool {
        self.path.is_kept
    }

    fn chosen(&mut self, _: u8, chosen: G::Move) {
        self.path.add(chosen);
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// The same, and times the moves.
struct Stopwatch<'a> {
    started: Option<Instant>,
    seconds: Vec<f64>,
    path: &'a mut Path,
    cancelled: &'a AtomicBool,
}

impl<G: Game> Observer<G> for Stopwatch<'_> {
    fn thinking(&mut self) {
        self.started = Some(Instant::now());
    }

    fn chosen(&mut self, _: u8, chosen: G::Move) {
        self.path.add(chosen);
        self.seconds.extend(
            self.started
                .take()
                .map(|started| started.elapsed().as_secs_f64()),
        );
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// Plays one game from a position; `None` if it was cancelled. The players must be new: none may carry state over from another game.
pub(crate) fn play_one<G: Game>(
    game: &G,
    mut position: G::Position,
    mut players: Vec<Box<dyn Player<G>>>,
    mut dice: Dice,
    interest: Interest,
    cancelled: &Cancelled,
) -> Option<Record> {
    for player in &mut players {
        player.cancel_when(cancelled);
    }
    let (mut path, fresh) = (Path::of(game, &position), dice.clone());
    let mut times = Vec::new();
    let started = Instant::now();
    let finished = match interest {
        Interest::Result => {
            let path = &mut path;
            let watch = &mut Watch { path, cancelled };
            play_out(game, &mut position, &mut players, &mut dice, watch)
        }
        Interest::MoveTimes => {
            let mut stopwatch = Stopwatch {
                started: None,
                seconds: Vec::new(),
                path: &mut path,
                cancelled,
            };
            let finished = play_out(game, &mut position, &mut players, &mut dice, &mut stopwatch);
            times = stopwatch.seconds;
            finished
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    // The last moves may have been chosen by players that had given up thinking.
    if cancelled.load(Ordering::Relaxed) {
        return None;
    }
    let is_determined = path.is_kept && dice == fresh && finished.forfeit.is_none();
    Some(Record {
        same: is_determined.then_some(path.hash),
        ..record(game, &position, finished, seconds, times)
    })
}

/// Plays games of one random player, which nobody watches, at once. The time they take is shared out by their moves.
pub(crate) fn play_random<G: Game>(
    game: &G,
    mut games: Vec<(G::Position, Dice)>,
) -> impl Iterator<Item = Record> {
    let started = Instant::now();
    let moves = game.playouts(&mut games);
    let total: u64 = moves.iter().map(|&moves| u64::from(moves)).sum();
    let a_move = started.elapsed().as_secs_f64() / total.max(1) as f64;
    games
        .into_iter()
        .zip(moves)
        .map(move |((position, _), moves)| {
            let forfeit = None;
            let seconds = a_move * f64::from(moves);
            record(
                game,
                &position,
                Finished { moves, forfeit },
                seconds,
                Vec::new(),
            )
        })
}

/// Points of the first player at the end of a game: a player that gives up loses a two-player game.
pub(crate) fn score<G: Game>(
    game: &G,
    position: &G::Position,
    forfeit: Option<&(u8, String)>,
) -> i64 {
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
        same: None,
        origin: None,
    }
}
