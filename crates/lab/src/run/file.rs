//! Atomic file updates: a reader finds the old contents or the new, never a mix.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A failed operation on a file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {what} {}: {error}{}", path.display(), self.advice())]
pub struct FileError {
    what: &'static str,
    path: PathBuf,
    error: io::Error,
}

impl FileError {
    /// `what` completes "cannot ... the file".
    #[must_use]
    pub fn new(what: &'static str, path: &Path, error: io::Error) -> Self {
        Self {
            what,
            path: path.to_owned(),
            error,
        }
    }

    /// Is the disk full (or a quota used up)?
    #[must_use]
    pub fn is_full_disk(&self) -> bool {
        matches!(
            self.error.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
        )
    }

    fn advice(&self) -> &'static str {
        match self.is_full_disk() {
            true => {
                ": the disk is full. Nothing that was saved is lost: free some space, then 'gamete resume' or the same command continues"
            }
            false => "",
        }
    }

    /// The I/O error.
    #[must_use]
    pub fn kind(&self) -> io::ErrorKind {
        self.error.kind()
    }
}

/// Replaces a file's contents, all or nothing, and waits until they are on the disk.
pub fn replace(path: &Path, contents: &[u8]) -> Result<(), FileError> {
    replace_with(path, |file| file.write_all(contents))
}

/// The same with what `write` writes.
pub fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), FileError> {
    let new = temporary(path);
    let written = write_new(&new, write).and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        // The partial file is useless and takes space.
        let _ = fs::remove_file(&new);
    }
    written.map_err(|error| FileError::new("write", path, error))?;
    sync_directory_of(path)
}

/// A name beside a file that no other writer uses.
fn temporary(path: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let (process, number) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    with_suffix(path, &format!("{process}-{number}.{UNFINISHED}"))
}

fn write_new(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut file = File::create(path)?;
    write(&mut file)?;
    file.sync_all()
}

/// A new name is durable only after its directory is synced.
pub fn sync_directory_of(path: &Path) -> Result<(), FileError> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let synced = File::open(directory).and_then(|directory| directory.sync_all());
    synced.map_err(|error| FileError::new("write", directory, error))
}

/// The extension of a file that is being replaced; a crash may leave one.
pub const UNFINISHED: &str = "new";
/// The extension of files that only an unfinished run needs.
pub const PART: &str = "part";

/// Removes the files of a directory with these extensions.
pub fn remove_ending(directory: &Path, endings: &[&str]) -> Result<(), FileError> {
    let failed = |error| FileError::new("read", directory, error);
    for entry in fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if ending.is_some_and(|ending| endings.contains(&ending)) && path.is_file() {
            remove_if_there(&path)?;
        }
    }
    Ok(())
}

/// The path with another extension appended.
#[must_use]
pub fn with_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

/// Renames a damaged file instead of deleting it, and returns the new name.
pub fn set_aside(path: &Path) -> Result<PathBuf, FileError> {
    let free = (1..)
        .map(|number| with_suffix(path, &format!("damaged-{number}")))
        .find(|path| !path.exists())
        .expect("some number is free");
    fs::rename(path, &free).map_err(|error| FileError::new("move", path, error))?;
    sync_directory_of(path)?;
    Ok(free)
}

/// The contents of a file; none if there is no file.
pub fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    match fs::read(path) {
        Ok(contents) => Ok(Some(contents)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::new("read", path, error)),
    }
}

/// Removes a file, if it is there.
pub fn remove_if_there(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(FileError::new("remove", path, error))
        }
        _ => Ok(()),
    }
}

/// Opens a file for reading and writing without truncating it; creates it if missing.
pub fn open_to_grow(path: &Path) -> Result<File, FileError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options
        .open(path)
        .map_err(|error| FileError::new("open", path, error))
}

/// Creates a directory with its parents.
pub fn make_directory(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|error| FileError::new("make", path, error))
}
