//! `cost`: the time of moves in Connect-N compared with theory.
//!
//! In every position of random games every player is asked for its move, so all are timed in the same games. connect-n plots time / a^b
//! against a^b, with a = columns that are not full and b = empty cells, for the searches through the whole tree (688 moves; with pruning only 9 were
//! slower); and states that time / (M N^2) of the weighted player is flat on boards of 2 to 10 rows and columns.
//!
//! Times are processor time of the thread, so other load does not count; a time is the shortest of several, each of enough moves for the resolution
//! of the clock, because cold caches only add to it.
//! Times are in the status of the run; its outcome has what is the same on every machine: positions, and nodes of the searches.

mod judged;
mod times;

use std::time::Duration;

use games::AnyGame;
use games::connect::Rules;
use players::{Spec, Tunable};
use streams::derive;

use self::judged::Judged;
use self::times::{SHARE_SLOWER, SPREAD, SPREAD_LARGE, is_large, seconds_of};
use super::boards::{self, CASES, case_by_case};
use super::forecast::{long_time, seconds_by_ply};
use super::{Experiment, Kind, Short};
use crate::run::context::{RunContext, RunError};
use crate::run::outcome::{Outcome, Table};
use crate::study::keys;
use crate::study::reading::Reading;
use play::playing::Workers;
use play::seating::{try_out, tunable};
use play::stats::Better;

/// The kind.
pub(super) const KIND: Kind = Kind {
    name: "cost",
    about: "times moves of Connect-N on boards of many sizes, compared with theory",
    keys: &[
        &[keys::COST_PLAYERS.info()],
        &CASES,
        &[
            keys::COST_GAMES.info(),
            keys::COST_REPEATS.info(),
            keys::COST_PER.info(),
            keys::COST_WEIGHTS.info(),
        ],
    ],
    short: &[
        (keys::COST_GAMES.path(), Short::AtMost(1)),
        (keys::COST_REPEATS.path(), Short::AtMost(2)),
    ],
    read,
};

const PASS: &str = "rows*columns^2";
const BOARDS_OF_TREES: [&str; 6] = ["3x3", "2x3", "3x2", "2x4", "4x2", "4x3"];
const PLAYERS: [&str; 2] = ["minimax(depth=100)", "alphabeta(depth=100)"];

fn read(reading: &mut Reading<'_>) -> Option<Box<dyn Experiment>> {
    let cases = boards::read_cases(reading, &BOARDS_OF_TREES);
    let known = cases.as_deref().unwrap_or_default();
    let names = reading
        .get(keys::COST_PLAYERS)
        .unwrap_or_else(|| PLAYERS.map(str::to_owned).to_vec());
    if names.is_empty() {
        reading.flaw(
            keys::COST_PLAYERS.path(),
            "is empty; e.g. [\"minimax(depth=100)\"]",
        );
    }
    let players: Vec<Spec> = names
        .iter()
        .filter_map(|name| boards::read_player(reading, keys::COST_PLAYERS.path(), name, known))
        .collect();
    if players.is_empty() || players.len() < names.len() {
        return None;
    }
    let draws_weights = reading.get(keys::COST_WEIGHTS).as_deref() == Some("drawn");
    if draws_weights && !players.iter().any(|player| has_weights(player, known)) {
        let problem = "drawn: none of the players has weights";
        reading.flaw(keys::COST_WEIGHTS.path(), problem);
    }
    Some(Box::new(Cost {
        draws_weights,
        players: names.into_iter().zip(players).collect(),
        games: reading.value_of(keys::COST_GAMES),
        repeats: reading.value_of(keys::COST_REPEATS),
        per: match reading.get(keys::COST_PER).as_deref() {
            Some(PASS) => Per::Pass,
            _ => Per::Tree,
        },
        largest: boards::game(*known.iter().max_by_key(|rules| rules.cells())?),
        cases: cases?,
    }))
}

fn has_weights(player: &Spec, cases: &[Rules]) -> bool {
    let found = cases
        .first()
        .map(|&rules| tunable(&boards::game(rules), player));
    matches!(found, Some(Ok(Tunable::Weights(_))))
}

/// What the time should grow with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Per {
    Tree,
    Pass,
}

/// Times of players.
#[derive(Debug)]
struct Cost {
    cases: Vec<Rules>,
    /// Players with their names in the study.
    players: Vec<(String, Spec)>,
    games: u64,
    repeats: u32,
    per: Per,
    /// Whether weights are drawn anew for every position.
    draws_weights: bool,
    largest: AnyGame,
}

