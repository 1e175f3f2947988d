//! Which workers played the games of a run, so that those of a worker that turns out to be wrong can be removed.
//!
//! A worker is written down before its first game is taken, so that no crash can leave its games behind without its name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard};

use serde::{Deserialize, Serialize};

use super::file::{FileError, read_if_there, replace};
use super::seal::{SealError, seal, unseal};
use play::batch::{Dispatch, GameBatch};
use play::error::DispatchError;
use play::playing::{Origin, Record};

/// The file within the directory of a run.
pub const WORKERS: &str = "workers.json";
/// The file within the directory of a study: workers that returned wrong results.
pub const DISTRUSTED: &str = "distrusted.json";

const FORMAT: &str = "gamete-workers";
const DISTRUSTED_FORMAT: &str = "gamete-distrusted";
const VERSION: u32 = 1;

/// The games that a worker played for a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contribution {
    /// Its name.
    pub name: String,
    /// Games it played.
    pub games: u64,
    /// Those that were played a second time elsewhere, with the same result.
    pub checked: u64,
}

/// The workers of a run, by their public keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    format: String,
    version: u32,
    /// Those whose games it uses.
    pub workers: BTreeMap<String, Contribution>,
    /// Those that were found wrong, and whose games were removed.
    pub removed: BTreeMap<String, Contribution>,
}

impl Default for Provenance {
    fn default() -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            workers: BTreeMap::new(),
            removed: BTreeMap::new(),
        }
    }
}

impl Provenance {
    /// That of the run in a directory; damage is an error of its own, since nothing is known then.
    pub fn read(run: &Path) -> Result<Result<Self, SealError>, FileError> {
        Ok(match read_if_there(&run.join(WORKERS))? {
            None => Ok(Self::default()),
            Some(text) => unseal(&text, FORMAT, VERSION),
        })
    }

    /// Writes it.
    pub fn write(&self, run: &Path) -> Result<(), FileError> {
        replace(&run.join(WORKERS), seal(self).as_bytes())
    }

    /// Moves these workers to those whose games were removed; their names.
    pub fn remove(&mut self, wrong: &[String]) -> Vec<String> {
        let mut names = Vec::new();
        for worker in wrong {
            if let Some(contribution) = self.workers.remove(worker) {
                names.push(contribution.name.clone());
                let removed = self.removed.entry(worker.clone()).or_default();
                removed.games += contribution.games;
                removed.checked += contribution.checked;
                removed.name = contribution.name;
            }
        }
        names
    }

    /// No game is left.
    pub fn remove_all(&mut self) {
        self.workers.clear();
    }

    fn add(&mut self, origin: &Origin) {
        if let Some(contribution) = self.workers.get_mut(&*origin.worker) {
            contribution.games += 1;
            contribution.checked += u64::from(origin.checked);
        }
    }
}

/// Workers that returned wrong results in a study.
#[derive(Debug, Serialize, Deserialize)]
struct Distrusted {
    format: String,
    version: u32,
    workers: Vec<String>,
}

/// Workers that returned wrong results in the study of this directory.
pub fn distrusted(study: &Path) -> Result<Vec<String>, FileError> {
    let path = study.join(DISTRUSTED);
    let Some(text) = read_if_there(&path)? else {
        return Ok(Vec::new());
    };
    let read = unseal::<Distrusted>(&text, DISTRUSTED_FORMAT, VERSION);
    let read = read.map_err(|error| {
        let error = std::io::Error::new(std::io::ErrorKind::InvalidData, error.to_string());
        FileError::new("read", &path, error)
    })?;
    Ok(read.workers)
}

/// Writes down that a worker returned a wrong result.
pub fn distrust(study: &Path, worker: &str) -> Result<(), FileError> {
    let mut workers = distrusted(study)?;
    if !workers.iter().any(|known| known == worker) {
        workers.push(worker.to_owned());
    }
    let file = Distrusted {
        format: DISTRUSTED_FORMAT.to_owned(),
        version: VERSION,
        workers,
    };
    replace(&study.join(DISTRUSTED), seal(&file).as_bytes())
}

/// The workers of one run: passes their games on, and writes down who played them.
#[derive(Debug)]
pub struct Attributed {
    elsewhere: Arc<dyn Dispatch>,
    run: PathBuf,
    known: Mutex<Provenance>,
    failed: Mutex<Option<FileError>>,
}

impl Attributed {
    /// For the run in a directory.
    pub fn open(elsewhere: Arc<dyn Dispatch>, run: &Path) -> Result<Self, FileError> {
        // The runner has removed the run's games if this was damaged.
        let known = Provenance::read(run)?.unwrap_or_default();
        Ok(Self {
            elsewhere,
            run: run.to_owned(),
            known: Mutex::new(known),
            failed: Mutex::default(),
        })
    }

    fn known(&self) -> MutexGuard<'_, Provenance> {
        self.known.lock().expect("mutex poisoned")
    }

    fn note(&self, origin: &Origin) -> Result<(), FileError> {
        let mut known = self.known();
        if !known.workers.contains_key(&*origin.worker) {
            let contribution = Contribution {
                name: self.elsewhere.name(&origin.worker),
                ..Contribution::default()
            };
            known
                .workers
                .insert(origin.worker.to_string(), contribution);
            known.write(&self.run)?;
        }
        known.add(origin);
        Ok(())
    }

    /// Are games of earlier batches to be removed? Those of this one were replaced.
    fn settle(&self, before: &Provenance) -> Result<Vec<String>, FileError> {
        let wrong = self.elsewhere.distrusted();
        let mut known = self.known();
        let is_earlier = |worker: &&String| before.workers.contains_key(*worker);
        let earlier: Vec<String> = wrong.iter().filter(is_earlier).cloned().collect();
        let now: Vec<String> = wrong.into_iter().filter(|one| !is_earlier(&one)).collect();
        known.remove(&now);
        if *known != *before {
            known.write(&self.run)?;
        }
        let name = |worker: &String| self.elsewhere.name(worker);
        Ok(earlier.iter().map(name).collect())
    }
}

impl Dispatch for Attributed {
    fn slots(&self) -> usize {
        self.elsewhere.slots()
    }

    fn play(
        &self,
        batch: &GameBatch,
        stop: &AtomicBool,
        done: &(dyn Fn(usize, Record) + Sync),
    ) -> Result<(), DispatchError> {
        let before = self.known().clone();
        let played = self.elsewhere.play(batch, stop, &|place, record| {
            let noted = record.origin.as_deref().map(|origin| self.note(origin));
            match noted.transpose() {
                Ok(_) => done(place, record),
                Err(error) => *self.failed.lock().expect("mutex poisoned") = Some(error),
            }
        });
        let failed = self.failed.lock().expect("mutex poisoned").take();
        let settled = failed.map_or_else(|| self.settle(&before), Err);
        match settled {
            Err(error) => Err(DispatchError::Failed(error.to_string())),
            Ok(wrong) if !wrong.is_empty() => Err(DispatchError::Distrusted(wrong.join(", "))),
            Ok(_) => played,
        }
    }

    fn distrusted(&self) -> Vec<String> {
        self.elsewhere.distrusted()
    }

    fn distrust(&self, workers: &[String]) {
        self.elsewhere.distrust(workers);
    }

    fn name(&self, worker: &str) -> String {
        self.elsewhere.name(worker)
    }
}
