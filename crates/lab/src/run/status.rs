//! The status of a run: written regularly while it works, and at its end. Holds everything that depends on the machine.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::file::{FileError, read_if_there, replace, set_aside};
use super::plot::Plot;
use super::seal::{is_sealed, seal, unseal};

/// The file of a status.
pub const STATUS: &str = "status.json";
const FORMAT: &str = "gamete-status";
const VERSION: u32 = 2;
/// The version without a checksum, which is still read.
const UNSEALED: u32 = 1;
/// No run has worked longer: three thousand years.
const MOST_SECONDS: f64 = 1e11;

/// The status of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    format: String,
    version: u32,
    /// What it is doing.
    pub state: State,
    /// Generations (or games) done.
    pub done: u64,
    /// Maximum number of them.
    pub of: u64,
    /// Best fitness (or mean score) so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<f64>,
    /// Mean fitness of the last generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Games played.
    pub games: u64,
    /// Time worked, without pauses.
    pub seconds: f64,
    /// Share of that time that was neither playing nor waiting for games.
    #[serde(default)]
    pub own_share: f64,
    /// Number of threads.
    pub threads: usize,
    /// When it started (UTC).
    pub started: String,
    /// When this was written (UTC).
    pub updated: String,
    /// How often it was started or resumed.
    pub attempts: u32,
    /// Why it failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Measured times, by name; they depend on the machine.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub times: BTreeMap<String, f64>,
    /// Times to plot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plots: Vec<Plot>,
    /// The version of gamete.
    pub gamete: String,
}

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum State {
    /// Not started.
    Waiting,
    /// Running when this was written; the lock shows whether it still is.
    Running,
    /// Stopped; it can be resumed.
    Interrupted,
    /// Failed.
    Failed,
    /// Finished.
    Finished,
    /// Files of it are damaged; never written to a status.
    Damaged,
}

impl State {
    /// Its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
            Self::Finished => "finished",
            Self::Damaged => "damaged",
        }
    }
}

/// The current time in the format of our files.
#[must_use]
pub fn now() -> String {
    humantime::format_rfc3339_millis(SystemTime::now()).to_string()
}

impl Status {
    /// The status of a run that starts.
    #[must_use]
    pub fn begin(threads: usize) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            state: State::Running,
            done: 0,
            of: 0,
            best: None,
            mean: None,
            games: 0,
            seconds: 0.0,
            own_share: 0.0,
            threads,
            started: now(),
            updated: now(),
            attempts: 0,
            error: None,
            times: BTreeMap::new(),
            plots: Vec::new(),
            gamete: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// The status in a file; `None` if it is damaged, since all results are stored elsewhere.
    pub fn read(path: &Path) -> Result<Option<Self>, FileError> {
        let contents = read_if_there(path)?;
        Ok(contents.and_then(|contents| Self::parse(&contents)))
    }

    /// Parses the contents of a status file; `None` if it is damaged or of another version.
    #[must_use]
    pub fn parse(contents: &[u8]) -> Option<Self> {
        let status = match is_sealed(contents) {
            true => unseal::<Self>(contents, FORMAT, VERSION).ok()?,
            false => {
                let status: Self = serde_json::from_slice(contents).ok()?;
                let is_old = status.format == FORMAT && status.version == UNSEALED;
                is_old.then_some(Self {
                    version: VERSION,
                    ..status
                })?
            }
        };
        let is_possible = (0.0..=MOST_SECONDS).contains(&status.seconds);
        is_possible.then_some(status)
    }

    /// The status to continue from, and a note if the file was damaged and set aside: times then start from zero.
    pub fn recover(path: &Path) -> Result<(Option<Self>, Option<String>), FileError> {
        let status = Self::read(path)?;
        if status.is_some() || !path.exists() {
            return Ok((status, None));
        }
        let aside = set_aside(path)?;
        let (path, aside) = (path.display(), aside.display());
        let note = format!(
            "{path} is damaged or of another version and was set aside as {aside}; times start from zero"
        );
        Ok((None, Some(note)))
    }

    /// Writes it.
    pub fn write(&mut self, path: &Path) -> Result<(), FileError> {
        self.updated = now();
        replace(path, seal(self).as_bytes())
    }
}
