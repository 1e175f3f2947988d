//! Reads a directory for a snapshot: which files, in which order, and whether they have changed.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::error::SnapshotError;
use crate::files::existing;
use crate::manifest::{BLOCK, FileEntry, blob_name};
use crate::sync_state::SYNC_FILE;

/// Which files of a directory are captured, and in which order they are read while other threads write them.
///
/// A file that makes claims about others must be read before them: if a checkpoint says up to where a history is valid, and the history is written
/// first, then the checkpoint must be read first.
#[derive(Debug, Clone, Copy)]
pub struct CapturePolicy {
    /// Number of phases.
    pub phases: u8,
    /// The phase, from 0, in which a path is read; `None` excludes it.
    pub phase: fn(&str) -> Option<u8>,
    /// Does this file count when two states are compared? The others are captured too.
    pub is_state: fn(&str) -> bool,
}

impl CapturePolicy {
    /// The files that count when states are compared.
    pub(crate) fn state<'a>(&self, files: &'a [FileEntry]) -> Vec<&'a FileEntry> {
        let is_state = self.is_state;
        files.iter().filter(|file| is_state(&file.path)).collect()
    }
}

/// A file's metadata: while it stays the same, so do the contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stamp {
    inode: u64,
    size: u64,
    modified: SystemTime,
}

impl Stamp {
    fn of(metadata: &Metadata) -> io::Result<Self> {
        Ok(Self {
            inode: metadata.ino(),
            size: metadata.len(),
            modified: metadata.modified()?,
        })
    }

    /// The current stamp of a file; `None` if it does not exist.
    pub(crate) fn now(path: &Path) -> Option<Self> {
        fs::metadata(path)
            .and_then(|metadata| Self::of(&metadata))
            .ok()
    }

    /// File systems have coarse clocks: a file modified just now may change again without changing its stamp.
    fn is_reliable(&self) -> bool {
        self.modified.elapsed().is_ok_and(|age| age > CLOCK_STEP)
    }
}

const CLOCK_STEP: Duration = Duration::from_secs(2);

/// Paths of the files that are read in a phase, sorted. Files that vanish meanwhile are left out.
pub(crate) fn files(
    directory: &Path,
    policy: &CapturePolicy,
    phase: u8,
) -> Result<Vec<String>, SnapshotError> {
    let mut found = Vec::new();
    walk(directory, "", &mut found)?;
    found.retain(|path| path != SYNC_FILE && (policy.phase)(path) == Some(phase));
    found.sort();
    Ok(found)
}

fn walk(directory: &Path, above: &str, found: &mut Vec<String>) -> Result<(), SnapshotError> {
    let failed = |error| SnapshotError::file("read", directory, error);
    let entries = existing(fs::read_dir(directory)).map_err(failed)?;
    for entry in entries.into_iter().flatten() {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let name = name.to_str().ok_or_else(|| {
            let error = io::Error::other("the file name is not UTF-8");
            SnapshotError::file("back up", &entry.path(), error)
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
    pub(crate) file: FileEntry,
    pub(crate) stamp: Stamp,
    /// Will a change of the file show in its stamp?
    is_reliable: bool,
}

impl ReadFile {
    /// Is the file at this path still what was read?
    pub(crate) fn is_unchanged(&self, path: &Path) -> bool {
        self.is_reliable && Stamp::now(path).as_ref() == Some(&self.stamp)
    }
}

/// Receives a blob: its name and contents.
type Sink<'a> = &'a mut dyn FnMut(&str, Vec<u8>) -> Result<(), SnapshotError>;

/// Reads a file up to its current size, block by block; `None` if it does not exist.
pub(crate) fn read(
    directory: &Path,
    path: &str,
    sink: Sink<'_>,
) -> Result<Option<ReadFile>, SnapshotError> {
    let at = directory.join(path);
    let failed = |error| SnapshotError::file("read", &at, error);
    let Some(file) = existing(File::open(&at)).map_err(failed)? else {
        return Ok(None);
    };
    let stamp = file
        .metadata()
        .and_then(|metadata| Stamp::of(&metadata))
        .map_err(failed)?;
    let is_reliable = stamp.is_reliable();
    let mut rest = file.take(stamp.size);
    let mut file = FileEntry {
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
                file,
                stamp,
                is_reliable,
            }));
        }
        let name = blob_name(&contents);
        file.size += contents.len() as u64;
        sink(&name, contents)?;
        file.blocks.push(name);
    }
}

/// All files of a directory that nobody writes to, sorted by path.
pub(crate) fn read_all(
    directory: &Path,
    policy: &CapturePolicy,
) -> Result<Vec<FileEntry>, SnapshotError> {
    let mut all = Vec::new();
    for phase in 0..policy.phases {
        for path in files(directory, policy, phase)? {
            all.extend(read(directory, &path, &mut |_, _| Ok(()))?.map(|read| read.file));
        }
    }
    all.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(all)
}
