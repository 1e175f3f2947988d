//! `deviation`: how far a fitness of n games is from the true fitness.
//!
//! Random individuals play many games each, whose mean is taken as the truth, then n other games for every configured
//! n: deviation = |mean of n games - truth| / |truth|. Annex II of 2048-ga divides by the mean of both instead
//! (`relative-to = "mean-of-both"`), which can be no more than 200 %.

mod spread;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use evolve::Candidate;
use games::AnyGame;
use serde::{Deserialize, Serialize};
use streams::{derive, stream};

use self::spread::{RelativeTo, mean, metric};
use super::encoding::{self, ENCODING};
use super::table::{self, GAME};
use super::{Experiment, Kind, Short, long_time};
use crate::evolution::encoding::Encoding;
use crate::evolution::evaluator::{Evaluator, Games};
use crate::evolution::fitness::{Fitness, Opponents};
use crate::run::checkpoint::{CHECKPOINT, Checkpoint};
use crate::run::context::{RunContext, RunError};
use crate::run::outcome::Outcome;
use crate::study::keys;
use crate::study::reading::Reading;
use play::openings::{self, Openings};
use play::playing::Workers;
use play::stats::Better;

/// The kind.
pub(super) const KIND: Kind = Kind {
    name: "deviation",
    about: "how far a fitness of a few games is from the true fitness, over random individuals",
    keys: &[
        &GAME,
        &ENCODING,
        &[
            keys::FITNESS_OBJECTIVE.info(),
            keys::FITNESS_AGAINST.info(),
            keys::FITNESS_OPENINGS.info(),
            keys::DEVIATION_INDIVIDUALS.info(),
            keys::DEVIATION_TRUTH.info(),
            keys::DEVIATION_GAMES.info(),
            keys::DEVIATION_RELATIVE_TO.info(),
        ],
    ],
    short: &[
        (keys::DEVIATION_INDIVIDUALS.path(), Short::AtMost(4)),
        (keys::DEVIATION_TRUTH.path(), Short::AtMost(20)),
        (keys::DEVIATION_GAMES.path(), Short::Wholes(&[10, 5, 1])),
    ],
    read,
};

/// The most numbers of games.
const MOST_NUMBERS: usize = 100;
const GAMES: [u64; 8] = [1000, 500, 100, 50, 20, 10, 5, 1];

fn read(reading: &mut Reading<'_>) -> Option<Box<dyn Experiment>> {
    let games = read_games(reading);
    let request = encoding::request(reading)?;
    let plan = encoding::plan(&request, reading)?;
    let encoding = plan.evaluator.encoding;
    if table::seats(encoding.game()) == 2
        && plan.evaluator.fitness.opponents == Opponents::EachOther
    {
        let problem =
            "must name players: against random other individuals there is no single true fitness";
        reading.flaw(keys::FITNESS_AGAINST.path(), problem);
    }
    Some(Box::new(Deviation {
        individuals: reading.value_of(keys::DEVIATION_INDIVIDUALS),
        truth: reading.value_of(keys::DEVIATION_TRUTH),
        games,
        relative_to: match reading.get(keys::DEVIATION_RELATIVE_TO).as_deref() {
            Some("mean-of-both") => RelativeTo::MeanOfBoth,
            _ => RelativeTo::Truth,
        },
        evaluator: Games {
            encoding,
            ..plan.evaluator
        },
    }))
}

fn read_games(reading: &mut Reading<'_>) -> Vec<u32> {
    let games = reading
        .get(keys::DEVIATION_GAMES)
        .unwrap_or_else(|| GAMES.to_vec());
    let distinct: BTreeSet<u64> = games.iter().copied().collect();
    if distinct.len() < games.len() || games.is_empty() || games.len() > MOST_NUMBERS {
        let problem = format!("must be 1 to {MOST_NUMBERS} distinct numbers");
        reading.flaw(keys::DEVIATION_GAMES.path(), problem);
    }
    games.into_iter().map(|games| games as u32).collect()
}

/// A deviation experiment.
#[derive(Debug)]
struct Deviation {
    evaluator: Games,
    individuals: u32,
    truth: u32,
    games: Vec<u32>,
    relative_to: RelativeTo,
}

/// The saved state.
#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    /// For every finished individual: the truth, then the mean for every number of games.
    means: Vec<Vec<f64>>,
    /// Scores of the current individual.
    scores: Vec<f64>,
}

/// The parts of a run's seed for individuals and for games.
const PARTS: [u64; 2] = [0, 1];

/// Games between two checks whether to save.
const BATCH: u32 = 500;

impl Deviation {
    fn encoding(&self) -> &Encoding {
        &self.evaluator.encoding
    }

    /// Games of an individual.
    fn total(&self) -> u32 {
        self.truth + self.games.iter().sum::<u32>()
    }

    /// Scores per game number: in a two-player game it is played against every opponent, first and second.
    fn scores_a_game(&self) -> usize {
        let fitness = &self.evaluator.fitness;
        match &fitness.opponents {
            _ if fitness.objective.asks() => 1,
            Opponents::Pool(pool) if table::seats(self.encoding().game()) == 2 => 2 * pool.len(),
            _ => 1,
        }
    }

