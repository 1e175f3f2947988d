//! Checkpoints on disk: the last two states, each with a checksum, so that one of them is always good.
//!
//! A file is eight magic bytes, the version, the state (MessagePack, compressed), and a checksum of everything before it.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use super::file::{
    FileError, read_if_there, remove_if_there, replace, set_aside, sync_directory_of, with_suffix,
};
use super::ledger::Mark;

/// The file of a run's last state.
pub const CHECKPOINT: &str = "checkpoint";

const MAGIC: &[u8; 8] = b"GAMETECP";
/// The version written, and the only one read.
const VERSION: u32 = 1;
const CHECKSUM: usize = 32;

/// Why there is no state.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// An I/O error.
    #[error(transparent)]
    File(#[from] FileError),
    /// Bytes have changed.
    #[error("{} is damaged", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// Another version of the format: not damage, so the file is left as it is.
    #[error("{} was written by another version of gamete (version {found} of the checkpoint; this one reads version {VERSION})", path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// The version it has.
        found: u32,
    },
}

/// The files of a run's states.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    path: PathBuf,
}

/// The good states, and what had to be set aside.
#[derive(Debug)]
pub struct Found<T> {
    /// Good states, the newest first.
    pub states: Vec<T>,
    /// Sentences about damaged files and where they are now.
    pub damage: Vec<String>,
}

impl Checkpoint {
    /// Keeps states in this file and one next to it.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        let path = path.to_owned();
        Self { path }
    }

    /// Where states may be, the newest first.
    #[must_use]
    pub fn files(&self) -> [PathBuf; 3] {
        let next = with_suffix(&self.path, "next");
        [next, self.path.clone(), self.previous()]
    }

    fn previous(&self) -> PathBuf {
        with_suffix(&self.path, "previous")
    }

    /// Saves a state; the last one becomes the previous one. One of them is complete at every instant.
    pub fn save(&self, state: &impl Serialize) -> Result<(), FileError> {
        let contents = pack(state);
        let next = with_suffix(&self.path, "next");
        replace(&next, &contents)?;
        let failed = |error| FileError::new("write", &self.path, error);
        if self.path.exists() {
            fs::rename(&self.path, self.previous()).map_err(failed)?;
        }
        fs::rename(&next, &self.path).map_err(failed)?;
        sync_directory_of(&self.path)
    }

    /// Saves the final state.
    pub fn save_last(&self, state: &impl Serialize) -> Result<(), FileError> {
        replace(&self.path, &pack(state))?;
        remove_if_there(&self.previous())?;
        remove_if_there(&with_suffix(&self.path, "next"))
    }

    /// The good states, the newest first. Damaged files are set aside and reported. A complete `next` is newer than the others: a
    /// crash came before it was renamed.
    pub fn load<T: DeserializeOwned>(&self) -> Result<Found<T>, CheckpointError> {
        let (mut states, mut damage) = (Vec::new(), Vec::new());
        for path in self.files() {
            let Some(contents) = read_if_there(&path)? else {
                continue;
            };
            match unpack(&contents) {
                Ok(state) => states.push(state),
                Err(Bad::Version(found)) => {
                    return Err(CheckpointError::OtherVersion { path, found });
                }
                Err(Bad::Damaged) => {
                    let aside = set_aside(&path)?;
                    let (path, aside) = (path.display(), aside.display());
                    damage.push(format!("{path} is damaged and was set aside as {aside}"));
                }
            }
        }
        let is_missing = states.len() == 1 && damage.is_empty() && !self.path.exists();
        if is_missing && !with_suffix(&self.path, "next").exists() {
            let path = self.path.display();
            damage.push(format!(
                "{path} is missing; resuming from the previous checkpoint"
            ));
        }
        Ok(Found { states, damage })
    }

    /// Checks the state in a file without changing anything; returns the history it belongs to, if it has one.
    pub fn inspect(path: &Path) -> Result<Option<Mark>, CheckpointError> {
        #[derive(Deserialize)]
        struct Marked {
            history: Mark,
        }
        let contents = fs::read(path).map_err(|error| FileError::new("read", path, error))?;
        let path = path.to_owned();
        match unpack::<IgnoredAny>(&contents) {
            Ok(_) => Ok(unpack::<Marked>(&contents).ok().map(|state| state.history)),
            Err(Bad::Damaged) => Err(CheckpointError::Damaged { path }),
            Err(Bad::Version(found)) => Err(CheckpointError::OtherVersion { path, found }),
        }
    }

    /// Removes all states.
    pub fn remove(&self) -> Result<(), FileError> {
        self.files()
            .iter()
            .try_for_each(|path| remove_if_there(path))
    }
}

enum Bad {
    Damaged,
    Version(u32),
}

fn pack(state: &impl Serialize) -> Vec<u8> {
    let plain = rmp_serde::to_vec_named(state).expect("a state is plain data");
    let packed = zstd::bulk::compress(&plain, 1).expect("memory can be compressed");
    let mut contents = MAGIC.to_vec();
    contents.extend(VERSION.to_le_bytes());
    contents.extend(packed);
    let checksum = blake3::hash(&contents);
    contents.extend(checksum.as_bytes());
    contents
}

fn unpack<T: DeserializeOwned>(contents: &[u8]) -> Result<T, Bad> {
    let start = MAGIC.len() + 4;
    if contents.len() < start + CHECKSUM || &contents[..MAGIC.len()] != MAGIC {
        return Err(Bad::Damaged);
    }
    let (whole, checksum) = contents.split_at(contents.len() - CHECKSUM);
    if blake3::hash(whole).as_bytes() != checksum {
        return Err(Bad::Damaged);
    }
    let version = whole[MAGIC.len()..start].try_into().expect("four bytes");
    let version = u32::from_le_bytes(version);
    if version != VERSION {
        return Err(Bad::Version(version));
    }
    let plain = zstd::stream::decode_all(&whole[start..]).map_err(|_| Bad::Damaged)?;
    rmp_serde::from_slice(&plain).map_err(|_| Bad::Damaged)
}
