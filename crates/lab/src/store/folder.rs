//! The directory of a study, those of its runs, and the lock that one process holds while it works there.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::run::desk::STATUS;
use crate::run::file::{FileError, make_directory, open_to_grow, read_if_there, replace};
use crate::run::outcome::Outcome;
use crate::run::status::{State, Status};
use crate::study::{Form, RunPlan, Study, StudyError};

/// The study as it is run.
pub const STUDY: &str = "study.toml";
/// Where a study came from.
const META: &str = "study.json";
/// What a run depends on.
pub const RUN: &str = "run.json";
/// What came out of a run.
pub const OUTCOME: &str = "outcome.json";
const LOCK: &str = "lock";

/// Why something in the store could not be had.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Nothing has this name.
    #[error("there is no study or run '{name}' in {}{hint}; 'gamete runs' lists them", root.display())]
    Unknown {
        /// What was given.
        name: String,
        /// What was probably meant.
        hint: String,
        /// Where it was looked for.
        root: PathBuf,
    },
    /// Somebody works on it.
    #[error("another process is working on the study '{0}'; wait for it, or stop it first")]
    Locked(String),
    /// A file is not what it should be.
    #[error("{} {problem}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The study of a folder cannot be read any more.
    #[error(transparent)]
    Study(#[from] StudyError),
}

/// The directory of a study.
#[derive(Debug, Clone)]
pub struct Folder {
    /// The study's name.
    pub name: String,
    path: PathBuf,
}

/// Where a study came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    format: String,
    version: u32,
    /// The directory in which the study's other files are.
    pub base: PathBuf,
    /// Whether it is the short form.
    pub short: bool,
}

const META_FORMAT: &str = "gamete-study";
const RUN_FORMAT: &str = "gamete-run";
const VERSION: u32 = 1;

/// A run before and while it is run: everything its numbers depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunFile {
    format: String,
    version: u32,
    /// The study.
    pub study: String,
    /// The setting's name.
    pub setting: String,
    /// The setting's place, from 1.
    pub setting_number: usize,
    /// What is different from the rest of the study.
    pub changes: Vec<(String, Json)>,
    /// The repeat, from 1.
    pub repeat: u32,
    /// From which all random numbers follow.
    pub seed: u64,
    /// What the steps are called.
    pub steps: String,
    /// All settings.
    pub config: Json,
}

