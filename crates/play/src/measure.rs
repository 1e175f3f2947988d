//! Plays many games with given players and sums them up.
//!
//! Game number i has its own generators, derived from the seed and i. Threads take games as they come
//! free, so they change how long it takes and nothing else.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use games::{AnyGame, Fact};
use players::Spec;
use serde::Serialize;

use crate::batch::GameBatch;
use crate::playing::{Interest, PlayError, Record, Table, Workers, in_order};
use crate::replay::{Replay, record_until};
use crate::seating::try_out;
use crate::stats::{Share, Summary};

/// The most games of one measurement; each takes some hundred bytes until the end.
pub const MOST_GAMES: u64 = 100_000_000;

/// What to measure.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The game with its rules.
    pub game: AnyGame,
    /// Who plays.
    pub table: Table,
    /// How many games, 1 to [`MOST_GAMES`].
    pub games: u64,
    /// From which all random numbers follow.
    pub seed: u64,
    /// How many threads play.
    pub threads: usize,
    /// Whether the time of every move is kept.
    pub interest: Interest,
    /// In a game for two: whether the players change seats after every game. Every second game then has the dice of the one before.
    pub both_seats: bool,
}

/// What the measurement found.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Measurement {
    /// The game's name.
    pub game: &'static str,
    /// All its rules.
    pub rules: BTreeMap<String, String>,
    /// The player at seat 0, by the label that people know it by.
    pub player: String,
    /// Its canonical text.
    pub spec: String,
    /// The player at seat 1, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Its canonical text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_spec: Option<String>,
    /// Whether the players changed seats after every game; scores are those of the first player.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub both_seats: bool,
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
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, Finding>))]
    pub facts: Findings,
    /// Games that a player could not play to their end, when there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forfeits: Option<Forfeits>,
    /// Time it took.
    pub seconds: f64,
    /// Threads that played.
    pub threads: usize,
    /// Games per second, all threads together.
    pub games_per_second: f64,
    /// Mean time of a move on its thread, everything included.
    pub seconds_per_move: f64,
}

/// Games that ended because a player could not go on.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Forfeits {
    /// How many.
    pub games: u64,
    /// Why the first of them ended.
    pub first_reason: String,
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
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Finding {
    /// Of a quantity.
    Count(Summary),
    /// Of a kind: how often each came.
    Classes(BTreeMap<u64, Share>),
    /// Of something that holds or not.
    Flag(Share),
}

/// Plays the games of the plan until `stop` is true. `finished` is called after every game, from any thread. What is summed up are
/// the first games that are over without a gap: of all that ended by then, short games would be too many. Nothing if no game is.
pub fn measure(
    plan: &Plan,
    workers: &Workers,
    stop: &AtomicBool,
    finished: &(dyn Fn() + Sync),
) -> Result<Option<(Measurement, Vec<Record>)>, PlayError> {
    plan.try_out()?;
    let started = Instant::now();
    let numbers: Vec<u64> = (0..plan.games).collect();
    let records = in_order(numbers.len(), finished, |done| {
        plan.play_each(&numbers, workers, stop, &|number, record| {
            done(number as usize, record);
        })
    })?;
    let records: Vec<Record> = records.into_iter().map_while(|record| record).collect();
    let some = !records.is_empty();
    Ok(some.then(|| (plan.sum_up(&records, started.elapsed()), records)))
}

impl Plan {
    /// Can the players play?
    pub fn try_out(&self) -> Result<(), PlayError> {
        try_out(&self.game, self.table.specs())
    }

    /// Plays the games of these numbers and hands each over when it is over, in whatever order. Begins no further game once `stop` is
    /// true.
    pub fn play_each(
        &self,
        numbers: &[u64],
        workers: &Workers,
        stop: &AtomicBool,
        done: &(dyn Fn(u64, Record) + Sync),
    ) -> Result<(), PlayError> {
        let mut batch = GameBatch::new(&self.game, self.seed);
        batch.tables = vec![self.table.clone(), self.table.swapped()];
        let seats = |&number: &u64| {
            let table = u32::from(self.plays_second(number));
            (table, self.dice_number(number))
        };
        batch.games = numbers.iter().map(seats).collect();
        workers.play_each(&batch, self.interest, stop, &|place, mut record| {
            record.score = self.score_of(numbers[place], record.score);
            done(numbers[place], record);
        })
    }

