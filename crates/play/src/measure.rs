//! Plays many games with given players and summarises them.
//!
//! Game number i has its own generators, derived from the seed and i. Idle threads take the next game, so
//! their number changes only how long it takes.

mod tally;

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use games::{AnyGame, Options};
use players::Cancelled;
use serde::Serialize;

use self::tally::Tally;
pub use self::tally::counts;
use crate::batch::GameBatch;
use crate::openings::Openings;
use crate::playing::{Interest, PlayError, Record, Table, Workers, in_order};
use crate::replay::{Replay, record_until};
use crate::seating::{introduced, try_out};
use crate::stats::{Pairs, Share, Summary};

/// The most games of one measurement.
pub const MOST_GAMES: u64 = 100_000_000;

/// A measurement to run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The game with its rules.
    pub game: AnyGame,
    /// The players.
    pub table: Table,
    /// Number of games, 1 to [`MOST_GAMES`].
    pub games: u64,
    /// Random seed.
    pub seed: u64,
    /// Number of threads.
    pub threads: usize,
    /// Whether to record the time of every move.
    pub interest: Interest,
    /// In a two-player game: whether the players swap seats after every game. Both games of a pair then have the same dice.
    pub both_seats: bool,
    /// Where games begin; with both seats, both games of a pair begin in the same position.
    pub openings: Openings,
}

/// The results of a measurement.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Measurement {
    /// The game's name.
    pub game: &'static str,
    /// All its rules.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, String>))]
    pub rules: Options,
    /// Display label of the player in seat 0.
    pub player: String,
    /// Its canonical spec.
    pub spec: String,
    /// The player in seat 1, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Its canonical spec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_spec: Option<String>,
    /// Whether the players swapped seats after every game; scores are those of the first player.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub both_seats: bool,
    /// Where the games began, if not at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<String>,
    /// Number of games.
    pub games: u64,
    /// How many of them were different, if not all: players that draw no random numbers repeat a game that begins alike. Only different
    /// games count in the statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub different_games: Option<u64>,
    /// The seed.
    pub seed: u64,
    /// Points of the first player; with both seats, the interval of the mean is over pairs of games.
    pub score: Summary,
    /// Moves of all players.
    pub moves: Summary,
    /// Points a move of a one-player game, over all games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points_per_move: Option<PointsPerMove>,
    /// Game-specific facts, by name.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, Finding>))]
    pub facts: Findings,
    /// Forfeited games, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forfeits: Option<Forfeits>,
    /// Elapsed time.
    pub seconds: f64,
    /// Number of threads.
    pub threads: usize,
    /// Games per second, all threads together.
    pub games_per_second: f64,
    /// Mean time per move on its thread, including all overhead.
    pub seconds_per_move: f64,
}

/// The points of all games by their moves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PointsPerMove {
    /// What a move is called: move, or piece.
    pub per: &'static str,
    /// The ratio.
    pub value: f64,
    /// Its 95 % interval; none for a single game.
    pub ci95: Option<[f64; 2]>,
}

/// Games that ended because a player gave up.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Forfeits {
    /// How many.
    pub games: u64,
    /// Why the first of them ended.
    pub first_reason: String,
}

/// Game-specific facts, in the game's order.
#[derive(Debug, Clone)]
pub struct Findings(pub Vec<(&'static str, Finding)>);

impl Serialize for Findings {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, finding)| (name, finding)))
    }
}

/// Statistics of one fact over many games.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Finding {
    /// A quantity.
    Count(Summary),
    /// A class: how often each occurred.
    Classes(BTreeMap<u64, Share>),
    /// A yes-or-no fact.
    Flag(Share),
}

/// Games that are played and added up before the next ones: their records are in memory together. Whole pairs of games.
const BLOCK: u64 = 1 << 18;

/// Plays the games of the plan until the workers stop. `finished` is called after every game, from any thread; `each` gets the records, block by
/// block, in the order of the games. Only the leading games without a gap count: among all finished games, short ones would be
/// over-represented. `None` if there are none.
pub fn measure(
    plan: &Plan,
    workers: &Workers,
    finished: &(dyn Fn() + Sync),
    each: &mut dyn FnMut(Vec<Record>),
) -> Result<Option<Measurement>, PlayError> {
    let plan = &plan.introduced()?;
    let started = Instant::now();
    let mut tally = Tally::new(plan);
    let batch = plan.batch();
    for first in (0..plan.games).step_by(BLOCK as usize) {
        let numbers: Vec<u64> = (first..plan.games.min(first + BLOCK)).collect();
        let records = in_order(numbers.len(), finished, |done| {
            plan.play_with(batch.clone(), &numbers, workers, &|number, record| {
                done((number - first) as usize, record);
            })
        })?;
        let records: Vec<Record> = records.into_iter().map_while(|record| record).collect();
        let is_whole = records.len() == numbers.len();
        tally.add(&records);
        each(records);
        if !is_whole {
            break;
        }
    }
    Ok((!tally.is_empty()).then(|| tally.measurement(started.elapsed())))
}

