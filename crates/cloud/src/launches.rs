//! What was launched: one small directory for each study, so that later commands know its jobs.
//!
//! It is written before anything is launched. Jobs are found by names that no other launch has, so nothing is lost if launching is interrupted.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::prices::{Market, Offer};

/// A machine as it is rented.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Machine {
    /// Whose it is.
    pub cloud: String,
    /// Where it stands.
    pub region: String,
    /// What the cloud calls it.
    pub machine_type: String,
    /// How it is paid for.
    pub market: Market,
    /// Dollars an hour when it was planned.
    pub price: f64,
}

impl Machine {
    /// A machine of an offer that says where it stands.
    #[must_use]
    pub fn of(offer: &Offer, market: Market) -> Option<Self> {
        Some(Self {
            cloud: offer.cloud.name.to_owned(),
            region: offer.region.clone()?,
            machine_type: offer.machine_type.clone(),
            market,
            price: offer.price(market)?,
        })
    }
}

/// What was launched for a study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Launched {
    /// The version of this format.
    version: u32,
    /// The study.
    pub study: String,
    /// The common part of the names of its jobs.
    pub name: String,
    /// Where results are kept.
    pub store: String,
    /// How many workers.
    pub workers: u32,
    /// The head.
    pub head: Machine,
    /// Every worker.
    pub worker: Machine,
    /// Seconds since 1970 at which it was launched.
    launched: u64,
}

const VERSION: u32 = 1;
const FILE: &str = "launched.json";

impl Launched {
    /// What is about to be launched.
    #[must_use]
    pub fn new(
        study: &str,
        store: &str,
        (head, worker): (Machine, Machine),
        workers: u32,
        now: SystemTime,
    ) -> Self {
        let since = now.duration_since(SystemTime::UNIX_EPOCH);
        let launched = since.unwrap_or_default().as_secs();
        Self {
            version: VERSION,
            study: study.to_owned(),
            name: job_name(study, launched),
            store: store.to_owned(),
            workers,
            head,
            worker,
            launched,
        }
    }

    /// When it was launched.
    #[must_use]
    pub fn at(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(self.launched)
    }

    /// The name of the job of the head.
    #[must_use]
    pub fn head_job(&self) -> String {
        format!("{}-head", self.name)
    }

    /// The name that the jobs of all workers have.
    #[must_use]
    pub fn worker_job(&self) -> String {
        format!("{}-worker", self.name)
    }
}

/// The longest part of a study's name that is shown in the names of its jobs: clouds cut long names.
const SHOWN: usize = 30;

/// The second of the launch tells it from all others of the study, and from those of studies whose names begin alike.
fn job_name(study: &str, second: u64) -> String {
    let shown: String = study.chars().take(SHOWN).collect();
    format!("gamete-{}-{second:x}", shown.trim_end_matches('-'))
}

/// The directory in which launches are remembered.
#[derive(Debug, Clone)]
pub struct Launches {
    directory: PathBuf,
}

/// Why a launch is not remembered.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// Something with a file.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What.
        error: io::Error,
    },
    /// The file says something else.
    #[error("{} is no record of a launch ({what}); the jobs themselves are shown by 'sky jobs queue'", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// There is none.
    #[error("nothing was launched for a study '{study}'; {known}")]
    Unknown {
        /// The study that was asked for.
        study: String,
        /// Those that there are.
        known: String,
    },
}

impl Launches {
    /// Launches that are remembered in this directory.
    #[must_use]
    pub fn new(directory: &Path) -> Self {
        Self {
            directory: directory.to_owned(),
        }
    }

    /// What was launched for a study, if anything was.
    pub fn find(&self, study: &str) -> Result<Option<Launched>, LaunchError> {
        // Any text may come from the command line; only names of studies are names of directories here.
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if study.is_empty() || !study.chars().all(is_name) {
            return Ok(None);
        }
        let path = self.directory.join(study).join(FILE);
        match fs::read_to_string(&path) {
            Ok(text) => parse(&text, &path).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(LaunchError::File { path, error }),
        }
    }

    /// What was launched for a study.
    pub fn get(&self, study: &str) -> Result<Launched, LaunchError> {
        if let Some(launched) = self.find(study)? {
            return Ok(launched);
        }
        let names: Vec<String> = self.all()?.into_iter().map(|one| one.study).collect();
        Err(LaunchError::Unknown {
            study: study.to_owned(),
            known: match names.as_slice() {
                [] => "nothing was launched at all".to_owned(),
                names => format!("there are {}", names.join(", ")),
            },
        })
    }

    /// All launches, by name of the study.
    pub fn all(&self) -> Result<Vec<Launched>, LaunchError> {
        let entries = match fs::read_dir(&self.directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.file_error(error)),
        };
        let names = entries.map(|entry| entry.map(|entry| entry.file_name()));
        let names: io::Result<Vec<_>> = names.collect();
        let mut names = names.map_err(|error| self.file_error(error))?;
        names.sort();
        let found = names.iter().filter_map(|name| name.to_str());
        found
            .filter_map(|name| self.find(name).transpose())
            .collect()
    }

    /// Remembers a launch and its task files, before they are used. Gives the paths of the files.
    pub fn remember<const N: usize>(
        &self,
        launched: &Launched,
        tasks: [(&str, &str); N],
    ) -> Result<[PathBuf; N], LaunchError> {
        let folder = self.directory.join(&launched.study);
        let mut directories = DirBuilder::new();
        let made = directories.recursive(true).mode(0o700).create(&folder);
        made.map_err(|error| LaunchError::File {
            path: folder.clone(),
            error,
        })?;
        for (name, text) in tasks {
            write(&folder.join(name), text)?;
        }
        let text = serde_json::to_string_pretty(launched).expect("it is plain data");
        write(&folder.join(FILE), &format!("{text}\n"))?;
        Ok(tasks.map(|(name, _)| folder.join(name)))
    }

    /// Forgets a launch.
    pub fn forget(&self, launched: &Launched) -> Result<(), LaunchError> {
        let path = self.directory.join(&launched.study);
        fs::remove_dir_all(&path).map_err(|error| LaunchError::File { path, error })
    }

    fn file_error(&self, error: io::Error) -> LaunchError {
        LaunchError::File {
            path: self.directory.clone(),
            error,
        }
    }
}

fn parse(text: &str, path: &Path) -> Result<Launched, LaunchError> {
    let damaged = |what: String| LaunchError::Damaged {
        path: path.to_owned(),
        what,
    };
    let launched: Launched =
        serde_json::from_str(text).map_err(|error| damaged(error.to_string()))?;
    match launched.version {
        VERSION => Ok(launched),
        other => Err(damaged(format!(
            "version {other}, this program knows version {VERSION}"
        ))),
    }
}

/// Writes a file that only its owner may read, whole or not at all.
fn write(path: &Path, text: &str) -> Result<(), LaunchError> {
    let whole = || -> io::Result<()> {
        let beside = path.with_extension("new");
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        let mut file = options.open(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    whole().map_err(|error| LaunchError::File {
        path: path.to_owned(),
        error,
    })
}
