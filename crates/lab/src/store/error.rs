//! Why the store failed, and what to do about it.

use std::path::{Path, PathBuf};

use super::folder::META;
use super::run_folder::RUN;
use crate::run::file::FileError;
use crate::run::seal::SealError;
use crate::study::StudyError;

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
pub(super) fn make_again(settings: &Path) -> String {
    let folder = settings.parent().unwrap_or(settings);
    let study = folder.parent().and_then(Path::file_name);
    let study = study.unwrap_or_default().to_string_lossy();
    let folder = folder.display();
    format!("; 'gamete fsck {study} --repair' makes it again, or move {folder} away to start over")
}