    /// Plays the next games of an individual; after the last one computes its means.
    fn step(
        &self,
        seed: u64,
        state: &mut State,
        workers: &Workers,
        finished: &(dyn Fn() + Sync),
    ) -> Result<(), RunError> {
        let [individuals, games] = PARTS;
        let slot = state.means.len() as u32;
        let before = (state.scores.len() / self.scores_a_game()) as u32;
        let mut rng = stream(seed, &[individuals, u64::from(slot)]);
        let candidate = Candidate {
            id: u64::from(slot),
            generation: 0,
            slot,
            games_before: before,
            genome: self.encoding().space().random(&mut rng),
        };
        let fitness = Fitness {
            games: BATCH.min(self.total() - before),
            common: false,
            ..self.evaluator.fitness.clone()
        };
        let seed = derive(seed, &[games]);
        let scored = fitness.score(self.encoding(), &[candidate], seed, workers, finished)?;
        state
            .scores
            .extend(scored.into_iter().flat_map(|one| one.scores));
        if before + fitness.games == self.total() {
            state.means.push(self.means(&state.scores));
            state.scores.clear();
        }
        Ok(())
    }

    /// The truth, then the mean of each number of games; no game is used twice.
    fn means(&self, mut scores: &[f64]) -> Vec<f64> {
        let lengths = std::iter::once(&self.truth).chain(&self.games);
        let next = |&games: &u32| {
            let (these, rest) = scores.split_at(games as usize * self.scores_a_game());
            scores = rest;
            mean(these)
        };
        lengths.map(next).collect()
    }

    fn games_over(&self, state: &State) -> u64 {
        let of_others = u64::from(self.total()) * state.means.len() as u64;
        let played = of_others + (state.scores.len() / self.scores_a_game()) as u64;
        played * self.scores_a_game() as u64
    }

    fn is_over(&self, state: &State) -> bool {
        state.means.len() == self.individuals as usize
    }

    fn play_all(
        &self,
        seed: u64,
        state: &mut State,
        context: &mut RunContext<'_>,
    ) -> Result<(), RunError> {
        let checkpoint = Checkpoint::new(&context.path(CHECKPOINT));
        while !self.is_over(state) {
            let shared = &*context;
            let step = self.step(seed, state, shared.workers(), &|| shared.game_over());
            context.status.games = self.games_over(state);
            context.progress(state.means.len() as u64);
            if self.is_over(state) {
                break;
            }
            if step.is_err() || context.is_saving_due() {
                context.save(|| Ok(checkpoint.save(state)?))?;
            }
            step?;
        }
        // Also if it was killed before this: the files must not depend on when it was saved.
        context.save(|| Ok(checkpoint.save_last(state)?))
    }
}

/// The newest good state, or the initial one.
fn open(context: &RunContext<'_>) -> Result<State, RunError> {
    let found = Checkpoint::new(&context.path(CHECKPOINT)).load::<State>()?;
    found.damage.into_iter().for_each(|text| context.note(text));
    Ok(found.states.into_iter().next().unwrap_or_default())
}

impl Experiment for Deviation {
    fn steps(&self) -> u64 {
        u64::from(self.individuals)
    }

    fn step_name(&self) -> &'static str {
        "individuals"
    }

    fn games(&self) -> Option<u64> {
        let each = u64::from(self.total()) * self.scores_a_game() as u64;
        Some(each * u64::from(self.individuals))
    }

    fn game(&self) -> Option<&AnyGame> {
        Some(self.encoding().game())
    }

    fn openings(&self) -> Option<String> {
        let openings = &self.evaluator.fitness.openings;
        let is_opened = openings::suits(self.encoding().game()) && *openings != Openings::None;
        is_opened.then(|| openings.to_string())
    }

    /// The first number of games gives the main metric.
    fn main_metric(&self) -> (String, Better) {
        let games = self.games.first().copied().unwrap_or_default();
        (metric("mean", games), Better::Lower)
    }

    fn run(&self, seed: u64, context: &mut RunContext<'_>) -> Result<Outcome, RunError> {
        self.evaluator.try_out()?;
        let mut state = open(context)?;
        context.begin(state.means.len() as u64, self.steps());
        self.play_all(seed, &mut state, context)?;
        let means = &state.means;
        Ok(spread::outcome(
            self.truth,
            &self.games,
            self.relative_to,
            means,
        ))
    }

    fn calibrate(
        &self,
        seed: u64,
        workers: &Workers,
        time: Duration,
    ) -> Result<Duration, RunError> {
        self.evaluator.try_out()?;
        let (started, mut state) = (Instant::now(), State::default());
        while started.elapsed() < time && !self.is_over(&state) {
            self.step(seed, &mut state, workers, &|| {})?;
        }
        let share = self.games().unwrap_or(1) as f64 / self.games_over(&state).max(1) as f64;
        Ok(long_time(started.elapsed().as_secs_f64() * share))
    }
}