impl Experiment for Cost {
    fn steps(&self) -> u64 {
        self.cases.len() as u64
    }

    fn step_name(&self) -> &'static str {
        "cases"
    }

    fn games(&self) -> Option<u64> {
        Some(self.cases.len() as u64 * self.games)
    }

    fn game(&self) -> Option<&AnyGame> {
        Some(&self.largest)
    }

    fn main_metric(&self) -> (String, Better) {
        let name = match self.per {
            Per::Pass if self.cases.iter().any(is_large) => SPREAD_LARGE.to_owned(),
            Per::Pass => SPREAD.to_owned(),
            Per::Tree if self.players.len() > 1 => SHARE_SLOWER.to_owned(),
            Per::Tree => seconds_of(&self.players[0].0),
        };
        (name, Better::Lower)
    }

    fn wants_the_machine(&self) -> bool {
        true
    }

    fn run(&self, seed: u64, context: &mut RunContext<'_>) -> Result<Outcome, RunError> {
        let specs: Vec<Spec> = self.players.iter().map(|(_, spec)| spec.clone()).collect();
        try_out(&self.largest, &specs)?;
        let work = |case: usize, context: &RunContext<'_>| {
            let judged =
                self.judge_case(self.cases[case], derive(seed, &[case as u64]), context)?;
            judged.ok_or(RunError::Interrupted)
        };
        let found = case_by_case(&self.cases, context, work, |_| self.games)?;
        self.tell_times(&found, context);
        Ok(self.outcome(&found))
    }

    fn calibrate(
        &self,
        seed: u64,
        workers: &Workers,
        time: Duration,
    ) -> Result<Duration, RunError> {
        let share = time / (self.players.len() * self.cases.len()) as u32;
        let mut seconds = 0.0;
        for &rules in &self.cases {
            for (_, spec) in &self.players {
                let moves = seconds_by_ply(rules, spec, seed, share, workers.stop())?;
                let game: f64 = moves.iter().map(|&once| self.time_of_timing(once)).sum();
                seconds += game * self.games as f64;
            }
        }
        Ok(long_time(seconds))
    }
}

/// Results that do not depend on the machine.
impl Cost {
    fn outcome(&self, found: &[Vec<Judged>]) -> Outcome {
        let all: Vec<&Judged> = found.iter().flatten().collect();
        let mut outcome = Outcome::default();
        outcome.number("cases", found.len() as f64);
        outcome.number("games", (found.len() as u64 * self.games) as f64);
        outcome.number("moves", all.len() as f64);
        for (place, (name, _)) in self.players.iter().enumerate() {
            if let Some(nodes) = sum_nodes(all.iter().copied(), place) {
                outcome.number(&format!("nodes of {name}"), nodes as f64);
            }
        }
        compare_nodes(&all, &mut outcome);
        outcome.tables.push(self.table(found));
        outcome
    }

    fn table(&self, found: &[Vec<Judged>]) -> Table {
        let players = self.players.iter();
        let mut head = ["board", "C", "P", "moves"].map(str::to_owned).to_vec();
        head.extend(players.map(|(name, _)| format!("nodes of {name}")));
        let row = |(rules, judged): (&Rules, &Vec<Judged>)| {
            let mut row = vec![
                boards::size(*rules),
                rules.connect.to_string(),
                rules.pieces.to_string(),
                judged.len().to_string(),
            ];
            row.extend((0..self.players.len()).map(|place| {
                sum_nodes(judged.iter(), place).map_or("-".to_owned(), |nodes| nodes.to_string())
            }));
            row
        };
        Table {
            title: "Positions judged".to_owned(),
            head,
            rows: self.cases.iter().zip(found).map(row).collect(),
        }
    }
}

/// Compares the second player's nodes with the first's, if both count them.
fn compare_nodes(all: &[&Judged], outcome: &mut Outcome) {
    let pair = |judged: &&Judged| Some(((*judged.nodes.first()?)?, (*judged.nodes.get(1)?)?));
    let Some(pairs) = all.iter().map(pair).collect::<Option<Vec<(u64, u64)>>>() else {
        return;
    };
    let share =
        |is: fn(&&(u64, u64)) -> bool| pairs.iter().filter(is).count() as f64 / pairs.len() as f64;
    outcome.number("share fewer nodes", share(|pair| pair.1 < pair.0));
    outcome.number("share more nodes", share(|pair| pair.1 > pair.0));
}

fn sum_nodes<'a>(judged: impl Iterator<Item = &'a Judged>, player: usize) -> Option<u64> {
    judged.map(|judged| judged.nodes[player]).sum()
}
