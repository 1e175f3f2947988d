//! Checkpoints on disk: the last two states, each with a checksum, so that one of them is always good.
//!
//! A file is eight magic bytes, the version, the state (MessagePack, compressed), what follows it (raw, in the same compressed stream:
//! tables of any size, which are written and read piece by piece), and a checksum of everything before it.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use play::hashing::Hashing;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use super::file::{
    FileError, remove_if_there, replace_with, set_aside, sync_directory_of, with_suffix,
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
        self.save_with(state, &|_| Ok(()))
    }

    /// The same, with what `follow` writes after it.
    pub fn save_with(&self, state: &impl Serialize, follow: Follow<'_>) -> Result<(), FileError> {
        let next = with_suffix(&self.path, "next");
        replace_with(&next, |file| pack(state, follow, file))?;
        let failed = |error| FileError::new("write", &self.path, error);
        if self.path.exists() {
            fs::rename(&self.path, self.previous()).map_err(failed)?;
        }
        fs::rename(&next, &self.path).map_err(failed)?;
        sync_directory_of(&self.path)
    }

    /// Saves the final state.
    pub fn save_last(&self, state: &impl Serialize) -> Result<(), FileError> {
        self.save_last_with(state, &|_| Ok(()))
    }

    /// The same, with what `follow` writes after it.
    pub fn save_last_with(
        &self,
        state: &impl Serialize,
        follow: Follow<'_>,
    ) -> Result<(), FileError> {
        replace_with(&self.path, |file| pack(state, follow, file))?;
        remove_if_there(&self.previous())?;
        remove_if_there(&with_suffix(&self.path, "next"))
    }

    /// The good states, the newest first. Damaged files are set aside and reported. A complete `next` is newer than the others: a
    /// crash came before it was renamed.
    pub fn load<T: DeserializeOwned>(&self) -> Result<Found<T>, CheckpointError> {
        self.load_with(&mut |state, _| Ok(Some(state)))
    }

    /// The same of what `take` makes of each state and what follows it; states of which it makes nothing are passed over.
    pub fn load_with<T: DeserializeOwned, R>(
        &self,
        take: Take<'_, T, R>,
    ) -> Result<Found<R>, CheckpointError> {
        let (mut states, mut damage) = (Vec::new(), Vec::new());
        for path in self.files() {
            let mut file = match File::open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(FileError::new("read", &path, error).into()),
            };
            match unpack(&mut file, take) {
                Ok(state) => states.extend(state),
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
        let mut file = File::open(path).map_err(|error| FileError::new("read", path, error))?;
        let path = path.to_owned();
        match unpack(&mut file, &mut |_: IgnoredAny, _| Ok(Some(()))) {
            Ok(_) => {
                let marked = unpack(&mut file, &mut |state: Marked, _| Ok(Some(state.history)));
                Ok(marked.ok().flatten())
            }
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

/// Makes something of a state and what follows it, if it is of use.
pub type Take<'a, T, R> = &'a mut dyn FnMut(T, &mut dyn Read) -> io::Result<Option<R>>;

/// Writes what follows a state.
pub type Follow<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

fn pack(state: &impl Serialize, follow: Follow<'_>, file: &mut File) -> io::Result<()> {
    let mut file = Hashing::new(BufWriter::new(file));
    file.write_all(MAGIC)?;
    file.write_all(&VERSION.to_le_bytes())?;
    let mut encoder = zstd::Encoder::new(&mut file, 1)?;
    rmp_serde::encode::write_named(&mut encoder, state).map_err(io::Error::other)?;
    follow(&mut encoder)?;
    encoder.finish()?;
    file.finish()
}

fn unpack<T: DeserializeOwned, R>(file: &mut File, take: Take<'_, T, R>) -> Result<Option<R>, Bad> {
    let damaged = |_| Bad::Damaged;
    let length = file.seek(SeekFrom::End(0)).map_err(damaged)?;
    let start = MAGIC.len() as u64 + 4;
    let end = length.checked_sub(CHECKSUM as u64);
    let end = end.filter(|end| *end >= start).ok_or(Bad::Damaged)?;
    file.rewind().map_err(damaged)?;
    let mut head = [0; MAGIC.len() + 4];
    file.read_exact(&mut head).map_err(damaged)?;
    let (magic, version) = head.split_at(MAGIC.len());
    if magic != MAGIC || !has_checksum(file, end).map_err(damaged)? {
        return Err(Bad::Damaged);
    }
    let version = u32::from_le_bytes(version.try_into().expect("four bytes"));
    if version != VERSION {
        return Err(Bad::Version(version));
    }
    file.seek(SeekFrom::Start(start)).map_err(damaged)?;
    let packed = BufReader::new(file.take(end - start));
    let plain = zstd::Decoder::with_buffer(packed).map_err(damaged)?;
    // The decoder of a state reads it byte by byte.
    let mut plain = BufReader::new(plain);
    let state = rmp_serde::from_read(&mut plain).map_err(|_| Bad::Damaged)?;
    take(state, &mut plain).map_err(damaged)
}

/// Does the file up to `end` have the checksum that follows?
fn has_checksum(file: &mut File, end: u64) -> io::Result<bool> {
    file.rewind()?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(Read::by_ref(file).take(end))?;
    let mut checksum = [0; CHECKSUM];
    file.read_exact(&mut checksum)?;
    Ok(hasher.finalize().as_bytes() == &checksum)
}