impl RunFile {
    /// Of a run that is to be.
    #[must_use]
    pub fn of(study: &Study, run: &RunPlan) -> Self {
        let setting = &study.settings[run.setting];
        Self {
            format: RUN_FORMAT.to_owned(),
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

    /// Do both give the same numbers?
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

/// Directories in a directory, by name; none if it is not there.
pub(super) fn directories(path: &Path) -> Result<Vec<(String, PathBuf)>, StoreError> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(FileError::new("read", path, error).into()),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| FileError::new("read", path, error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.push((name, entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

/// While this lives, no other process works on the study.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "closing the file is what unlocks")] File);

impl Folder {
    pub(super) fn new(name: &str, path: &Path) -> Self {
        let (name, path) = (name.to_owned(), path.to_owned());
        Self { name, path }
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Has the study been run here?
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.path.join(STUDY).is_file()
    }

    /// Claims the folder for this process.
    pub fn lock(&self) -> Result<Lock, StoreError> {
        make_directory(&self.path)?;
        let path = self.path.join(LOCK);
        let file = open_to_grow(&path)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock(file)),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked(self.name.clone())),
            Err(TryLockError::Error(error)) => Err(FileError::new("lock", &path, error).into()),
        }
    }

    /// Is a process working here now?
    #[must_use]
    pub fn is_locked(&self) -> bool {
        let file = File::open(self.path.join(LOCK));
        file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// Keeps the text of a study.
    pub fn write_study(&self, study: &Study) -> Result<(), StoreError> {
        let meta = Meta {
            format: META_FORMAT.to_owned(),
            version: VERSION,
            base: study.base.clone(),
            short: study.short,
        };
        let meta = serde_json::to_string_pretty(&meta).expect("plain data");
        replace(&self.path.join(META), meta.as_bytes())?;
        Ok(replace(&self.path.join(STUDY), study.text.as_bytes())?)
    }

    /// The study that is run here.
    pub fn study(&self) -> Result<Study, StoreError> {
        let path = self.path.join(META);
        let meta: Meta = read_json(&path)?;
        check_version(&path, (&meta.format, meta.version), META_FORMAT)?;
        let path = self.path.join(STUDY);
        let text =
            fs::read_to_string(&path).map_err(|error| FileError::new("read", &path, error))?;
        let form = if meta.short { Form::Short } else { Form::Whole };
        let file = path.display().to_string();
        let mut study = Study::parse(&text, &file, &meta.base, form).map_err(StudyError::from)?;
        // A fork has a name of its own.
        study.name.clone_from(&self.name);
        Ok(study)
    }

    /// The directories of the runs that are there, by name.
    pub fn runs(&self) -> Result<Vec<RunFolder>, StoreError> {
        let directories = directories(&self.path)?.into_iter();
        let runs = directories.map(|(name, path)| RunFolder { name, path });
        Ok(runs.filter(|run| run.path.join(RUN).is_file()).collect())
    }

    /// The directory of a run, whether it is there or not.
    #[must_use]
    pub fn run(&self, name: &str) -> RunFolder {
        RunFolder {
            name: name.to_owned(),
            path: self.path.join(name),
        }
    }

    /// Removes the study with all its runs. Nobody may be working on it.
    pub fn remove(&self) -> Result<(), StoreError> {
        let _lock = self.lock()?;
        fs::remove_dir_all(&self.path)
            .map_err(|error| FileError::new("remove", &self.path, error).into())
    }
}

impl RunFolder {
    /// Everything the run's numbers depend on; none if it is not there.
    pub fn file(&self) -> Result<Option<RunFile>, StoreError> {
        let path = self.path.join(RUN);
        if !path.exists() {
            return Ok(None);
        }
        let file: RunFile = read_json(&path)?;
        check_version(&path, (&file.format, file.version), RUN_FORMAT)?;
        Ok(Some(file))
    }

    /// Begins the directory of a run.
    pub fn begin(&self, file: &RunFile) -> Result<(), StoreError> {
        make_directory(&self.path)?;
        let text = serde_json::to_string_pretty(file).expect("plain data");
        Ok(replace(&self.path.join(RUN), text.as_bytes())?)
    }

    /// How it is getting on. Whether somebody works on it is known to whoever looks at the lock.
    pub fn status(&self, is_locked: bool) -> Result<Option<Status>, StoreError> {
        let mut status = Status::read(&self.path.join(STATUS))?;
        if let Some(status) = &mut status
            && status.state == State::Running
            && !is_locked
        {
            status.state = State::Interrupted;
        }
        Ok(status)
    }

    /// What came out; none if it is not over.
    pub fn outcome(&self) -> Result<Option<Outcome>, StoreError> {
        let path = self.path.join(OUTCOME);
        let Some(text) = read_if_there(&path)? else {
            return Ok(None);
        };
        let outcome = Outcome::read(&String::from_utf8_lossy(&text));
        outcome
            .map(Some)
            .map_err(|problem| StoreError::Wrong { path, problem })
    }

    /// Removes the run. Nobody may be working on its study.
    pub fn remove(&self, of: &Folder) -> Result<(), StoreError> {
        let _lock = of.lock()?;
        fs::remove_dir_all(&self.path)
            .map_err(|error| FileError::new("remove", &self.path, error).into())
    }
}

fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    let text = fs::read(path).map_err(|error| FileError::new("read", path, error))?;
    serde_json::from_slice(&text).map_err(|error| StoreError::Wrong {
        path: path.to_owned(),
        problem: format!("is damaged: {error}"),
    })
}

fn check_version(path: &Path, found: (&str, u32), format: &str) -> Result<(), StoreError> {
    if found == (format, VERSION) {
        return Ok(());
    }
    let (name, version) = found;
    Err(StoreError::Wrong {
        path: path.to_owned(),
        problem: format!(
            "is version {version} of {name}; this gamete reads version {VERSION} of {format}"
        ),
    })
}
