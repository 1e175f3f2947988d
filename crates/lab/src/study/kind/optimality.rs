//! `optimality`: does a player of Connect-N ever do worse than the value of the board?
//!
//! The check of connect-n: on many small boards the player plays against a random one, as first and as second, 3^(M N) games each; an
//! optimal player never scores less than the game-theoretic value of the empty board. The value comes from the solver, which shares no
//! code with the searches. Against `every-reply` the games are not a sample: all that can come up are followed, which proves it.

use std::sync::Mutex;
use std::time::Duration;

use games::AnyGame;
use games::connect::Rules;
use players::solver::{AnySolver, Budget, Config, Verdict};
use serde::{Deserialize, Serialize};
use streams::derive;

use super::boards::{self, CASES, case_by_case};
use super::forecast::{long_time, seconds_by_ply};
use super::{Experiment, Kind, Short};
use crate::run::context::{RunContext, RunError};
use crate::run::outcome::{Outcome, Table as Rows};
use crate::study::key::Key;
use crate::study::keys;
use crate::study::reading::Reading;
use play::batch::GameBatch;
use play::playing::{Interest, Table, Workers};
use play::replies::every_reply;
use play::seating::{draws, is_bot, try_out};
use play::stats::Better;
use players::Cancelled;

/// The kind.
pub(super) const KIND: Kind = Kind {
    name: "optimality",
    about: "checks on small boards of Connect-N that a player never does worse than the value of the board",
    keys: &[
        &[keys::PLAYER.info()],
        &CASES,
        &[
            keys::CHECK_GAMES.info(),
            keys::CHECK_AGAINST.info(),
            keys::CHECK_POSITIONS.info(),
        ],
    ],
    short: &[(keys::CHECK_GAMES.path(), Short::AtMost(10))],
    read,
};

/// Boards of connect-n that are small enough for a search without pruning.
const SMALL: [&str; 8] = ["2x2", "3x3", "2x3", "3x2", "2x4", "4x2", "3x4", "4x3"];
const PLAYER: &str = "alphabeta(depth=100)";
const RANDOM: &str = "random";
/// The name that means all moves of the opponent.
const EVERY_REPLY: &str = "every-reply";

fn read(reading: &mut Reading<'_>) -> Option<Box<dyn Experiment>> {
    let cases = boards::read_cases(reading, &SMALL);
    let known = cases.as_deref().unwrap_or_default();
    let given =
        |key: Key<String>, usual: &str| reading.get(key).unwrap_or_else(|| usual.to_owned());
    let (text, against) = (
        given(keys::PLAYER, PLAYER),
        given(keys::CHECK_AGAINST, RANDOM),
    );
    let mut player =
        |key: Key<String>, text: &str| boards::read_player(reading, key.path(), text, known);
    let every_reply = against == EVERY_REPLY;
    // Boards with too many positions are sampled.
    let opponent = if every_reply { RANDOM } else { &against };
    let (player, opponent) = (
        player(keys::PLAYER, &text),
        player(keys::CHECK_AGAINST, opponent),
    );
    let largest = boards::game(*known.iter().max_by_key(|rules| rules.cells())?);
    let player = player?;
    if every_reply && (draws(&largest, &player) || is_bot(&player)) {
        let problem = format!(
            "{EVERY_REPLY} needs a player that has one move in every position: no random numbers and no program"
        );
        reading.flaw(keys::CHECK_AGAINST.path(), problem);
        return None;
    }
    Some(Box::new(Optimality {
        games: reading.value_of(keys::CHECK_GAMES),
        most: every_reply.then(|| reading.value_of(keys::CHECK_POSITIONS)),
        table: Table::new(vec![player, opponent?], None),
        largest,
        cases: cases?,
    }))
}

/// A check of a player.
#[derive(Debug)]
struct Optimality {
    cases: Vec<Rules>,
    /// Maximum number of games per case and starting order.
    games: u64,
    /// Against every reply: the maximum number of positions per case and starting order.
    most: Option<u64>,
    /// The player and its opponent.
    table: Table,
    largest: AnyGame,
}

/// The result of a case.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Found {
    /// Value of the empty board for the first player: 1, 0 or -1.
    value: i64,
    /// Results of the player as first.
    first: Results,
    /// Results of the player as second.
    second: Results,
    /// Positions that came up, if all games that can be were followed.
    #[serde(default)]
    positions: Option<u64>,
}

/// Games by their result for the player: lost, drawn, won.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Results([u64; 3]);

