//! What happens while a study runs, for progress bars, logs and pages.

use serde::Serialize;

use super::status::State;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Event {
    /// A study begins or goes on.
    StudyBegan {
        /// The study.
        study: String,
        /// Its runs.
        runs: usize,
        /// Those that were over before.
        finished: usize,
    },
    /// A run begins or goes on.
    RunBegan {
        /// The run.
        run: String,
        /// Its setting.
        setting: String,
        /// Its repeat, from 1.
        repeat: u32,
        /// Generations (or games) that were over before.
        done: u64,
        /// Those there will be at most.
        of: u64,
    },
    /// A run is further.
    Progress {
        /// The run.
        run: String,
        /// Generations (or games) that are over.
        done: u64,
        /// Those there will be at most.
        of: u64,
        /// Best fitness of the living.
        best: Option<f64>,
        /// Their mean fitness.
        mean: Option<f64>,
        /// Games played.
        games: u64,
        /// Time it has worked.
        seconds: f64,
    },
    /// The champion of a run is chosen and measured, by this many games.
    FinalsBegan {
        /// The run.
        run: String,
        /// How many games.
        games: u64,
    },
    /// This many of the games by which the champion is measured are over.
    Measuring {
        /// The run.
        run: String,
        /// Games that are over.
        done: u64,
        /// All of them.
        of: u64,
    },
    /// Something a person should know, e.g. a damaged file.
    Note {
        /// The run.
        run: String,
        /// What.
        text: String,
    },
    /// A run is over, or stopped.
    RunOver {
        /// The run.
        run: String,
        /// How it ended.
        state: State,
        /// Its main number.
        value: Option<f64>,
        /// Why it failed, if it did.
        error: Option<String>,
        /// Time it has worked.
        seconds: f64,
    },
    /// All runs are over, or stopped.
    StudyOver {
        /// The study.
        study: String,
        /// How it ended.
        state: State,
        /// Runs that are over.
        finished: usize,
        /// All runs.
        runs: usize,
    },
}

/// Hears what happens; from any thread.
pub trait Observer: Send + Sync {
    /// Something happened.
    fn hear(&self, event: &Event);

    /// A game of a run is over.
    fn game_over(&self, run: &str);
}
