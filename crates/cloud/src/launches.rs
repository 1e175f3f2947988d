//! Records of launches: one small directory per study, so that later commands know its jobs.
//!
//! A record is written before anything is launched, and its jobs have unique names, so nothing is lost if launching is interrupted.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::prices::{Market, Offer};

/// A rented machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Machine {
    /// The cloud.
    pub cloud: String,
    /// The region.
    pub region: String,
    /// The machine type, as the cloud calls it.
    pub machine_type: String,
    /// How it is paid for.
    pub market: Market,
    /// Dollars per hour at the time of the plan.
    pub price: f64,
}

impl Machine {
    /// The machine of an offer; `None` if its region or price is unknown.
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

/// The launch of a study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Launch {
    /// The version of this format.
    version: u32,
    /// The study.
    pub study: String,
    /// The common prefix of its job names.
    pub name: String,
    /// Where results are stored.
    pub store: String,
    /// Number of workers.
    pub workers: u32,
    /// The head.
    pub head: Machine,
    /// Every worker.
    pub worker: Machine,
    /// Seconds since 1970.
    #[serde(rename = "launched")]
    second: u64,
}

const VERSION: u32 = 1;
const FILE: &str = "launched.json";

impl Launch {
    /// A launch that is about to happen.
    #[must_use]
    pub fn new(
        study: &str,
        store: &str,
        (head, worker): (Machine, Machine),
        workers: u32,
        now: SystemTime,
    ) -> Self {
        let since = now.duration_since(SystemTime::UNIX_EPOCH);
        let second = since.unwrap_or_default().as_secs();
        Self {
            version: VERSION,
            study: study.to_owned(),
            name: job_name(study, second),
            store: store.to_owned(),
            workers,
            head,
            worker,
            second,
        }
    }

    /// When it happened.
    #[must_use]
    pub fn at(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(self.second)
    }

    /// The name of the head's job.
    #[must_use]
    pub fn head_job(&self) -> String {
        format!("{}-head", self.name)
    }

    /// The name of every worker's job.
    #[must_use]
    pub fn worker_job(&self) -> String {
        format!("{}-worker", self.name)
    }
}

/// Characters of a study's name to use in job names: clouds truncate long names.
const LONGEST: usize = 30;

/// The second of the launch tells it from other launches of the study, and of studies whose names start the same.
fn job_name(study: &str, second: u64) -> String {
    let start: String = study.chars().take(LONGEST).collect();
    format!("gamete-{}-{second:x}", start.trim_end_matches('-'))
}

/// The directory with the records.
#[derive(Debug, Clone)]
pub struct Launches {
    directory: PathBuf,
}

/// Why there is no record of a launch.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The file has other contents.
    #[error("{} is not a launch record ({problem}); 'sky jobs queue' shows the jobs themselves", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Nothing was launched.
    #[error("no launch of study '{study}'; {known}")]
    Unknown {
        /// The study that was given.
        study: String,
        /// What was launched instead.
        known: String,
    },
}

impl Launches {
    /// The records in a directory.
    #[must_use]
    pub fn new(directory: &Path) -> Self {
        Self {
            directory: directory.to_owned(),
        }
    }

    /// The launch of a study, if there is one.
    pub fn find(&self, study: &str) -> Result<Option<Launch>, LaunchError> {
        // Any text may come from the command line; only study names are directory names here.
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if study.is_empty() || !study.chars().all(is_name) {
            return Ok(None);
        }
        let path = self.directory.join(study).join(FILE);
        match fs::read_to_string(&path) {
            Ok(text) => parse(&text, &path).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&path)(error)),
        }
    }

    /// The launch of a study.
    pub fn get(&self, study: &str) -> Result<Launch, LaunchError> {
        if let Some(launch) = self.find(study)? {
            return Ok(launch);
        }
        let names: Vec<String> = self.all()?.into_iter().map(|one| one.study).collect();
        Err(LaunchError::Unknown {
            study: study.to_owned(),
            known: match names.as_slice() {
                [] => "nothing was launched".to_owned(),
                names => format!("launched: {}", names.join(", ")),
            },
        })
    }

    /// All launches, sorted by study.
    pub fn all(&self) -> Result<Vec<Launch>, LaunchError> {
        let entries = match fs::read_dir(&self.directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other.map_err(failed(&self.directory))?,
        };
        let names = entries.map(|entry| entry.map(|entry| entry.file_name()));
        let names: io::Result<Vec<_>> = names.collect();
        let mut names = names.map_err(failed(&self.directory))?;
        names.sort();
        let names = names.iter().filter_map(|name| name.to_str());
        names
            .filter_map(|name| self.find(name).transpose())
            .collect()
    }

    /// Saves a launch and its task files, before they are used. Returns the paths of the files.
    pub fn save<const N: usize>(
        &self,
        launch: &Launch,
        tasks: [(&str, &str); N],
    ) -> Result<[PathBuf; N], LaunchError> {
        let folder = self.directory.join(&launch.study);
        let mut builder = DirBuilder::new();
        let created = builder.recursive(true).mode(0o700).create(&folder);
        created.map_err(failed(&folder))?;
        for (name, text) in tasks {
            write(&folder.join(name), text)?;
        }
        let text = serde_json::to_string_pretty(launch).expect("plain data");
        write(&folder.join(FILE), &format!("{text}\n"))?;
        Ok(tasks.map(|(name, _)| folder.join(name)))
    }

    /// Deletes the record of a launch.
    pub fn delete(&self, launch: &Launch) -> Result<(), LaunchError> {
        let path = self.directory.join(&launch.study);
        fs::remove_dir_all(&path).map_err(failed(&path))
    }
}

fn failed(path: &Path) -> impl Fn(io::Error) -> LaunchError {
    let path = path.to_owned();
    move |error| LaunchError::File {
        path: path.clone(),
        error,
    }
}

fn parse(text: &str, path: &Path) -> Result<Launch, LaunchError> {
    let damaged = |problem: String| LaunchError::Damaged {
        path: path.to_owned(),
        problem,
    };
    let launch: Launch = serde_json::from_str(text).map_err(|error| damaged(error.to_string()))?;
    match launch.version {
        VERSION => Ok(launch),
        other => Err(damaged(format!(
            "version {other}; this program reads version {VERSION}"
        ))),
    }
}

/// Replaces a file atomically; only its owner can read it.
fn write(path: &Path, text: &str) -> Result<(), LaunchError> {
    let new = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    let file = options.open(&new);
    file.and_then(|mut file| {
        file.write_all(text.as_bytes())
            .and_then(|()| file.sync_all())
    })
    .and_then(|()| fs::rename(&new, path))
    .map_err(failed(path))
}
