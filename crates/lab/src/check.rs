//! Everything there is to say of a study without running it.

use std::path::PathBuf;
use std::time::Duration;

use play::playing::Workers;

use crate::run::context::RunError;
use crate::runner::{check_unchanged, is_over};
use crate::store::Store;
use crate::study::estimate::Estimate;
use crate::study::{RunPlan, Study};

/// For trying settings, all together.
const TRYING: Duration = Duration::from_millis(2500);

/// A study and how far it is.
#[derive(Debug)]
pub struct Checked {
    /// All runs.
    pub runs: Vec<RunPlan>,
    /// Runs that are not over yet.
    pub left: Vec<RunPlan>,
    /// Why it cannot go on with the runs that were begun.
    pub changed: Option<String>,
    /// Where runs are, or will be.
    pub folder: PathBuf,
    /// Are there runs, or a study that waits for some?
    pub exists: bool,
    /// Games of all runs at most, as far as that can be said.
    pub games: Option<u64>,
}

impl Checked {
    /// Looks how far a study is.
    #[must_use]
    pub fn of(study: &Study, store: &Store) -> Self {
        let folder = store.folder(&study.name);
        let runs = study.runs();
        let changed = check_unchanged(study, &runs, &folder);
        let is_left = |run: &&RunPlan| !is_over(&folder.run(&run.folder));
        let left: Vec<RunPlan> = match changed {
            Ok(()) => runs.iter().filter(is_left).cloned().collect(),
            Err(_) => runs.clone(),
        };
        let of_run = |run: &RunPlan| study.settings[run.setting].experiment.games();
        Self {
            games: runs.iter().map(of_run).sum(),
            changed: changed.err().map(|error| error.to_string()),
            exists: folder.is_there(),
            folder: folder.path().to_owned(),
            runs,
            left,
        }
    }

    /// How long the runs that are left will take on these threads, from trying them for a few seconds.
    pub fn estimate(&self, study: &Study, workers: &Workers) -> Result<Estimate, RunError> {
        study.estimate(&self.left, workers, TRYING)
    }
}
