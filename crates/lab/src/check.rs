//! Checks a study without running it.

use std::path::PathBuf;
use std::time::Duration;

use play::playing::Workers;

use crate::run::context::RunError;
use crate::runner::extension::Extension;
use crate::store::Store;
use crate::study::estimate::Estimate;
use crate::study::{RunPlan, Study};

/// Total time to try settings.
const TRYING: Duration = Duration::from_millis(2500);

/// A study and its progress.
#[derive(Debug)]
pub struct Checked {
    /// All runs.
    pub runs: Vec<RunPlan>,
    /// Unfinished runs.
    pub left: Vec<RunPlan>,
    /// Why its existing runs cannot be resumed.
    pub changed: Option<String>,
    /// The directory of the runs.
    pub folder: PathBuf,
    /// Does the study's folder exist?
    pub exists: bool,
    /// Maximum number of games of all runs, if known.
    pub games: Option<u64>,
}

impl Checked {
    /// Checks the progress of a study.
    #[must_use]
    pub fn of(study: &Study, store: &Store) -> Self {
        let folder = store.folder(&study.name);
        let runs = study.runs();
        let extension = Extension::of(study, &runs, &folder);
        let left: Vec<RunPlan> = match &extension {
            Ok(extension) => {
                let left = runs.iter().enumerate();
                let left = left.filter(|&(index, _)| !extension.is_over(index));
                left.map(|(_, run)| run.clone()).collect()
            }
            Err(_) => runs.clone(),
        };
        let of_run = |run: &RunPlan| study.settings[run.setting].experiment.games();
        Self {
            games: runs.iter().map(of_run).sum(),
            changed: extension.err().map(|error| error.to_string()),
            exists: folder.is_there(),
            folder: folder.path().to_owned(),
            runs,
            left,
        }
    }

    /// Estimates how long the unfinished runs will take on these threads, by trying them for a few seconds.
    pub fn estimate(&self, study: &Study, workers: &Workers) -> Result<Estimate, RunError> {
        study.estimate(&self.left, workers, TRYING)
    }
}
