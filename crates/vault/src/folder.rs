//! A directory that is kept: which of its files, in which order, and whether they have changed.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::error::VaultError;
use crate::manifest::{BLOCK, KeptFile, blob_name};
use crate::marker::MARKER;

/// What of a directory is kept, and in which order it is read while others write it.
///
/// A file that vouches for others must be read before them: if a state says how far a history must be good, and the history is written first, then
/// the state must be read first.
#[derive(Debug, Clone, Copy)]
pub struct Care {
    /// How many turns there are.
    pub turns: u8,
    /// The turn, from 0, in which the file at a path is read; none: it is left out.
    pub turn: fn(&str) -> Option<u8>,
    /// Does the file count when two states are compared? Others are kept as well.
    pub is_state: fn(&str) -> bool,
}

impl Care {
    /// The files that count when states are compared.
    pub(crate) fn state<'a>(&self, files: &'a [KeptFile]) -> Vec<&'a KeptFile> {
        let is_state = self.is_state;
        files.iter().filter(|file| is_state(&file.path)).collect()
    }
}

/// What a file's system says of it; while that is the same, so are its contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stamp {
    inode: u64,
    size: u64,
    changed: SystemTime,
}

impl Stamp {
    fn of(metadata: &Metadata) -> io::Result<Self> {
        let changed = metadata.modified()?;
        Ok(Self {
            inode: metadata.ino(),
            size: metadata.len(),
            changed,
        })
    }

    /// The stamp of a file now; none if it is not there.
    pub(crate) fn now(path: &Path) -> Option<Self> {
        fs::metadata(path)
            .and_then(|metadata| Self::of(&metadata))
            .ok()
    }

    /// Clocks of file systems are coarse: a file that has just been changed may be changed again under the same stamp.
    fn is_settled(&self) -> bool {
        self.changed.elapsed().is_ok_and(|age| age > COARSE)
    }
}

const COARSE: Duration = Duration::from_secs(2);

/// Paths of the files that are read in this turn, in order. What vanishes meanwhile is not among them.
pub(crate) fn files(folder: &Path, care: &Care, turn: u8) -> Result<Vec<String>, VaultError> {
    let mut found = Vec::new();
    walk(folder, "", &mut found)?;
    let is_due = |path: &String| path != MARKER && (care.turn)(path) == Some(turn);
    found.retain(is_due);
    found.sort();
    Ok(found)
}

fn walk(directory: &Path, above: &str, found: &mut Vec<String>) -> Result<(), VaultError> {
    let failed = |error| VaultError::file("read", directory, error);
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other.map_err(failed)?,
    };
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let name = name.to_str().ok_or_else(|| {
            VaultError::file(
                "keep",
                &entry.path(),
                io::Error::other("its name is no text"),
            )
        })?;
        let path = format!("{above}{name}");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&entry.path(), &format!("{path}/"), found)?,
            Ok(kind) if kind.is_file() => found.push(path),
            _ => {}
        }
    }
    Ok(())
}

/// A file as it was read.
#[derive(Debug, Clone)]
pub(crate) struct ReadFile {
    pub(crate) file: KeptFile,
    pub(crate) stamp: Stamp,
    /// Will its stamp tell when it is changed?
    is_settled: bool,
}

impl ReadFile {
    /// Is the file at the path still what was read?
    pub(crate) fn is_unchanged(&self, path: &Path) -> bool {
        self.is_settled && Stamp::now(path).as_ref() == Some(&self.stamp)
    }
}

/// Takes a blob by its name and contents.
type Take<'a> = &'a mut dyn FnMut(&str, Vec<u8>) -> Result<(), VaultError>;

/// Reads a file up to the size it has now, and gives its blocks away one by one; none if it is not there.
pub(crate) fn read(
    folder: &Path,
    path: &str,
    take: Take<'_>,
) -> Result<Option<ReadFile>, VaultError> {
    let at = folder.join(path);
    let failed = |error| VaultError::file("read", &at, error);
    let file = match File::open(&at) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(failed)?,
    };
    let stamp = file
        .metadata()
        .and_then(|metadata| Stamp::of(&metadata))
        .map_err(failed)?;
    let is_settled = stamp.is_settled();
    let mut rest = file.take(stamp.size);
    let mut kept = KeptFile {
        path: path.to_owned(),
        size: 0,
        blocks: Vec::new(),
    };
    loop {
        let mut contents = Vec::new();
        (&mut rest)
            .take(BLOCK as u64)
            .read_to_end(&mut contents)
            .map_err(failed)?;
        if contents.is_empty() {
            return Ok(Some(ReadFile {
                file: kept,
                stamp,
                is_settled,
            }));
        }
        let name = blob_name(&contents);
        kept.size += contents.len() as u64;
        take(&name, contents)?;
        kept.blocks.push(name);
    }
}

/// All files as they are, if nobody writes them.
pub(crate) fn read_all(folder: &Path, care: &Care) -> Result<Vec<KeptFile>, VaultError> {
    let mut all = Vec::new();
    for turn in 0..care.turns {
        for path in files(folder, care, turn)? {
            all.extend(read(folder, &path, &mut |_, _| Ok(()))?.map(|read| read.file));
        }
    }
    all.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(all)
}
