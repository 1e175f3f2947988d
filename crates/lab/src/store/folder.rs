//! The directory of a study, and the lock that a process holds while it works there.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::run_folder::RunFolder;
use crate::run::file::{
    FileError, UNFINISHED, make_directory, open_to_grow, read_if_there, remove_ending, replace,
    set_aside,
};
use crate::run::seal::{SealError, seal, unseal};
use crate::study::{Form, Study, StudyError};

/// The study as it is run.
pub const STUDY: &str = "study.toml";
/// Where a study came from.
pub(super) const META: &str = "study.json";
const LOCK: &str = "lock";

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
const VERSION: u32 = 1;

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

/// The checksum of contents, as it stands in the files of studies and runs.
#[must_use]
pub fn checksum_of(contents: &[u8]) -> String {
    blake3::hash(contents).to_hex().to_string()
}

pub(super) fn set_aside_note(path: &Path, what: &str, aside: &Path) -> String {
    let (path, aside) = (path.display(), aside.display());
    format!("{path} {what} and was set aside as {aside}")
}
