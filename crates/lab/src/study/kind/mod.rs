//! Kinds of studies: what a run of one does. One file each; the list is below.

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

pub use self::evolve::{CHAMPION, PROGRAM_KEYS};

use std::fmt::Debug;
use std::time::Duration;

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
    /// One line on what it does.
    pub about: &'static str,
    /// Its keys, beside those that all studies have.
    pub keys: &'static [KeyInfo],
    /// Keys that a short form makes small.
    pub short: &'static [(&'static str, Short)],
    /// Reads an experiment; what is wrong is told to the reading.
    pub read: fn(&mut Reading<'_>) -> Option<Box<dyn Experiment>>,
}

/// What a short form makes of a key.
#[derive(Debug, Clone, Copy)]
pub enum Short {
    /// A whole number, at most this.
    AtMost(i64),
    /// A number, at most this.
    AtMostReal(f64),
    /// These whole numbers.
    Wholes(&'static [i64]),
}

/// All kinds. The first is meant when a study says nothing.
pub static KINDS: &[Kind] = &LIST;

const LIST: [Kind; 6] = [
    evolve::KIND,
    measure::KIND,
    deviation::KIND,
    speed::KIND,
    optimality::KIND,
    cost::KIND,
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

/// What can be said of a setting by its only run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replication {
    /// Little: another run would find something else.
    Runs,
    /// As much as its games do: they are all there is to repeat.
    Games,
    /// Everything: settings are told apart by their intervals or counts.
    Exact,
}

/// What a run does.
pub trait Experiment: Debug + Send + Sync {
    /// Generations (or games, or cases) of a run, at most.
    fn steps(&self) -> u64;

    /// What the steps are called: `generations`, `games`.
    fn step_name(&self) -> &'static str;

    /// Games of a run, at most, as far as that can be said.
    fn games(&self) -> Option<u64>;

    /// The game, if it is one.
    fn game(&self) -> Option<&AnyGame>;

    /// The number by which settings are compared, and which way is better.
    fn main_metric(&self) -> (String, Better);

    /// What is looked for and how, in a few words, for an experiment that looks for something.
    fn title(&self) -> Option<String> {
        None
    }

    /// What can be said of a setting that has one run only.
    fn replication(&self) -> Replication {
        Replication::Exact
    }

    /// Does it measure time, so that nothing else should run beside it?
    fn wants_the_machine(&self) -> bool {
        false
    }

    /// Tries whatever comes from external (programs, bots): one message before anything is written is better than many failed runs.
    fn try_out(&self, workers: &Workers) -> Result<(), RunError> {
        let _ = workers;
        Ok(())
    }

    /// Works to the end, or until it is stopped.
    fn run(&self, seed: u64, context: &mut RunContext<'_>) -> Result<Outcome, RunError>;

    /// The games by which a run of this seed and outcome was measured, so that any of them can be played again; none if there were none.
    fn measured(&self, seed: u64, outcome: &Outcome) -> Option<Plan> {
        let _ = (seed, outcome);
        None
    }

    /// Tries the beginning of a run for about `time`, and says how long a whole run will take on these threads.
    fn calibrate(&self, seed: u64, workers: &Workers, time: Duration)
    -> Result<Duration, RunError>;
}