impl Plan {
    /// This plan with players that were tried out: bots have the names they introduce themselves by.
    fn introduced(&self) -> Result<Self, PlayError> {
        let specs = introduced(&self.game, self.table.specs())?;
        Ok(Self {
            table: Table::new(specs, self.table.move_time()),
            ..self.clone()
        })
    }

    /// Can the players play?
    pub fn try_out(&self) -> Result<(), PlayError> {
        try_out(&self.game, self.table.specs())
    }

    /// Plays the games with these numbers and passes on each when it is over, in any order, until the workers stop.
    pub fn play_each(
        &self,
        numbers: &[u64],
        workers: &Workers,
        done: &(dyn Fn(u64, Record) + Sync),
    ) -> Result<(), PlayError> {
        self.play_with(self.batch(), numbers, workers, done)
    }

    /// The same with the openings of an empty batch, which take a while to find.
    fn play_with(
        &self,
        mut batch: GameBatch,
        numbers: &[u64],
        workers: &Workers,
        done: &(dyn Fn(u64, Record) + Sync),
    ) -> Result<(), PlayError> {
        batch.tables = vec![self.table.clone(), self.table.swapped()];
        let seats = |&number: &u64| {
            let table = u32::from(self.plays_second(number));
            (table, self.dice_number(number))
        };
        batch.games = numbers.iter().map(seats).collect();
        workers.play_each(&batch, self.interest, &|place, mut record| {
            record.score = self.score_of(numbers[place], record.score);
            done(numbers[place], record);
        })
    }

    /// An empty batch with all openings of this measurement.
    fn batch(&self) -> GameBatch {
        let numbers = self.dice_number(self.games - 1) + 1;
        GameBatch::new(&self.game, self.seed).with_openings(&self.openings, numbers)
    }

    /// Is the measured player in the second seat in this game?
    fn plays_second(&self, number: u64) -> bool {
        let two = self.game.seats() == 2;
        two && self.both_seats && number % 2 == 1
    }

    /// The number that determines the dice of a game: with both seats, two games share theirs.
    fn dice_number(&self, number: u64) -> u64 {
        if self.both_seats { number / 2 } else { number }
    }

    /// Points of the measured player, given those of seat 0.
    #[must_use]
    pub fn score_of(&self, number: u64, score: i64) -> i64 {
        if self.plays_second(number) {
            -score
        } else {
            score
        }
    }

    /// A game of this measurement with all its steps; `None` if `stop` became true.
    pub fn replay(&self, number: u64, stop: &Cancelled) -> Result<Option<Replay>, PlayError> {
        let table = match self.plays_second(number) {
            false => self.table.clone(),
            true => self.table.swapped(),
        };
        let (batch, dice) = (self.batch(), self.dice_number(number));
        record_until(
            &self.game,
            batch.opening(dice),
            &table,
            (self.seed, dice),
            stop,
        )
    }

    /// Summarises the records of all games.
    #[must_use]
    pub fn sum_up(&self, records: &[Record], wall: Duration) -> Measurement {
        let mut tally = Tally::new(self);
        tally.add(records);
        tally.measurement(wall)
    }
}

impl Plan {
    /// The games without those that repeat earlier ones; with both seats, pairs of games without those that do. A pair counts as one
    /// observation, since both of its games begin alike.
    #[must_use]
    pub fn different<'r>(&self, records: &'r [Record]) -> Vec<&'r [Record]> {
        let units = records.chunks(self.unit()).zip(self.repeats(records));
        units
            .filter_map(|(unit, repeats)| repeats.is_none().then_some(unit))
            .collect()
    }

    /// For each game, the number of the earlier game that it repeats, if it and its partner do.
    #[must_use]
    pub fn repeated(&self, records: &[Record]) -> Vec<Option<u64>> {
        let (repeats, unit) = (self.repeats(records), self.unit());
        let of_game = |number: usize| {
            let earlier = repeats[number / unit]?;
            Some((earlier * unit + number % unit) as u64)
        };
        (0..records.len()).map(of_game).collect()
    }

    /// For each pair (or each game), the earlier one that it repeats.
    fn repeats(&self, records: &[Record]) -> Vec<Option<usize>> {
        let mut known = HashMap::new();
        let repeats = |(place, unit): (usize, &[Record])| {
            let same: Option<Vec<u64>> = unit.iter().map(|record| record.same).collect();
            let earlier = *known.entry(same?).or_insert(place);
            (earlier != place).then_some(earlier)
        };
        records
            .chunks(self.unit())
            .enumerate()
            .map(repeats)
            .collect()
    }

    /// How many games are one observation: with both seats two, which begin alike.
    #[must_use]
    pub fn unit(&self) -> usize {
        if self.both_seats { 2 } else { 1 }
    }

    /// Results of the measured player over pairs of games (or single games), each different one once.
    #[must_use]
    pub fn pairs(&self, records: &[Record]) -> Pairs {
        let mut pairs = Pairs::default();
        for unit in self.different(records) {
            let results: Vec<i64> = unit.iter().map(|record| record.score).collect();
            pairs.add(&results);
        }
        pairs
    }
}
