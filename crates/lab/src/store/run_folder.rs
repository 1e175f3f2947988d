//! The directory of a run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::error::{StoreError, make_again};
use super::folder::{Folder, set_aside_note};
use super::integrity::{Damage, checksums};
use crate::run::best_game::BEST_GAME;
use crate::run::file::{
    FileError, PART, UNFINISHED, make_directory, read_if_there, remove_ending, remove_if_there,
    replace, set_aside, sync_directory_of,
};
use crate::run::history::HISTORY;
use crate::run::outcome::{OUTCOME, Outcome};
use crate::run::provenance::{Provenance, WORKERS};
use crate::run::sample::{GAMES, GAMES_PART};
use crate::run::seal::{SealError, seal, unseal};
use crate::run::status::{STATUS, State, Status};
use crate::study::{CHAMPION, NETWORK, RunPlan, Study};
use play::network_file::{NetworkFile, follows_network};

/// What a run depends on.
pub const RUN: &str = "run.json";
const FORMAT: &str = "gamete-run";
const VERSION: u32 = 1;

/// Everything the results of a run depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunFile {
    format: String,
    version: u32,
    /// The study.
    pub study: String,
    /// The setting's name.
    pub setting: String,
    /// The setting's number, from 1.
    pub setting_number: usize,
    /// What is different from the rest of the study.
    pub changes: Vec<(String, Json)>,
    /// The repeat, from 1.
    pub repeat: u32,
    /// Random seed.
    pub seed: u64,
    /// The name of the steps.
    pub steps: String,
    /// All settings.
    pub config: Json,
}

impl RunFile {
    /// For a planned run.
    #[must_use]
    pub fn of(study: &Study, run: &RunPlan) -> Self {
        let setting = &study.settings[run.setting];
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            study: study.name.clone(),
            setting: setting.label.clone(),
            setting_number: run.setting + 1,
            changes: setting.changes.clone(),
            repeat: run.name.repeat,
            seed: run.seed,
            steps: setting.experiment.step_name().to_owned(),
            config: setting.config.clone(),
        }
    }

    /// The contents of its file.
    #[must_use]
    pub fn text(&self) -> String {
        seal(self)
    }

    /// Do both give the same results?
    #[must_use]
    pub fn is_same_work(&self, other: &Self) -> bool {
        (&self.config, self.seed) == (&other.config, other.seed)
    }
}

/// The directory of a run.
#[derive(Debug, Clone)]
pub struct RunFolder {
    /// Its name within the study.
    pub name: String,
    /// The directory.
    pub path: PathBuf,
}

impl RunFolder {
    /// Everything the run's results depend on; `None` if it has not started.
    pub fn file(&self) -> Result<Option<RunFile>, StoreError> {
        let path = self.path.join(RUN);
        if let Some(contents) = read_if_there(&path)? {
            let file = unseal(&contents, FORMAT, VERSION);
            return file
                .map(Some)
                .map_err(|error| StoreError::Sealed { path, error });
        }
        if self.is_empty()? {
            return Ok(None);
        }
        let problem = format!(
            "is missing, so the other files cannot be used{}",
            make_again(&path)
        );
        Err(StoreError::Wrong { path, problem })
    }

    /// Is it the directory of a run, even if one of its files is missing?
    pub(super) fn is_there(&self) -> bool {
        let is_file = |name: &str| self.path.join(name).is_file();
        is_file(RUN) || is_file(STATUS) || is_file(OUTCOME) || is_file(HISTORY)
    }

    /// Is it empty, apart from what a crash at the very beginning leaves?
    fn is_empty(&self) -> Result<bool, StoreError> {
        let is_unfinished = |name: &String| {
            let ending = Path::new(name).extension();
            ending.is_some_and(|ending| ending == UNFINISHED)
        };
        Ok(self.files()?.iter().all(is_unfinished))
    }

    /// Creates the directory of a run.
    pub fn begin(&self, file: &RunFile) -> Result<(), StoreError> {
        make_directory(&self.path)?;
        Ok(replace(&self.path.join(RUN), file.text().as_bytes())?)
    }

    /// Writes the outcome with the checksums of all other files, and removes those that only an unfinished run needs.
    pub fn keep(&self, outcome: &Outcome) -> Result<(), FileError> {
        let mut outcome = outcome.clone();
        outcome.files = Some(checksums(&self.path)?);
        replace(&self.path.join(OUTCOME), outcome.text().as_bytes())?;
        self.tidy()
    }

    fn tidy(&self) -> Result<(), FileError> {
        remove_ending(&self.path, &[PART, UNFINISHED])
    }

    /// Is the run finished? Completes one that was killed at its very end. A damaged outcome is set aside and reported, and the run is then unfinished.
    pub fn settle(&self, steps: u64) -> Result<(bool, Option<String>), StoreError> {
        match self.outcome() {
            Ok(None) => {
                let again = |damage: Damage| format!("{damage}; the run is finished again");
                Ok((false, self.lost_outcome().map(again)))
            }
            Ok(Some(_)) => {
                self.tidy()?;
                self.finish_status(steps)?;
                Ok((true, None))
            }
            Err(StoreError::Sealed {
                path,
                error: SealError::Damaged(_),
            }) => {
                let aside = set_aside(&path)?;
                let note = set_aside_note(&path, "is damaged", &aside);
                Ok((false, Some(note + "; the run is finished again")))
            }
            Err(other) => Err(other),
        }
    }

