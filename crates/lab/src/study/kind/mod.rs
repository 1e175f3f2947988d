//! Kinds of studies: what their runs do. One file each; the list is below.

mod baselines;
mod boards;
mod cost;
mod deviation;
mod encoding;
mod evolve;
mod forecast;
mod measure;
mod optimality;
mod speed;
mod table;
mod train;
mod verdicts;

pub use self::evolve::{CHAMPION, PROGRAM_KEYS};
pub(super) use self::forecast::long_time;
pub use self::train::NETWORK;

use std::fmt::Debug;
use std::time::Duration;

use ::evolve::cgp::Grid;
use games::AnyGame;

use super::key::KeyInfo;
use super::reading::Reading;
use crate::run::context::{RunContext, RunError};
use crate::run::outcome::Outcome;
use play::measure::Plan;
use play::playing::Workers;
use play::stats::Better;

/// A kind of study.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// One-line description.
    pub about: &'static str,
    /// Its keys, in groups, in addition to those of all studies.
    pub keys: &'static [&'static [KeyInfo]],
    /// Keys that the short form reduces.
    pub short: &'static [(&'static str, Short)],
    /// Reads an experiment; errors are collected in the reading.
    pub read: fn(&mut Reading<'_>) -> Option<Box<dyn Experiment>>,
}

/// How the short form changes a key.
#[derive(Debug, Clone, Copy)]
pub enum Short {
    /// A whole number, at most this.
    AtMost(i64),
    /// A number, at most this.
    AtMostReal(f64),
    /// These whole numbers.
    Wholes(&'static [i64]),
}

/// All kinds. The first is the default.
pub static KINDS: &[Kind] = &LIST;

const LIST: [Kind; 8] = [
    evolve::KIND,
    measure::KIND,
    deviation::KIND,
    speed::KIND,
    optimality::KIND,
    cost::KIND,
    train::KIND,
    verdicts::KIND,
];

/// The names of all kinds.
pub const NAMES: &[&str] = &{
    let mut names = [""; LIST.len()];
    let mut place = 0;
    while place < names.len() {
        names[place] = LIST[place].name;
        place += 1;
    }
    names
};

/// What a single run says about its setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replication {
    /// Little: another run would give another result.
    Runs,
    /// As much as its games: they are the replicates.
    Games,
    /// Everything: settings are compared by their intervals or counts.
    Exact,
}

/// What a run does.
pub trait Experiment: Debug + Send + Sync {
    /// Maximum number of generations (or games, or cases) of a run.
    fn steps(&self) -> u64;

    /// Number of steps (generations after the first, training games), if the study does not set it.
    fn usual_steps(&self) -> Option<u64> {
        None
    }

    /// The name of the steps: `generations`, `games`.
    fn step_name(&self) -> &'static str;

    /// Maximum number of games of a run, if known.
    fn games(&self) -> Option<u64>;

    /// The game, if it plays one.
    fn game(&self) -> Option<&AnyGame>;

    /// Where its games begin, if not at the start: part of what its results depend on, whether the study names it or not.
    fn openings(&self) -> Option<String> {
        None
    }

    /// The metric by which settings are compared, and whether higher or lower is better.
    fn main_metric(&self) -> (String, Better);

    /// What champions are selected by, if it evolves.
    fn objective(&self) -> String {
        self.main_metric().0
    }

    /// The grid of the programs that it evolves, if it does.
    fn grid(&self) -> Option<&Grid> {
        None
    }

    /// A short description of what is evolved and how, for an evolution.
    fn title(&self) -> Option<String> {
        None
    }

    /// What a single run says about its setting.
    fn replication(&self) -> Replication {
        Replication::Exact
    }

    /// Does it measure time, so that nothing else should run at the same time?
    fn wants_the_machine(&self) -> bool {
        false
    }

    /// Tries external programs and bots: one error before anything is written is better than many failed runs.
    fn try_out(&self, workers: &Workers) -> Result<(), RunError> {
        let _ = workers;
        Ok(())
    }

    /// Runs to the end, or until it is stopped.
    fn run(&self, seed: u64, context: &mut RunContext<'_>) -> Result<Outcome, RunError>;

    /// The games that measured a run with this seed and outcome, so that any of them can be replayed; `None` if there are none.
    fn measured(&self, seed: u64, outcome: &Outcome) -> Option<Plan> {
        let _ = (seed, outcome);
        None
    }

    /// Players that champions are compared with, and the games that measure them: the first ones of a run with this seed.
    fn baselines(&self, seed: u64) -> Vec<Plan> {
        let _ = seed;
        Vec::new()
    }

    /// Runs the beginning for about `time`, and estimates how long a whole run will take on these threads.
    fn calibrate(&self, seed: u64, workers: &Workers, time: Duration)
    -> Result<Duration, RunError>;
}
