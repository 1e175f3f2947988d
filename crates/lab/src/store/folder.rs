//! The directory of a study, those of its runs, and the lock that a process holds while it works there.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::integrity::{Damage, checksums};
use crate::run::file::{
    FileError, PART, UNFINISHED, make_directory, open_to_grow, read_if_there, remove_ending,
    remove_if_there, replace, set_aside,
};
use crate::run::history::HISTORY;
use crate::run::outcome::{OUTCOME, Outcome};
use crate::run::provenance::{Provenance, WORKERS};
use crate::run::sample::GAMES_PART;
use crate::run::seal::{SealError, seal, unseal};
use crate::run::status::{STATUS, State, Status};
use crate::study::{Form, RunPlan, Study, StudyError};

/// The study as it is run.
pub const STUDY: &str = "study.toml";
/// Where a study came from.
pub(super) const META: &str = "study.json";
/// What a run depends on.
pub const RUN: &str = "run.json";
const LOCK: &str = "lock";

/// Why the store failed.
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
        /// The likely intended name.
        hint: String,
        /// The directory that was searched.
        root: PathBuf,
    },
    /// The requested part does not exist.
    #[error("{of} has no {what}; it has {known}")]
    Absent {
        /// The study or run.
        of: String,
        /// The requested part.
        what: String,
        /// The available ones.
        known: String,
    },
    /// Another process is working on it.
    #[error("another process is working on the study '{0}'; wait for it, or stop it first")]
    Locked(String),
    /// The content of a file is wrong.
    #[error("{} {problem}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A file is damaged, or of another version.
    #[error("{} {error}{}", path.display(), advice(path, error))]
    Sealed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: SealError,
    },
    /// The study of a folder cannot be parsed any more.
    #[error(transparent)]
    Study(#[from] StudyError),
}

/// What the user can do about a damaged file.
fn advice(path: &Path, error: &SealError) -> String {
    match (error, path.file_name().and_then(|name| name.to_str())) {
        (SealError::Damaged(_), Some(RUN)) => make_again(path),
        (SealError::Damaged(_), Some(META)) => {
            "; 'gamete run' with the study's own file writes it again".to_owned()
        }
        _ => String::new(),
    }
}

/// Settings of a run follow from its study.
fn make_again(settings: &Path) -> String {
    let folder = settings.parent().unwrap_or(settings);
    let study = folder.parent().and_then(Path::file_name);
    let study = study.unwrap_or_default().to_string_lossy();
    let folder = folder.display();
    format!("; 'gamete fsck {study} --repair' makes it again, or move {folder} away to start over")
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
    /// The checksum of the study's text; while the text is being replaced, also that of the old one.
    texts: Vec<String>,
}

const META_FORMAT: &str = "gamete-study";
const RUN_FORMAT: &str = "gamete-run";
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

/// Subdirectories, by name; none if the directory does not exist.
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