    fn finish_status(&self, steps: u64) -> Result<(), FileError> {
        let path = self.path.join(STATUS);
        let mut status = match Status::read(&path)? {
            Some(status) => status,
            // What is damaged is reported, and kept until it is repaired.
            None if path.exists() => return Ok(()),
            None => {
                let mut status = Status::begin(1);
                (status.done, status.of) = (steps, steps);
                status
            }
        };
        if status.state != State::Finished {
            (status.state, status.error) = (State::Finished, None);
            status.write(&path)?;
        }
        Ok(())
    }

    /// Its status. The caller knows from the lock whether a process is working on it.
    pub fn status(&self, is_locked: bool) -> Result<Option<Status>, StoreError> {
        let mut status = Status::read(&self.path.join(STATUS))?;
        if let Some(status) = &mut status
            && status.state == State::Running
            && !is_locked
        {
            // A run killed between its outcome and its last status is finished, too.
            status.state = match self.path.join(OUTCOME).is_file() {
                true => State::Finished,
                false => State::Interrupted,
            };
        }
        Ok(status)
    }

    /// The outcome; `None` if it is unfinished.
    pub fn outcome(&self) -> Result<Option<Outcome>, StoreError> {
        let path = self.path.join(OUTCOME);
        let Some(text) = read_if_there(&path)? else {
            return Ok(None);
        };
        let outcome = Outcome::read(&text).map_err(|error| StoreError::Sealed { path, error })?;
        self.announce_network(&outcome);
        Ok(Some(outcome))
    }

    /// Says where the network of a training is, so that its champion can play.
    fn announce_network(&self, outcome: &Outcome) {
        let champion = outcome.champion.as_ref();
        let champion = champion.and_then(|champion| champion.spec().ok());
        if champion.is_some_and(|champion| follows_network(&champion)) {
            // A file that cannot be read is reported with the damage of its run, and when the champion is to play.
            let _ = NetworkFile::open(&self.path.join(NETWORK));
        }
    }

    /// Removes the games of workers that were found wrong, with everything that was made from them; says so, if there were any.
    ///
    /// A log of games says who played each, so the others are kept: whoever reads it leaves these out. Everything else a run keeps
    /// builds on all its games, and the run starts over. So it does if nobody can tell who played them.
    pub fn remove_games_of(&self, workers: &[String]) -> Result<Option<String>, StoreError> {
        let (mut provenance, names) = match Provenance::read(&self.path)? {
            Ok(mut known) => {
                let names = known.remove(workers);
                (known, names)
            }
            Err(error) => (Provenance::default(), vec![format!("({WORKERS} {error})")]),
        };
        if names.is_empty() {
            return Ok(None);
        }
        let mut files = self.files()?;
        files.retain(|name| !matches!(name.as_str(), RUN | STATUS | WORKERS));
        let starts_over = files.iter().any(|name| name != GAMES_PART);
        if starts_over {
            // The log of games, too: it may be that of a champion that is another one then.
            for name in files {
                remove_if_there(&self.path.join(name))?;
            }
            provenance.remove_all();
            self.reopen_status()?;
        }
        provenance.write(&self.path)?;
        let what = match starts_over {
            true => "the run starts over",
            false => "they are played again",
        };
        Ok(Some(format!(
            "the worker {} returned wrong results: its games are removed, and {what}",
            names.join(", ")
        )))
    }

    /// Makes a run unfinished: what it has evolved stays, and what followed from its end is removed.
    pub fn reopen(&self) -> Result<(), FileError> {
        // First: a finished run without an outcome would be a damaged one.
        self.reopen_status()?;
        for name in [OUTCOME, CHAMPION, NETWORK, GAMES, BEST_GAME] {
            remove_if_there(&self.path.join(name))?;
        }
        remove_ending(&self.path, &[PART])
    }

    /// Gives the run another name within its study.
    pub fn move_to(&self, folder: &Folder, name: &str) -> Result<Self, FileError> {
        let to = folder.run(name);
        fs::rename(&self.path, &to.path)
            .map_err(|error| FileError::new("rename", &self.path, error))?;
        sync_directory_of(&to.path)?;
        Ok(to)
    }

    /// The run is not finished any more.
    fn reopen_status(&self) -> Result<(), FileError> {
        let path = self.path.join(STATUS);
        match Status::read(&path)? {
            Some(mut status) => {
                status.state = State::Interrupted;
                status.write(&path)
            }
            None => Ok(()),
        }
    }

    /// Names of its files.
    fn files(&self) -> Result<Vec<String>, FileError> {
        let failed = |error| FileError::new("read", &self.path, error);
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other.map_err(failed)?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed)?;
            if entry.path().is_file() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        Ok(names)
    }

    /// Removes the run. Fails if a process is working on its study.
    pub fn remove(&self, of: &Folder) -> Result<(), StoreError> {
        let _lock = of.lock()?;
        fs::remove_dir_all(&self.path)
            .map_err(|error| FileError::new("remove", &self.path, error).into())
    }
}