impl Results {
    fn add(&mut self, score: i64) {
        self.0[(score.signum() + 1) as usize] += 1;
    }

    fn all(self) -> u64 {
        self.0.iter().sum()
    }

    fn worse_than(self, value: i64) -> u64 {
        self.0[..(value + 1) as usize].iter().sum()
    }

    fn better_than(self, value: i64) -> u64 {
        self.0[(value + 2) as usize..].iter().sum()
    }
}

impl Found {
    fn games(&self) -> u64 {
        self.first.all() + self.second.all()
    }

    fn worse(&self) -> [u64; 2] {
        let (first, second) = (self.first, self.second);
        [first.worse_than(self.value), second.worse_than(-self.value)]
    }

    fn better(&self) -> [u64; 2] {
        let (first, second) = (self.first, self.second);
        [
            first.better_than(self.value),
            second.better_than(-self.value),
        ]
    }
}

impl Experiment for Optimality {
    fn steps(&self) -> u64 {
        self.cases.len() as u64
    }

    fn step_name(&self) -> &'static str {
        "cases"
    }

    fn games(&self) -> Option<u64> {
        // How many games there are against every reply is known when they have been followed.
        if self.most.is_some() {
            return None;
        }
        let games = self.cases.iter().map(|&rules| 2 * self.games_of(rules));
        Some(games.sum())
    }

    fn game(&self) -> Option<&AnyGame> {
        Some(&self.largest)
    }

    fn main_metric(&self) -> (String, Better) {
        ("worse games".to_owned(), Better::Lower)
    }

    fn run(&self, seed: u64, context: &mut RunContext<'_>) -> Result<Outcome, RunError> {
        try_out(&self.largest, self.table.specs())?;
        let work = |case: usize, context: &RunContext<'_>| {
            let seed = derive(seed, &[case as u64]);
            self.check(self.cases[case], seed, context)
        };
        let found = case_by_case(&self.cases, context, work, Found::games)?;
        Ok(outcome(&self.cases, &found))
    }

    fn calibrate(
        &self,
        seed: u64,
        workers: &Workers,
        time: Duration,
    ) -> Result<Duration, RunError> {
        let share = time / (2 * self.cases.len() as u32);
        let mut seconds = 0.0;
        if let Some(most) = self.most {
            for &rules in &self.cases {
                let player = &self.table.specs()[0];
                let by_ply = seconds_by_ply(rules, player, seed, share, workers.stop())?;
                seconds += following(rules, &by_ply, most, workers)?;
            }
            return Ok(long_time(seconds));
        }
        for &rules in &self.cases {
            // Playing first and second, both players together move once in every position.
            for spec in self.table.specs() {
                let pair: f64 = seconds_by_ply(rules, spec, seed, share, workers.stop())?
                    .iter()
                    .sum();
                seconds += pair * self.games_of(rules) as f64 / workers.threads() as f64;
            }
        }
        Ok(long_time(seconds))
    }
}

impl Optimality {
    /// Games per starting order: as in connect-n, but at most the configured number.
    fn games_of(&self, rules: Rules) -> u64 {
        let published = 3_u64.checked_pow(rules.cells()).unwrap_or(u64::MAX);
        published.min(self.games)
    }

    fn check(&self, rules: Rules, seed: u64, context: &RunContext<'_>) -> Result<Found, RunError> {
        let game = boards::game(rules);
        let value = value(&game, context.stop()).ok_or(RunError::Interrupted)?;
        if let Some((positions, [first, second])) = self.follow(&game, context)? {
            return Ok(Found {
                value,
                first,
                second,
                positions: Some(positions),
            });
        }
        let [first, second] = self.play(&game, self.games_of(rules), seed, context)?;
        Ok(Found {
            value,
            first,
            second,
            positions: None,
        })
    }

    /// All games of the player as first and as second, and how many positions come up in them; `None` if they are too many, or a sample
    /// was asked for.
    fn follow(
        &self,
        game: &AnyGame,
        context: &RunContext<'_>,
    ) -> Result<Option<(u64, [Results; 2])>, RunError> {
        let Some(most) = self.most else {
            return Ok(None);
        };
        let (mut positions, mut results) = (0, [Results::default(); 2]);
        for seat in [0, 1] {
            let player = &self.table.specs()[0];
            let Some(replies) = every_reply(game, player, seat, most, context.workers())? else {
                return Ok(None);
            };
            positions += replies.positions();
            results[usize::from(seat)] = Results(replies.games);
        }
        Ok(Some((positions, results)))
    }