/// A process that only checks whether a study is locked holds its lock for an instant; locking is retried this often.
const LOCK_TRIES: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// While this exists, no other process works on the study.
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

    /// Has the study been run here? If its text is missing, its runs show it.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.path.join(STUDY).is_file() || self.runs().is_ok_and(|runs| !runs.is_empty())
    }

    /// Claims the folder for this process.
    pub fn lock(&self) -> Result<Lock, StoreError> {
        make_directory(&self.path)?;
        let path = self.path.join(LOCK);
        let file = open_to_grow(&path)?;
        for _ in 0..LOCK_TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(Lock(file)),
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
                Err(TryLockError::Error(error)) => {
                    return Err(FileError::new("lock", &path, error).into());
                }
            }
        }
        Err(StoreError::Locked(self.name.clone()))
    }

    /// Is a process working here now?
    #[must_use]
    pub fn is_locked(&self) -> bool {
        let file = File::open(self.path.join(LOCK));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Writes the text of a study, and reports what was wrong with the existing files. The text matches its checksum at every instant.
    pub fn write_study(&self, study: &Study) -> Result<Vec<String>, StoreError> {
        let (meta_path, path) = (self.path.join(META), self.path.join(STUDY));
        let notes = self.check_study(study)?;
        let new = Meta {
            format: META_FORMAT.to_owned(),
            version: VERSION,
            base: study.base.clone(),
            short: study.short,
            texts: vec![checksum_of(study.text.as_bytes())],
        };
        let before = read_if_there(&path)?;
        if before.as_deref() != Some(study.text.as_bytes()) {
            let mut both = new.clone();
            both.texts.extend(before.as_deref().map(checksum_of));
            replace(&meta_path, seal(&both).as_bytes())?;
            replace(&path, study.text.as_bytes())?;
        }
        let sealed = seal(&new);
        if read_if_there(&meta_path)?.as_deref() != Some(sealed.as_bytes()) {
            replace(&meta_path, sealed.as_bytes())?;
        }
        remove_ending(&self.path, &[UNFINISHED])?;
        Ok(notes)
    }

    /// Sets aside files that have changed since they were written.
    fn check_study(&self, study: &Study) -> Result<Vec<String>, StoreError> {
        let (meta_path, path) = (self.path.join(META), self.path.join(STUDY));
        let meta = match self.meta() {
            Err(StoreError::Sealed {
                error: SealError::Damaged(_),
                ..
            }) => {
                let aside = set_aside(&meta_path)?;
                return Ok(vec![set_aside_note(&meta_path, "is damaged", &aside)]);
            }
            other => other?,
        };
        let text = read_if_there(&path)?;
        let is_known = |text: &[u8]| match &meta {
            Some(meta) => meta.texts.contains(&checksum_of(text)),
            None => false,
        };
        match text {
            Some(text) if text != study.text.as_bytes() && !is_known(&text) => {
                let aside = set_aside(&path)?;
                Ok(vec![set_aside_note(&path, "is not what was run", &aside)])
            }
            Some(_) if meta.is_none() => Ok(vec![format!(
                "{} was missing and was written again",
                meta_path.display()
            )]),
            _ => Ok(Vec::new()),
        }
    }

    fn meta(&self) -> Result<Option<Meta>, StoreError> {
        let path = self.path.join(META);
        let contents = read_if_there(&path)?;
        let meta = contents.map(|contents| unseal(&contents, META_FORMAT, VERSION));
        meta.transpose()
            .map_err(|error| StoreError::Sealed { path, error })
    }

    /// The study that is run here.
    pub fn study(&self) -> Result<Study, StoreError> {
        let wrong = |path: PathBuf, what: &str| StoreError::Wrong {
            path,
            problem: format!("{what}; 'gamete run' with the study's own file writes it again"),
        };
        let meta = self.meta()?;
        let meta = meta.ok_or_else(|| wrong(self.path.join(META), "is missing"))?;
        let path = self.path.join(STUDY);
        let text =
            fs::read_to_string(&path).map_err(|error| FileError::new("read", &path, error))?;
        if !meta.texts.contains(&checksum_of(text.as_bytes())) {
            return Err(wrong(path, "is not what was run: it is damaged or changed"));
        }
        let form = if meta.short { Form::Short } else { Form::Whole };
        let file = path.display().to_string();
        let mut study = Study::parse(&text, &file, &meta.base, form).map_err(StudyError::from)?;
        // A fork has its own name.
        study.name.clone_from(&self.name);
        Ok(study)
    }

    /// The directories of the existing runs, by name.
    pub fn runs(&self) -> Result<Vec<RunFolder>, StoreError> {
        let directories = directories(&self.path)?.into_iter();
        let runs = directories.map(|(name, path)| RunFolder { name, path });
        Ok(runs.filter(RunFolder::is_there).collect())
    }

    /// The directory of a run, whether it exists or not.
    #[must_use]
    pub fn run(&self, name: &str) -> RunFolder {
        RunFolder {
            name: name.to_owned(),
            path: self.path.join(name),
        }
    }

    /// Removes the study with all its runs. Fails if a process is working on it.
    pub fn remove(&self) -> Result<(), StoreError> {
        let _lock = self.lock()?;
        fs::remove_dir_all(&self.path)
            .map_err(|error| FileError::new("remove", &self.path, error).into())
    }
}

impl RunFolder {
    /// Everything the run's results depend on; `None` if it has not started.
    pub fn file(&self) -> Result<Option<RunFile>, StoreError> {
        let path = self.path.join(RUN);
        if let Some(contents) = read_if_there(&path)? {
            let file = unseal(&contents, RUN_FORMAT, VERSION);
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
    fn is_there(&self) -> bool {
        let is_file = |name: &str| self.path.join(name).is_file();
        is_file(RUN) || is_file(STATUS) || is_file(OUTCOME) || is_file(HISTORY)
    }

    /// Is it empty, apart from what a crash at the very beginning leaves?
    fn is_empty(&self) -> Result<bool, StoreError> {
        let failed = |error| FileError::new("read", &self.path, error);
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            other => other.map_err(failed)?,
        };
        for entry in entries {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_none_or(|ending| ending != UNFINISHED) {
                return Ok(false);
            }
        }
        Ok(true)
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
        let outcome = Outcome::read(&text);
        outcome
            .map(Some)
            .map_err(|error| StoreError::Sealed { path, error })
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
        let builds_on_games = |name: &str| !matches!(name, RUN | STATUS | WORKERS | GAMES_PART);
        let mut starts_over = false;
        for name in self.files()? {
            starts_over |= builds_on_games(&name);
        }
        if starts_over {
            // The log of games, too: it may be that of a champion that is another one then.
            for name in self.files()? {
                if !matches!(name.as_str(), RUN | STATUS | WORKERS) {
                    remove_if_there(&self.path.join(name))?;
                }
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

/// The checksum of contents, as it stands in the files of studies and runs.
#[must_use]
pub fn checksum_of(contents: &[u8]) -> String {
    blake3::hash(contents).to_hex().to_string()
}

fn set_aside_note(path: &Path, what: &str, aside: &Path) -> String {
    let (path, aside) = (path.display(), aside.display());
    format!("{path} {what} and was set aside as {aside}")
}
