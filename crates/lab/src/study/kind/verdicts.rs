//! `verdicts`: how often does a player of Connect-N keep what a position is worth?
//!
//! It is asked for a move in random positions in which some moves keep win, draw or loss and others do not, as the solver knows. Settings
//! of a study are asked about the same positions.

use std::time::{Duration, Instant};

use games::AnyGame;
use players::Spec;
use serde::{Deserialize, Serialize};

use super::forecast::long_time;
use super::table::{self, GAME};
use super::{Experiment, Kind, Short};
use crate::run::checkpoint::Checkpoint;
use crate::run::context::{RunContext, RunError};
use crate::run::outcome::{Outcome, Table as Rows};
use crate::study::key::Key;
use crate::study::keys;
use crate::study::reading::Reading;
use play::decisive::{Decisive, Finder, Source, kept};
use play::playing::Workers;
use play::seating::try_out;
use play::stats::{Better, Share};

/// The kind.
pub(super) const KIND: Kind = Kind {
    name: "verdicts",
    about: "a player of Connect-N moves in positions that the solver knows: how often does it keep win, draw or loss?",
    keys: &[
        &GAME,
        &[
            keys::PLAYER.info(),
            keys::POSITIONS_COUNT.info(),
            keys::POSITIONS_FIRST_PLY.info(),
            keys::POSITIONS_LAST_PLY.info(),
        ],
    ],
    short: &[(keys::POSITIONS_COUNT.path(), Short::AtMost(20))],
    read,
};

/// The metric.
const KEPT: &str = "kept";

fn read(reading: &mut Reading<'_>) -> Option<Box<dyn Experiment>> {
    let game = table::game(reading)?;
    if !reading.has(keys::PLAYER) {
        let problem = "is missing; e.g. player = \"weighted\" at the top";
        reading.flaw(keys::PLAYER.path(), problem);
    }
    let player = table::player(reading, keys::PLAYER, Some(&game));
    let source = source(reading, &game);
    Some(Box::new(Verdicts {
        positions: reading.value_of(keys::POSITIONS_COUNT),
        player: player?,
        source: source?,
        game,
    }))
}

/// Where positions come from; reports a game or plies that have none.
fn source(reading: &mut Reading<'_>, game: &AnyGame) -> Option<Source> {
    let rules = match game {
        AnyGame::Connect(game) => game.rules(),
        AnyGame::WideConnect(game) => game.rules(),
        _ => {
            let problem = "the solver knows connect only";
            reading.flaw(keys::GAME_NAME.path(), problem);
            return None;
        }
    };
    // In the last position there is one move.
    let most = rules.longest_game().saturating_sub(2);
    let mut ply = |key: Key<u32>| {
        let set = reading.has(key);
        let ply: u32 = reading.value_of(key);
        if set && ply > most {
            reading.flaw(key.path(), format!("must be at most {most} on this board"));
        }
        ply.min(most)
    };
    let (first, last) = (
        ply(keys::POSITIONS_FIRST_PLY),
        ply(keys::POSITIONS_LAST_PLY),
    );
    if first > last {
        let problem = format!("must be at most positions.last-ply, {last}");
        reading.flaw(keys::POSITIONS_FIRST_PLY.path(), problem);
        return None;
    }
    Some(Source {
        plies: first..=last,
        seed: 0,
    })
}

/// A player and the positions that it is asked about.
#[derive(Debug)]
struct Verdicts {
    game: AnyGame,
    player: Spec,
    positions: u64,
    source: Source,
}

/// What has been asked so far.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Asked {
    /// The number of the next random position.
    next: u64,
    answers: Vec<Answer>,
}

/// An answer.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Answer {
    plies: u32,
    kept: bool,
    /// The share of moves that would have kept it.
    by_chance: f64,
}

/// What is kept until there is an outcome.
const ANSWERS: &str = "answers.part";

impl Verdicts {
    fn finder(&self, seed: u64, next: u64) -> Finder<'_> {
        let source = Source {
            seed,
            ..self.source.clone()
        };
        Finder::new(&self.game, source, next)
    }

    /// Asks about some more positions.
    fn ask(
        &self,
        finder: &mut Finder<'_>,
        seed: u64,
        workers: &Workers,
    ) -> Result<Vec<Answer>, RunError> {
        let found = finder.find(workers)?;
        let kept = kept(&self.game, &self.player, &found, seed, workers)?;
        let answer = |(one, kept): (&Decisive, bool)| Answer {
            plies: one.plies,
            kept,
            by_chance: one.keeping.len() as f64 / one.moves as f64,
        };
        Ok(found.iter().zip(kept).map(answer).collect())
    }
}

