//! Where studies and their runs are kept: a directory of directories, and an index over them that can be rebuilt.
//!
//! ```text
//! runs/
//!   index.sqlite             an index; delete it, and it is rebuilt
//!   my-study/
//!     study.toml             the study as it is run
//!     study.json             where it came from
//!     lock                   held by the process that works on it
//!     vault.json             its newest snapshot in an object store, if it is backed up
//!     baselines.json         players that were not evolved, in games like those of the champions
//!     report/                html, markdown, csv, json
//!     s1-r1/                 a run: setting 1, repeat 1
//!       run.json             everything its results depend on
//!       status.json          its progress; times
//!       workers.json         which workers on other machines played its games, if any did
//!       history, checkpoint, champion.json or champion.network, games.csv, best-game.json
//!       outcome.json         its numbers, and checksums of the files in the line above; written last
//!       *.part               files needed until there is an outcome
//!       *.damaged-1          damaged files that were set aside
//! ```

pub mod baselines;
mod error;
mod folder;
mod index;
mod integrity;
pub mod played;
mod query;
mod run_folder;

use std::path::{Path, PathBuf};

use play::network_file::NetworkFile;

pub use crate::run::outcome::OUTCOME;
use crate::study::NETWORK;

pub use self::error::StoreError;
pub use self::folder::{Folder, Meta, STUDY, checksum_of};
pub use self::index::{Changes, Index, IndexError, Known, Row};
pub use self::integrity::{Damage, KEPT};
pub use self::query::{Found, Order, Query, Sort, StudyRow};
pub use self::run_folder::{RUN, RunFile, RunFolder};

/// The directory of all studies.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
}

impl Store {
    /// The store in this directory, which need not exist yet.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        let root = root.to_owned();
        Self { root }
    }

    /// Its directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of a study, whether it exists or not.
    #[must_use]
    pub fn folder(&self, study: &str) -> Folder {
        Folder::new(study, &self.root.join(study))
    }

    /// The folders of all existing studies, by name.
    pub fn folders(&self) -> Result<Vec<Folder>, StoreError> {
        let folders = folder::directories(&self.root)?
            .into_iter()
            .map(|(name, path)| Folder::new(&name, &path));
        Ok(folders.filter(Folder::is_there).collect())
    }

    /// Says where the networks of all trainings are, so that players that follow them can be made.
    pub fn announce_networks(&self) -> Result<(), StoreError> {
        for folder in self.folders()? {
            for run in folder.runs()? {
                let network = run.path.join(NETWORK);
                if network.is_file() {
                    // One that cannot be read is reported with the damage of its run.
                    let _ = NetworkFile::open(&network);
                }
            }
        }
        Ok(())
    }

    /// The name, with the next free number appended if the study already exists.
    #[must_use]
    pub fn free_name(&self, name: &str) -> String {
        let free = |name: &String| !self.folder(name).is_there();
        std::iter::once(name.to_owned())
            .chain((2..).map(|number| format!("{name}-{number}")))
            .find(free)
            .unwrap_or_else(|| name.to_owned())
    }

    /// Resolves a name: a study, or a run `study/run`. Names cannot refer to anything outside the store.
    pub fn find(&self, name: &str) -> Result<Named, StoreError> {
        let (study, run) = match name.trim_end_matches('/').split_once('/') {
            Some((study, run)) => (study, Some(run)),
            None => (name.trim_end_matches('/'), None),
        };
        let folder = self.folder(study);
        let is_name =
            |name: &str| !name.is_empty() && !name.contains('/') && !name.starts_with('.');
        if !is_name(study) || run.is_some_and(|run| !is_name(run)) || !folder.is_there() {
            return Err(self.unknown(name));
        }
        let Some(run) = run else {
            return Ok(Named::Study(folder));
        };
        match folder.runs()?.into_iter().find(|known| known.name == run) {
            Some(run) => Ok(Named::Run(folder, run)),
            None => Err(self.unknown(name)),
        }
    }

    fn unknown(&self, name: &str) -> StoreError {
        let mut known: Vec<String> = Vec::new();
        for folder in self.folders().unwrap_or_default() {
            let study = folder.name.clone();
            let runs = folder.runs().unwrap_or_default();
            known.extend(runs.into_iter().map(|run| format!("{study}/{}", run.name)));
            known.push(study);
        }
        let hint = spec::did_you_mean(name, known.iter().map(String::as_str));
        StoreError::Unknown {
            name: name.to_owned(),
            hint,
            root: self.root.clone(),
        }
    }
}

/// A resolved name.
#[derive(Debug, Clone)]
pub enum Named {
    /// A study.
    Study(Folder),
    /// A run of a study.
    Run(Folder, RunFolder),
}
