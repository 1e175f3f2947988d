//! Whether the files of a run are as they were written.
//!
//! The outcome of a finished run holds the checksums of its other files, apart from those that have their own: the settings, which hold
//! the name of the study, the status, which holds times, and the list of workers. So an outcome depends on none of them.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;

use serde::Serialize;

use super::error::StoreError;
use super::played;
use super::run_folder::{RUN, RunFolder};
use crate::run::best_game::BEST_GAME;
use crate::run::checkpoint::CHECKPOINT;
use crate::run::file::FileError;
use crate::run::history::{HISTORY, HistoryReader};
use crate::run::ledger::LedgerError;
use crate::run::outcome::{OUTCOME, Outcome};
use crate::run::provenance::{Provenance, WORKERS};
use crate::run::sample::GAMES;
use crate::run::seal::SealError;
use crate::run::status::{STATUS, State, Status};
use crate::study::{CHAMPION, NETWORK};

/// The files that a finished run keeps, apart from those with checksums of their own.
pub const KEPT: [&str; 6] = [HISTORY, CHECKPOINT, CHAMPION, NETWORK, GAMES, BEST_GAME];

/// A file that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// Its name in the directory of the run.
    pub file: &'static str,
    /// What is wrong, with its path.
    pub text: String,
    /// It is of another version, which is not damage: it is left as it is.
    pub is_other_version: bool,
}

impl Damage {
    fn new(file: &'static str, text: String) -> Self {
        Self {
            file,
            text,
            is_other_version: false,
        }
    }

    fn of_store(file: &'static str, error: &StoreError) -> Self {
        let is_other_version = matches!(
            error,
            StoreError::Sealed {
                error: SealError::Other { .. },
                ..
            }
        );
        Self {
            is_other_version,
            ..Self::new(file, error.to_string())
        }
    }

    fn of_history(error: &LedgerError) -> Self {
        Self {
            is_other_version: matches!(error, LedgerError::OtherVersion { .. }),
            ..Self::new(HISTORY, error.to_string())
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The checksums of the files that a finished run keeps, by name.
pub(super) fn checksums(run: &Path) -> Result<BTreeMap<String, String>, FileError> {
    let mut found = BTreeMap::new();
    for name in KEPT {
        let path = run.join(name);
        match checksum(&path) {
            Ok(checksum) => {
                found.insert(name.to_owned(), checksum);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(FileError::new("read", &path, error)),
        }
    }
    Ok(found)
}

fn checksum(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}

impl RunFolder {
    /// The damaged files of the run. What a crash can leave in an unfinished run is no damage.
    #[must_use]
    pub fn damage(&self) -> Vec<Damage> {
        let mut found = self.damaged_settings();
        match self.outcome() {
            Ok(Some(outcome)) => found.extend(self.damage_of_finished(&outcome)),
            Ok(None) => found.extend(self.damage_of_unfinished()),
            Err(error) => found.push(Damage::of_store(OUTCOME, &error)),
        }
        let path = self.path.join(STATUS);
        if path.is_file() && !matches!(Status::read(&path), Ok(Some(_))) {
            let text = format!("{} is damaged or of another version", path.display());
            found.push(Damage::new(STATUS, text));
        }
        if let Ok(Err(error)) = Provenance::read(&self.path) {
            let path = self.path.join(WORKERS);
            let text = format!("{} {error}", path.display());
            found.push(Damage::new(WORKERS, text));
        }
        found
    }

    fn damaged_settings(&self) -> Vec<Damage> {
        let error = self.file().err();
        let damage = error.map(|error| Damage::of_store(RUN, &error));
        damage.into_iter().collect()
    }

    fn damage_of_finished(&self, outcome: &Outcome) -> Vec<Damage> {
        let Some(checksums) = &outcome.files else {
            return self.damage_that_shows();
        };
        // A file that could not be there when the run ended was put there since, and is not ours.
        let names = KEPT.into_iter();
        let files = names.filter_map(|name| Some((name, checksums.get(name)?)));
        files
            .filter_map(|(name, expected)| self.changed(name, expected))
            .collect()
    }

    fn changed(&self, file: &'static str, expected: &str) -> Option<Damage> {
        let path = self.path.join(file);
        let problem = match checksum(&path) {
            Ok(found) if found == expected => return None,
            Ok(_) => "is damaged: its checksum does not match".to_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => "is missing".to_owned(),
            Err(error) => format!("cannot be read: {error}"),
        };
        let text = format!("{} {problem}", path.display());
        Some(Damage::new(file, text))
    }

    /// Without checksums of all files, only those that can be told to be damaged from what they hold.
    fn damage_that_shows(&self) -> Vec<Damage> {
        let mut found = self.damaged_history(|_| true);
        if let Err(error) = played::games(&self.path) {
            found.push(Damage::of_store(GAMES, &error));
        }
        found
    }

    /// A history that ends in the middle of an entry is what a crash leaves.
    fn damage_of_unfinished(&self) -> Vec<Damage> {
        let mut found = self.damaged_history(|error| !error.is_torn());
        found.extend(self.lost_outcome());
        found
    }

    fn damaged_history(&self, counts: impl Fn(&LedgerError) -> bool) -> Vec<Damage> {
        let path = self.path.join(HISTORY);
        if !path.exists() {
            return Vec::new();
        }
        let error = match HistoryReader::read(&path) {
            Ok(history) => history.damage,
            Err(error) => Some(error),
        };
        let damage = error.filter(counts).as_ref().map(Damage::of_history);
        damage.into_iter().collect()
    }

    /// The outcome, if it is missing although the run was finished.
    pub(super) fn lost_outcome(&self) -> Option<Damage> {
        let status = Status::read(&self.path.join(STATUS)).ok().flatten();
        let path = self.path.join(OUTCOME);
        // The outcome is written before the status says so.
        let is_lost = status.is_some_and(|status| status.state == State::Finished);
        let shown = path.display();
        let text = format!("{shown} is missing, although the run was finished");
        (is_lost && !path.exists()).then(|| Damage::new(OUTCOME, text))
    }
}