impl Experiment for Verdicts {
    fn steps(&self) -> u64 {
        self.positions
    }

    fn step_name(&self) -> &'static str {
        "positions"
    }

    fn games(&self) -> Option<u64> {
        None
    }

    fn game(&self) -> Option<&AnyGame> {
        Some(&self.game)
    }

    fn main_metric(&self) -> (String, Better) {
        (KEPT.to_owned(), Better::Higher)
    }

    fn run(&self, seed: u64, context: &mut RunContext<'_>) -> Result<Outcome, RunError> {
        try_out(&self.game, std::slice::from_ref(&self.player))?;
        let checkpoint = Checkpoint::new(&context.path(ANSWERS));
        let loaded = checkpoint.load::<Asked>()?;
        loaded
            .damage
            .into_iter()
            .for_each(|text| context.note(text));
        let mut asked = loaded.states.into_iter().next().unwrap_or_default();
        let wanted = self.positions as usize;
        let mut finder = self.finder(seed, asked.next);
        context.begin(asked.answers.len() as u64, self.positions);
        while asked.answers.len() < wanted {
            let answers = match self.ask(&mut finder, seed, context.workers()) {
                Ok(answers) if answers.is_empty() => break,
                Ok(answers) => answers,
                Err(error) => {
                    context.save(|| Ok(checkpoint.save(&asked)?))?;
                    return Err(error);
                }
            };
            asked.answers.extend(answers);
            asked.next = finder.next();
            context.progress(asked.answers.len().min(wanted) as u64);
            if context.is_saving_due() {
                context.save(|| Ok(checkpoint.save(&asked)?))?;
            }
        }
        asked.answers.truncate(wanted);
        context.save(|| Ok(checkpoint.save_last(&asked)?))?;
        Ok(outcome(&asked.answers))
    }

    fn calibrate(
        &self,
        seed: u64,
        workers: &Workers,
        time: Duration,
    ) -> Result<Duration, RunError> {
        try_out(&self.game, std::slice::from_ref(&self.player))?;
        let mut finder = self.finder(seed, 0);
        let (began, mut asked) = (Instant::now(), 0);
        while asked < self.positions && began.elapsed() < time {
            match self.ask(&mut finder, seed, workers)?.len() {
                0 => break,
                more => asked += more as u64,
            }
        }
        let each = began.elapsed().as_secs_f64() / asked.max(1) as f64;
        Ok(long_time(each * self.positions as f64))
    }
}

/// Plies in a row of the table.
const PLIES_IN_A_ROW: u32 = 4;

fn outcome(answers: &[Answer]) -> Outcome {
    let mut outcome = Outcome::default();
    outcome.number("positions", answers.len() as f64);
    if let Some((kept, by_chance)) = shares(answers) {
        outcome.estimate(KEPT, kept.share, Some(kept.ci95));
        outcome.number("kept by chance", by_chance);
    }
    let head = ["stones", "positions", "kept", "95 % interval", "by chance"];
    outcome.tables.push(Rows {
        title: "Positions by their number of stones".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows: rows(answers),
    });
    outcome
}

/// The share of positions that were kept, and the one that would be by random moves.
fn shares(answers: &[Answer]) -> Option<(Share, f64)> {
    let total = answers.len() as u64;
    let kept = answers.iter().filter(|answer| answer.kept).count() as u64;
    let by_chance: f64 = answers.iter().map(|answer| answer.by_chance).sum();
    (total > 0).then(|| (Share::new(kept, total), by_chance / total as f64))
}

fn rows(answers: &[Answer]) -> Vec<Vec<String>> {
    let last = answers.iter().map(|answer| answer.plies).max();
    let firsts = (0..=last.unwrap_or(0)).step_by(PLIES_IN_A_ROW as usize);
    let row = |first: u32| {
        let stones = first..first + PLIES_IN_A_ROW;
        let within = answers
            .iter()
            .filter(|answer| stones.contains(&answer.plies));
        let within: Vec<Answer> = within.copied().collect();
        let (kept, by_chance) = shares(&within)?;
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        Some(vec![
            format!("{first} to {}", stones.end - 1),
            within.len().to_string(),
            percent(kept.share),
            format!("{} to {}", percent(kept.ci95[0]), percent(kept.ci95[1])),
            percent(by_chance),
        ])
    };
    firsts.filter_map(row).collect()
}