    /// Does the player that is measured sit second in this game?
    fn plays_second(&self, number: u64) -> bool {
        let two = self.game.seats() == 2;
        two && self.both_seats && number % 2 == 1
    }

    /// The number from which the dice of a game follow: with both seats, two games share theirs.
    fn dice_number(&self, number: u64) -> u64 {
        if self.both_seats { number / 2 } else { number }
    }

    /// Points of the player that is measured, from those of seat 0.
    #[must_use]
    pub fn score_of(&self, number: u64, score: i64) -> i64 {
        if self.plays_second(number) {
            -score
        } else {
            score
        }
    }

    /// A game of this measurement with all its steps; none if `stop` became true.
    pub fn replay(&self, number: u64, stop: &Arc<AtomicBool>) -> Result<Option<Replay>, PlayError> {
        let table = match self.plays_second(number) {
            false => self.table.clone(),
            true => self.table.swapped(),
        };
        record_until(
            &self.game,
            &table,
            self.seed,
            self.dice_number(number),
            stop,
        )
    }

    /// What the records of all games tell.
    #[must_use]
    pub fn sum_up(&self, records: &[Record], wall: Duration) -> Measurement {
        sum_up(self, records, wall)
    }
}

fn sum_up(plan: &Plan, records: &[Record], wall: Duration) -> Measurement {
    let column = |value: &dyn Fn(&Record) -> i64| records.iter().map(value).collect::<Vec<i64>>();
    let moves = column(&|record| i64::from(record.moves));
    let total_moves: i64 = moves.iter().sum();
    let busy: f64 = records.iter().map(|record| record.seconds).sum();
    let options = plan.game.options();
    let (player, against) = (&plan.table.specs()[0], plan.table.specs().get(1));
    Measurement {
        game: plan.game.family().name,
        rules: options
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        player: player.label(),
        spec: player.to_string(),
        against: against.map(Spec::label),
        against_spec: against.map(Spec::to_string),
        both_seats: plan.both_seats,
        games: records.len() as u64,
        seed: plan.seed,
        score: Summary::of(&column(&|record| record.score)),
        moves: Summary::of(&moves),
        facts: Findings(findings(&plan.game, records)),
        forfeits: forfeits(records),
        seconds: wall.as_secs_f64(),
        threads: plan.threads,
        games_per_second: records.len() as f64 / wall.as_secs_f64(),
        seconds_per_move: busy / total_moves.max(1) as f64,
    }
}

fn forfeits(records: &[Record]) -> Option<Forfeits> {
    let mut reasons = records.iter().filter_map(|record| record.forfeit.as_ref());
    let (_, first_reason) = reasons.next()?.clone();
    Some(Forfeits {
        games: 1 + reasons.count() as u64,
        first_reason,
    })
}

/// Results of a game for two, then what the game itself has to tell.
fn findings(game: &AnyGame, records: &[Record]) -> Vec<(&'static str, Finding)> {
    let mut findings = Vec::new();
    if game.seats() == 2 {
        for (name, result) in [("wins", 1), ("draws", 0), ("losses", -1)] {
            let games = records
                .iter()
                .filter(|record| record.score == result)
                .count() as u64;
            findings.push((name, Finding::Flag(Share::new(games, records.len() as u64))));
        }
    }
    for (place, (name, fact)) in game.facts().into_iter().enumerate() {
        let values: Vec<u64> = records.iter().map(|record| record.facts[place]).collect();
        findings.push((name, find(fact, &values)));
    }
    findings
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
            let shares = counts
                .into_iter()
                .map(|(class, n)| (class, Share::new(n, total)));
            Finding::Classes(shares.collect())
        }
    }
}