    /// Results of the player as first and as second. A bot that gives up has lost.
    fn play(
        &self,
        game: &AnyGame,
        games: u64,
        seed: u64,
        context: &RunContext<'_>,
    ) -> Result<[Results; 2], RunError> {
        let mut batch = GameBatch::new(game, seed);
        batch.tables = vec![self.table.clone(), self.table.swapped()];
        let pair = |number| [(0, 2 * number), (1, 2 * number + 1)];
        batch.games = (0..games).flat_map(pair).collect();
        let results = Mutex::new([Results::default(); 2]);
        let workers = context.workers();
        let done = |place: usize, score: i64| {
            let mut results = results.lock().expect("mutex poisoned");
            // Scores are those of the first player.
            results[place % 2].add(if place.is_multiple_of(2) {
                score
            } else {
                -score
            });
            context.game_over();
        };
        workers.play_each(&batch, Interest::Result, &|place, record| {
            done(place, record.score);
        })?;
        let results = results.into_inner().expect("mutex poisoned");
        if results.iter().map(|results| results.all()).sum::<u64>() < 2 * games {
            return Err(RunError::Interrupted);
        }
        Ok(results)
    }
}

/// Seconds to follow all games of a player that thinks so long by ply: it moves in about as many positions as a fast one.
fn following(
    rules: Rules,
    seconds_by_ply: &[f64],
    most: u64,
    workers: &Workers,
) -> Result<f64, RunError> {
    let (game, fast) = (boards::game(rules), "greedy".parse().expect("a player"));
    let mut seconds = 0.0;
    for seat in [0, 1] {
        let plies = every_reply(&game, &fast, seat, most, workers)?;
        let plies = plies.map_or(Vec::new(), |replies| replies.plies);
        let own = plies.iter().zip(seconds_by_ply).skip(usize::from(seat));
        let own = own.step_by(2);
        seconds += own.map(|(&count, each)| count as f64 * each).sum::<f64>();
    }
    Ok(seconds / workers.threads() as f64)
}

/// The value of the empty board for the first player; `None` if it was stopped.
fn value(game: &AnyGame, stop: &Cancelled) -> Option<i64> {
    let mut solver = AnySolver::new(game, Config::default()).expect("the boards are of Connect-N");
    let budget = Budget {
        cancelled: Some(stop),
        ..Budget::default()
    };
    let solved = solver.weak(&solver.start(), &budget).ok()?;
    Some(match solved.verdict {
        Verdict::Loss => -1,
        Verdict::Draw => 0,
        Verdict::Win => 1,
    })
}

fn outcome(cases: &[Rules], found: &[Found]) -> Outcome {
    let sum = |of: fn(&Found) -> u64| found.iter().map(of).sum::<u64>() as f64;
    let mut outcome = Outcome::default();
    outcome.number("cases", cases.len() as f64);
    outcome.number("games", sum(Found::games));
    let proved = found.iter().filter(|found| found.positions.is_some());
    outcome.number("cases with every reply", proved.count() as f64);
    outcome.number("positions", sum(|found| found.positions.unwrap_or(0)));
    outcome.number("worse games", sum(|found| found.worse().iter().sum()));
    outcome.number("better games", sum(|found| found.better().iter().sum()));
    let head = [
        "board",
        "C",
        "P",
        "value",
        "positions",
        "games",
        "worse as first",
        "worse as second",
        "better as first",
        "better as second",
        "wins",
        "draws",
        "losses",
    ];
    outcome.tables.push(Rows {
        title: "Results beside the value of the board".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows: cases
            .iter()
            .zip(found)
            .map(|(&rules, found)| row(rules, found))
            .collect(),
    });
    outcome
}

fn row(rules: Rules, found: &Found) -> Vec<String> {
    let value = match found.value {
        1 => Verdict::Win,
        0 => Verdict::Draw,
        _ => Verdict::Loss,
    };
    let (worse, better) = (found.worse(), found.better());
    let both = |result: usize| found.first.0[result] + found.second.0[result];
    let numbers = [
        found.games(),
        worse[0],
        worse[1],
        better[0],
        better[1],
        both(2),
        both(1),
        both(0),
    ];
    let mut row = vec![
        boards::size(rules),
        rules.connect.to_string(),
        rules.pieces.to_string(),
        value.to_string(),
        match found.positions {
            Some(positions) => positions.to_string(),
            None => "sample".to_owned(),
        },
    ];
    row.extend(numbers.map(|number| number.to_string()));
    row
}
