//! Plays many games with given players and sums them up.
//!
//! Game number i has its own generators, derived from the seed and i. Threads take games as they come
//! free, so they change how long it takes and nothing else.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use games::{AnyGame, Fact, Game, with_game};
use players::arena::{Dice, play_out};
use players::{Player, Spec, SpecError, registry};
use rayon::prelude::*;
use serde::Serialize;

use crate::stats::{Share, Summary};

/// The most games of one measurement; each takes some sixty bytes until the end.
pub const MOST_GAMES: u64 = 100_000_000;

/// What to measure.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The game with its rules.
    pub game: AnyGame,
    /// The players, one a seat.
    pub players: Vec<Spec>,
    /// How many games, 1 to [`MOST_GAMES`].
    pub games: u64,
    /// From which all random numbers follow.
    pub seed: u64,
    /// How many threads play.
    pub threads: usize,
}

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// A player cannot be made.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The system gave no threads.
    #[error("could not start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// One finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Points of the first player.
    pub score: i64,
    /// Moves of all players.
    pub moves: u32,
    /// Values of the game's facts, in the game's order.
    pub facts: Box<[u64]>,
}

/// What the measurement found.
#[derive(Debug, Clone, Serialize)]
pub struct Measurement {
    /// The game's name.
    pub game: &'static str,
    /// All its rules.
    pub rules: BTreeMap<String, String>,
    /// The player at seat 0.
    pub player: String,
    /// The player at seat 1, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// How many games.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// Points of the first player.
    pub score: Summary,
    /// Moves of all players.
    pub moves: Summary,
    /// What is special to the game, by name.
    #[serde(flatten)]
    pub facts: Findings,
    /// Time it took.
    pub seconds: f64,
    /// Threads that played.
    pub threads: usize,
    /// Games a second, all threads together.
    pub games_per_second: f64,
    /// Mean time of a move on its thread, everything included.
    pub seconds_per_move: f64,
}

/// What is special to the game, in the game's order.
#[derive(Debug, Clone)]
pub struct Findings(pub Vec<(&'static str, Finding)>);

impl Serialize for Findings {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, finding)| (name, finding)))
    }
}

/// What many games tell of one fact.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Finding {
    /// Of a quantity.
    Count(Summary),
    /// Of a kind: how often each came.
    Classes(BTreeMap<u64, Share>),
    /// Of something that holds or not.
    Flag(Share),
}

/// Plays the games of the plan. `finished` is called after every game, from any thread.
pub fn measure(
    plan: &Plan,
    finished: &(dyn Fn() + Sync),
) -> Result<(Measurement, Vec<Record>), MeasureError> {
    with_game!(&plan.game, game => measure_game(game, plan, finished))
}

fn measure_game<G: Game>(
    game: &G,
    plan: &Plan,
    finished: &(dyn Fn() + Sync),
) -> Result<(Measurement, Vec<Record>), MeasureError> {
    seat_players(game, &plan.players)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(plan.threads)
        .build()?;
    let started = Instant::now();
    let chunks = pool.install(|| {
        chunks(plan)
            .into_par_iter()
            .map(|chunk| play_chunk(game, plan, chunk, finished))
            .collect::<Result<Vec<_>, _>>()
    })?;
    let seconds = started.elapsed();
    let busy: Duration = chunks.iter().map(|(_, busy)| *busy).sum();
    let records: Vec<Record> = chunks
        .into_iter()
        .flat_map(|(records, _)| records)
        .collect();
    Ok((sum_up(game, plan, &records, seconds, busy), records))
}

/// Stretches of games, small enough that all threads end at about the same time.
fn chunks(plan: &Plan) -> Vec<std::ops::Range<u64>> {
    let size = plan.games.div_ceil(64 * plan.threads as u64).clamp(1, 1024);
    (0..plan.games)
        .step_by(size as usize)
        .map(|from| from..(from + size).min(plan.games))
        .collect()
}

fn seat_players<G: Game>(game: &G, specs: &[Spec]) -> Result<Vec<Box<dyn Player<G>>>, SpecError> {
    specs
        .iter()
        .map(|spec| registry::build(game, spec))
        .collect()
}

fn play_chunk<G: Game>(
    game: &G,
    plan: &Plan,
    chunk: std::ops::Range<u64>,
    finished: &(dyn Fn() + Sync),
) -> Result<(Vec<Record>, Duration), SpecError> {
    let started = Instant::now();
    let records = chunk.map(|number| {
        // New players for every game: none may carry anything over from another thread's game.
        let mut players = seat_players(game, &plan.players)?;
        let mut position = game.start();
        let moves = play_out(
            game,
            &mut position,
            &mut players,
            &mut Dice::of(plan.seed, number),
        );
        finished();
        Ok(record(game, &position, moves))
    });
    Ok((records.collect::<Result<_, _>>()?, started.elapsed()))
}

fn record<G: Game>(game: &G, position: &G::Position, moves: u32) -> Record {
    let value = |fact| match fact {
        Fact::Count(value) | Fact::Class(value) => value,
        Fact::Flag(holds) => u64::from(holds),
    };
    let facts = game
        .facts(position)
        .into_iter()
        .map(|(_, fact)| value(fact))
        .collect();
    Record {
        score: game.score(position),
        moves,
        facts,
    }
}

fn sum_up<G: Game>(
    game: &G,
    plan: &Plan,
    records: &[Record],
    wall: Duration,
    busy: Duration,
) -> Measurement {
    let column = |value: &dyn Fn(&Record) -> i64| records.iter().map(value).collect::<Vec<i64>>();
    let moves = column(&|record| i64::from(record.moves));
    let total_moves: i64 = moves.iter().sum();
    let facts = game
        .facts(&game.start())
        .into_iter()
        .enumerate()
        .map(|(place, (name, fact))| {
            let values: Vec<u64> = records.iter().map(|record| record.facts[place]).collect();
            (name, find(fact, &values))
        });
    Measurement {
        game: plan.game.family().name,
        rules: plan
            .game
            .options()
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        player: plan.players[0].to_string(),
        against: plan.players.get(1).map(ToString::to_string),
        games: plan.games,
        seed: plan.seed,
        score: Summary::of(&column(&|record| record.score)),
        moves: Summary::of(&moves),
        facts: Findings(facts.collect()),
        seconds: wall.as_secs_f64(),
        threads: plan.threads,
        games_per_second: plan.games as f64 / wall.as_secs_f64(),
        seconds_per_move: busy.as_secs_f64() / total_moves.max(1) as f64,
    }
}

fn find(fact: Fact, values: &[u64]) -> Finding {
    let total = values.len() as u64;
    match fact {
        Fact::Count(_) => Finding::Count(Summary::of(
            &values.iter().map(|&v| v as i64).collect::<Vec<_>>(),
        )),
        Fact::Flag(_) => Finding::Flag(Share::new(values.iter().sum(), total)),
        Fact::Class(_) => {
            let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
            values
                .iter()
                .for_each(|&value| *counts.entry(value).or_default() += 1);
            Finding::Classes(
                counts
                    .into_iter()
                    .map(|(class, n)| (class, Share::new(n, total)))
                    .collect(),
            )
        }
    }
}
