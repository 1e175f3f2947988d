//! Events of a running study, for progress bars, logs and pages.

use serde::Serialize;

use super::status::State;

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Event {
    /// A study starts or resumes.
    StudyBegan {
        /// The study.
        study: String,
        /// Its runs.
        runs: usize,
        /// Runs that were already finished.
        finished: usize,
    },
    /// A run starts or resumes.
    RunBegan {
        /// The run.
        run: String,
        /// Its setting.
        setting: String,
        /// Its repeat, from 1.
        repeat: u32,
        /// Generations (or games) already done.
        done: u64,
        /// Maximum number of them.
        of: u64,
    },
    /// A run made progress.
    Progress {
        /// The run.
        run: String,
        /// Generations (or games) done.
        done: u64,
        /// Maximum number of them.
        of: u64,
        /// Best fitness in the population.
        best: Option<f64>,
        /// Mean fitness of the population.
        mean: Option<f64>,
        /// Games played.
        games: u64,
        /// Time worked.
        seconds: f64,
    },
    /// The champion of a run is being chosen and measured.
    FinalsBegan {
        /// The run.
        run: String,
        /// Number of games.
        games: u64,
    },
    /// Games of the champion's measurement are over.
    Measuring {
        /// The run.
        run: String,
        /// Games done.
        done: u64,
        /// Number of games.
        of: u64,
    },
    /// A note for the user, e.g. about a damaged file.
    Note {
        /// The run.
        run: String,
        /// The note.
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
        /// Time worked.
        seconds: f64,
    },
    /// All runs are over, or stopped.
    StudyOver {
        /// The study.
        study: String,
        /// How it ended.
        state: State,
        /// Finished runs.
        finished: usize,
        /// All runs.
        runs: usize,
    },
}

/// Receives events, from any thread.
pub trait Observer: Send + Sync {
    /// Handles an event.
    fn hear(&self, event: &Event);

    /// A game of a run is over.
    fn game_over(&self, run: &str);
}
