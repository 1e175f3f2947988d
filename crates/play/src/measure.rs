//! Plays many games with given players and summarises them.
//!
//! Game number i has its own generators, derived from the seed and i. Idle threads take the next game, so
//! their number changes only how long it takes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use games::{AnyGame, Fact, Options};
use players::{Cancelled, Spec};
use serde::Serialize;

use crate::batch::GameBatch;
use crate::openings::Openings;
use crate::playing::{Interest, PlayError, Record, Table, Workers, in_order};
use crate::replay::{Replay, record_until};
use crate::seating::{introduced, try_out};
use crate::stats::{Pairs, Share, Summary, mean_interval, possible, ratio};

/// The most games of one measurement; each takes about a hundred bytes of memory.
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

impl PointsPerMove {
    fn of(game: &AnyGame, units: &[&[Record]]) -> Option<Self> {
        if game.seats() != 1 {
            return None;
        }
        let records = || units.iter().copied().flatten();
        let points: Vec<f64> = records().map(|record| record.score as f64).collect();
        let moves: Vec<f64> = records().map(|record| record.moves.into()).collect();
        let (value, ci95) = ratio(&points, &moves)?;
        let per = game.family().move_name;
        Some(Self { per, value, ci95 })
    }
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

/// Plays the games of the plan until the workers stop. `finished` is called after every game, from any thread. Only the leading games
/// without a gap count: among all finished games, short ones would be over-represented. `None` if there are none.
pub fn measure(
    plan: &Plan,
    workers: &Workers,
    finished: &(dyn Fn() + Sync),
) -> Result<Option<(Measurement, Vec<Record>)>, PlayError> {
    let plan = &plan.introduced()?;
    let started = Instant::now();
    let numbers: Vec<u64> = (0..plan.games).collect();
    let records = in_order(numbers.len(), finished, |done| {
        plan.play_each(&numbers, workers, &|number, record| {
            done(number as usize, record);
        })
    })?;
    let records: Vec<Record> = records.into_iter().map_while(|record| record).collect();
    let some = !records.is_empty();
    Ok(some.then(|| (plan.sum_up(&records, started.elapsed()), records)))
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
        let mut batch = self.batch();
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
        sum_up(self, records, wall)
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

/// The values that a result of a two-player game can have.
const RESULTS: [f64; 2] = [-1.0, 1.0];
/// The values that anything counted can have.
const COUNTS: [f64; 2] = [0.0, f64::INFINITY];

/// The score. Results that are all won or all lost have the interval of their share: their own would have no width.
fn score(game: &AnyGame, units: &[&[Record]]) -> Summary {
    if game.seats() != 2 {
        return summary(units, COUNTS, |record| record.score);
    }
    let mut summary = summary(units, RESULTS, |record| record.score);
    if summary.min == summary.max && summary.min != 0 && units.len() > 1 {
        let won = if summary.min > 0 { units.len() } else { 0 };
        let share = Share::new(won as u64, units.len() as u64);
        summary.ci95 = Some(share.ci95.map(|end| 2.0 * end - 1.0));
    }
    summary
}

/// A number of every game, which can have the values of the range: the mean is that of the games, its interval that of the units.
fn summary(units: &[&[Record]], range: [f64; 2], of: impl Fn(&Record) -> i64) -> Summary {
    let values = units.iter().flat_map(|unit| unit.iter());
    let values: Vec<i64> = values.map(&of).collect();
    let mut summary = Summary::of(&values);
    if units.len() < values.len() {
        let mean = |unit: &&[Record]| {
            let sum: i64 = unit.iter().map(&of).sum();
            sum as f64 / unit.len() as f64
        };
        let means: Vec<f64> = units.iter().map(mean).collect();
        summary.ci95 = mean_interval(&means);
    }
    let seen = [summary.min as f64, summary.max as f64];
    summary.ci95 = summary.ci95.map(|ci95| possible(ci95, range, seen));
    summary
}

/// How often something holds in a game; the interval is over the units.
fn share(units: &[&[Record]], holds: impl Fn(&Record) -> bool) -> Share {
    let count = |unit: &&[Record]| {
        let held = unit.iter().filter(|record| holds(record)).count();
        (held as u64, unit.len() as u64)
    };
    Share::of_units(units.iter().map(count))
}

fn sum_up(plan: &Plan, all: &[Record], wall: Duration) -> Measurement {
    let units = plan.different(all);
    let different: usize = units.iter().map(|unit| unit.len()).sum();
    let total_moves: u64 = all.iter().map(|record| u64::from(record.moves)).sum();
    let busy: f64 = all.iter().map(|record| record.seconds).sum();
    let (player, against) = (&plan.table.specs()[0], plan.table.specs().get(1));
    Measurement {
        game: plan.game.family().name,
        rules: plan.game.options(),
        player: player.label(),
        spec: player.to_string(),
        against: against.map(Spec::label),
        against_spec: against.map(Spec::to_string),
        both_seats: plan.both_seats,
        openings: plan.openings.named(&plan.game, plan.seed),
        games: all.len() as u64,
        different_games: (different < all.len()).then_some(different as u64),
        seed: plan.seed,
        score: score(&plan.game, &units),
        moves: summary(&units, COUNTS, |record| i64::from(record.moves)),
        points_per_move: PointsPerMove::of(&plan.game, &units),
        facts: Findings(findings(&plan.game, &units)),
        forfeits: forfeits(all),
        seconds: wall.as_secs_f64(),
        threads: plan.threads,
        games_per_second: all.len() as f64 / wall.as_secs_f64(),
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

/// Results of a two-player game, then the game's own facts.
fn findings(game: &AnyGame, units: &[&[Record]]) -> Vec<(&'static str, Finding)> {
    let mut findings = Vec::new();
    if game.seats() == 2 {
        for (name, result) in [("wins", 1), ("draws", 0), ("losses", -1)] {
            let share = share(units, |record| record.score == result);
            findings.push((name, Finding::Flag(share)));
        }
    }
    for (place, (name, fact)) in game.facts().into_iter().enumerate() {
        findings.push((name, find(fact, place, units)));
    }
    findings
}

/// The statistics of the fact at this place.
fn find(fact: Fact, place: usize, units: &[&[Record]]) -> Finding {
    let value = |record: &Record| record.facts[place];
    match fact {
        Fact::Count(_) => Finding::Count(summary(units, COUNTS, |record| value(record) as i64)),
        Fact::Flag(_) => Finding::Flag(share(units, |record| value(record) != 0)),
        Fact::Class(_) => {
            let records = units.iter().flat_map(|unit| unit.iter());
            let classes: BTreeSet<u64> = records.map(value).collect();
            let share_of = |class| (class, share(units, |record| value(record) == class));
            Finding::Classes(classes.into_iter().map(share_of).collect())
        }
    }
}
