//! The statistics of a measurement, added up block by block: its memory depends on how different the numbers of the games are, not on how
//! many games there are.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use games::{AnyGame, Fact};
use players::Spec;

use super::{Finding, Findings, Forfeits, Measurement, Plan, PointsPerMove};
use crate::record::Record;
use crate::stats::{Counts, RatioOfSums, Share, Summary, interval_of, possible};

/// The values that a result of a two-player game can have.
const RESULTS: [f64; 2] = [-1.0, 1.0];
/// The values that anything counted can have.
const COUNTS: [f64; 2] = [0.0, f64::INFINITY];

/// What a number that is counted in games can be, where no game has more moves than these.
#[must_use]
pub fn counts(name: &str, most_moves: Option<u64>) -> [f64; 2] {
    match (name, most_moves) {
        ("moves" | "pieces", Some(most)) => [0.0, most as f64],
        _ => COUNTS,
    }
}

/// What is known of the games so far. A unit is what counts as one observation: a game, or with both seats two that begin alike.
pub(super) struct Tally<'a> {
    plan: &'a Plan,
    /// Units whose players drew no random numbers, by what they played: whoever plays them again adds nothing.
    known: HashSet<Vec<u64>>,
    /// Units by their number of games, which differs only in the last.
    units: BTreeMap<u64, u64>,
    games: u64,
    moves_in_all: u64,
    busy: f64,
    forfeits: Option<Forfeits>,
    score: Number,
    moves: Number,
    points_per_move: RatioOfSums,
    results: Vec<(&'static str, i64, Held)>,
    facts: Vec<(&'static str, FactTally)>,
}

/// A number of every game.
struct Number {
    of_games: Counts,
    /// With both seats: sums over the games of a unit, by the number of its games.
    of_units: Option<BTreeMap<u64, Counts>>,
}

/// In how many games of a unit something held, and how many there are: units by that, without those in which it never did.
#[derive(Default)]
struct Held(BTreeMap<(u64, u64), u64>);

/// What is known of a fact of the game.
enum FactTally {
    Count(Number),
    Classes(BTreeMap<u64, Held>),
    Flag(Held),
}

impl<'a> Tally<'a> {
    pub(super) fn new(plan: &'a Plan) -> Self {
        let results: &[_] = match plan.game.seats() {
            2 => &[("wins", 1), ("draws", 0), ("losses", -1)],
            _ => &[],
        };
        let number = || Number {
            of_games: Counts::default(),
            of_units: (plan.unit() > 1).then(BTreeMap::new),
        };
        let fact = |(name, fact)| {
            let tally = match fact {
                Fact::Count(_) => FactTally::Count(number()),
                Fact::Class(_) => FactTally::Classes(BTreeMap::new()),
                Fact::Flag(_) => FactTally::Flag(Held::default()),
            };
            (name, tally)
        };
        Self {
            plan,
            known: HashSet::new(),
            units: BTreeMap::new(),
            games: 0,
            moves_in_all: 0,
            busy: 0.0,
            forfeits: None,
            score: number(),
            moves: number(),
            points_per_move: RatioOfSums::default(),
            results: results
                .iter()
                .map(|&(name, result)| (name, result, Held::default()))
                .collect(),
            facts: plan.game.facts().into_iter().map(fact).collect(),
        }
    }

    /// Adds the next games. All blocks but the last must have whole units.
    pub(super) fn add(&mut self, records: &[Record]) {
        for record in records {
            self.games += 1;
            self.moves_in_all += u64::from(record.moves);
            self.busy += record.seconds;
            if let Some((_, reason)) = &record.forfeit {
                let forfeits = self.forfeits.get_or_insert_with(|| Forfeits {
                    games: 0,
                    first_reason: reason.clone(),
                });
                forfeits.games += 1;
            }
        }
        let units: Vec<&[Record]> = records
            .chunks(self.plan.unit())
            .filter(|unit| is_new(&mut self.known, unit))
            .collect();
        for unit in &units {
            *self.units.entry(unit.len() as u64).or_default() += 1;
        }
        self.score.add(&units, |record| record.score);
        self.moves.add(&units, |record| record.moves.into());
        for record in units.iter().copied().flatten() {
            self.points_per_move.add(record.score, record.moves.into());
        }
        for (_, result, held) in &mut self.results {
            held.add(&units, |record| record.score == *result);
        }
        for (place, (_, fact)) in self.facts.iter_mut().enumerate() {
            fact.add(&units, |record| record.facts[place]);
        }
    }

    /// Whether there are any games.
    pub(super) fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// The measurement of all games, of which there must be some.
    pub(super) fn measurement(self, wall: Duration) -> Measurement {
        let plan = self.plan;
        let (player, against) = (&plan.table.specs()[0], plan.table.specs().get(1));
        let different = self.units.iter().map(|(games, units)| games * units).sum();
        Measurement {
            game: plan.game.family().name,
            rules: plan.game.options(),
            player: player.label(),
            spec: player.to_string(),
            against: against.map(Spec::label),
            against_spec: against.map(Spec::to_string),
            both_seats: plan.both_seats,
            openings: plan.openings.named(&plan.game, plan.seed),
            games: self.games,
            different_games: (different < self.games).then_some(different),
            seed: plan.seed,
            score: self.score(),
            moves: self.moves.summary(counts("moves", plan.game.most_moves())),
            points_per_move: self.points_per_move(&plan.game),
            facts: Findings(self.findings()),
            seconds: wall.as_secs_f64(),
            threads: plan.threads,
            games_per_second: self.games as f64 / wall.as_secs_f64(),
            seconds_per_move: self.busy / self.moves_in_all.max(1) as f64,
            forfeits: self.forfeits,
        }
    }

    /// The score. Results that are all won or all lost have the interval of their share: their own would have no width.
    fn score(&self) -> Summary {
        if self.plan.game.seats() != 2 {
            return self.score.summary(COUNTS);
        }
        let mut summary = self.score.summary(RESULTS);
        let units = self.units.values().sum();
        if summary.min == summary.max && summary.min != 0 && units > 1 {
            let won = if summary.min > 0 { units } else { 0 };
            summary.ci95 = Some(Share::new(won, units).ci95.map(|end| 2.0 * end - 1.0));
        }
        summary
    }

    fn points_per_move(&self, game: &AnyGame) -> Option<PointsPerMove> {
        if game.seats() != 1 {
            return None;
        }
        let (value, ci95) = self.points_per_move.ratio()?;
        let per = game.family().move_name;
        Some(PointsPerMove { per, value, ci95 })
    }

    /// Results of a two-player game, then the game's own facts.
    fn findings(&self) -> Vec<(&'static str, Finding)> {
        let units = &self.units;
        let results = self.results.iter();
        let results = results.map(|(name, _, held)| (*name, Finding::Flag(held.share(units))));
        let facts = self.facts.iter();
        let most_moves = self.plan.game.most_moves();
        let facts = facts.map(|(name, fact)| {
            let range = counts(name, most_moves);
            (*name, fact.finding(units, range))
        });
        results.chain(facts).collect()
    }
}

/// Whether these games repeat none that are known; if so they are known from now on.
fn is_new(known: &mut HashSet<Vec<u64>>, unit: &[Record]) -> bool {
    let same: Option<Vec<u64>> = unit.iter().map(|record| record.same).collect();
    same.is_none_or(|same| known.insert(same))
}

impl Number {
    fn add(&mut self, units: &[&[Record]], of: impl Fn(&Record) -> i64) {
        let records = units.iter().copied().flatten();
        self.of_games.add(records.map(&of).collect());
        if let Some(of_units) = &mut self.of_units {
            let mut sums: BTreeMap<u64, Vec<i64>> = BTreeMap::new();
            for unit in units {
                let sum = unit.iter().map(&of).sum();
                sums.entry(unit.len() as u64).or_default().push(sum);
            }
            for (games, sums) in sums {
                of_units.entry(games).or_default().add(sums);
            }
        }
    }

    /// The mean is that of the games, its interval that of the units; the number can have the values of the range.
    fn summary(&self, range: [f64; 2]) -> Summary {
        let mut summary = self.of_games.summary();
        if let Some(of_units) = &self.of_units {
            let means = of_units.iter().flat_map(|(&games, sums)| {
                let mean = move |(sum, count)| (sum / games as f64, count);
                sums.values().map(mean)
            });
            summary.ci95 = interval_of(means);
        }
        let seen = [summary.min as f64, summary.max as f64];
        summary.ci95 = summary.ci95.map(|ci95| possible(ci95, range, seen));
        summary
    }
}

impl Held {
    fn add(&mut self, units: &[&[Record]], holds: impl Fn(&Record) -> bool) {
        for unit in units {
            let held = unit.iter().filter(|record| holds(record)).count() as u64;
            if held > 0 {
                *self.0.entry((held, unit.len() as u64)).or_default() += 1;
            }
        }
    }

    /// How often it held in a game; the interval is over all units.
    fn share(&self, units: &BTreeMap<u64, u64>) -> Share {
        let never = units.iter().map(|(&games, &units)| {
            let of_size = self.0.iter().filter(|((_, size), _)| *size == games);
            (
                0,
                games,
                units - of_size.map(|(_, count)| count).sum::<u64>(),
            )
        });
        let held = self.0.iter();
        Share::of_units(
            held.map(|(&(held, games), &units)| (held, games, units))
                .chain(never),
        )
    }
}

impl FactTally {
    fn add(&mut self, units: &[&[Record]], of: impl Fn(&Record) -> u64) {
        match self {
            Self::Count(number) => number.add(units, |record| of(record) as i64),
            Self::Flag(held) => held.add(units, |record| of(record) != 0),
            Self::Classes(classes) => {
                for unit in units {
                    let mut found: Vec<u64> = unit.iter().map(&of).collect();
                    found.sort_unstable();
                    for equal in found.chunk_by(|a, b| a == b) {
                        let held = classes.entry(equal[0]).or_default();
                        let key = (equal.len() as u64, unit.len() as u64);
                        *held.0.entry(key).or_default() += 1;
                    }
                }
            }
        }
    }

    fn finding(&self, units: &BTreeMap<u64, u64>, range: [f64; 2]) -> Finding {
        match self {
            Self::Count(number) => Finding::Count(number.summary(range)),
            Self::Flag(held) => Finding::Flag(held.share(units)),
            Self::Classes(classes) => {
                let share = |(&class, held): (&u64, &Held)| (class, held.share(units));
                Finding::Classes(classes.iter().map(share).collect())
            }
        }
    }
}
