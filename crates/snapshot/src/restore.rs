//! Restores a directory from the newest intact snapshot.
//!
//! The directory is built in a staging area beside its target and then moved there, so that a kill leaves the old directory, or none, or the whole new one.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use futures_util::stream::{self, StreamExt, TryStreamExt};

use crate::error::SnapshotError;
use crate::files::existing;
use crate::manifest::{FileEntry, Snapshot, blob_name};
use crate::object_client::CONCURRENCY;
use crate::repository::{BLOBS, Repository, View};
use crate::sync_state::SyncState;

/// The staging area, beside the target.
const STAGING: &str = ".restoring";
/// How often to start over because a newer snapshot was written and the one being read deleted.
const ATTEMPTS: usize = 3;

/// Why a snapshot could not be downloaded.
enum DownloadError {
    /// A blob is missing or has changed.
    Damaged(String),
    /// Anything else; it may be temporary.
    Other(SnapshotError),
}

impl View {
    /// Restores the directory, replacing what is there. Damaged snapshots are named in [`View::damage`], and the one before is used.
    pub fn restore(&mut self, target: &Path) -> Result<(), SnapshotError> {
        let staging = Staging::beside(target);
        for _ in 1..ATTEMPTS {
            let downloaded = self.download_newest(&staging);
            let newest = self.repository.numbers()?.last().copied();
            let is_current = newest.is_none_or(|newest| newest <= self.last);
            if downloaded.is_ok() || is_current {
                return downloaded.and_then(|()| staging.move_to(target));
            }
            *self = self.repository.view()?;
        }
        self.download_newest(&staging)?;
        staging.move_to(target)
    }

    fn download_newest(&mut self, staging: &Staging) -> Result<(), SnapshotError> {
        while let Some(snapshot) = self.newest.take() {
            match staging.download(&self.repository, &snapshot) {
                Ok(()) => {
                    self.newest = Some(snapshot);
                    return Ok(());
                }
                Err(DownloadError::Other(error)) => return Err(error),
                Err(DownloadError::Damaged(sentence)) => self.damage.push(sentence),
            }
            let mut earlier = self.repository.numbers()?;
            earlier.retain(|&number| number < snapshot.number);
            self.newest = self.repository.newest_intact(&earlier, &mut self.damage)?;
        }
        Err(SnapshotError::Empty {
            location: self.location(),
        })
    }
}

/// Where a directory is built before it is moved to its target.
struct Staging {
    area: PathBuf,
    /// The new directory.
    new: PathBuf,
    /// The replaced directory, until it is deleted.
    old: PathBuf,
}

impl Staging {
    fn beside(target: &Path) -> Self {
        let area = target.with_file_name(STAGING);
        let name = target.file_name().unwrap_or_default();
        let mut old = name.to_owned();
        old.push(".old");
        Self {
            new: area.join(name),
            old: area.join(old),
            area,
        }
    }

    /// Downloads all files of a snapshot, and records which one it is.
    fn download(&self, repository: &Repository, snapshot: &Snapshot) -> Result<(), DownloadError> {
        clear(&self.new)?;
        self.create_directories(snapshot)
            .map_err(|error| SnapshotError::file("create", &self.new, error))?;
        let files = stream::iter(&snapshot.files)
            .map(|file| download_file(repository, file, &self.new))
            .buffer_unordered(CONCURRENCY)
            .try_collect::<()>();
        repository.client.run(files)?;
        Ok(SyncState::new(Some(snapshot), None).write(&self.new)?)
    }

    fn create_directories(&self, snapshot: &Snapshot) -> io::Result<()> {
        fs::create_dir_all(&self.new)?;
        let files = snapshot.files.iter();
        let parents: BTreeSet<&Path> = files
            .filter_map(|file| Path::new(&file.path).parent())
            .collect();
        parents
            .into_iter()
            .try_for_each(|path| fs::create_dir_all(self.new.join(path)))
    }

    fn move_to(&self, target: &Path) -> Result<(), SnapshotError> {
        let failed = |error| SnapshotError::file("write", target, error);
        clear(&self.old)?;
        if target.exists() {
            fs::rename(target, &self.old).map_err(failed)?;
        }
        fs::rename(&self.new, target).map_err(failed)?;
        clear(&self.old)?;
        // Fails if another directory is being restored there; then that one removes it.
        let _ = fs::remove_dir(&self.area);
        let above = target.parent().filter(|path| !path.as_os_str().is_empty());
        let above = File::open(above.unwrap_or(Path::new(".")));
        above.and_then(|above| above.sync_all()).map_err(failed)
    }
}

fn clear(path: &Path) -> Result<(), SnapshotError> {
    existing(fs::remove_dir_all(path))
        .map(|_| ())
        .map_err(|error| SnapshotError::file("delete", path, error))
}

impl From<SnapshotError> for DownloadError {
    fn from(error: SnapshotError) -> Self {
        Self::Other(error)
    }
}

async fn download_file(
    repository: &Repository,
    file: &FileEntry,
    directory: &Path,
) -> Result<(), DownloadError> {
    let path = directory.join(&file.path);
    let failed = |error| SnapshotError::file("write", &path, error);
    let mut target = File::create(&path).map_err(failed)?;
    let mut size = 0;
    for name in &file.blocks {
        let blob = repository.location().join(BLOBS).join(name);
        let damaged = |problem: &str| {
            let path = &file.path;
            DownloadError::Damaged(format!("{blob}, needed by {path}, is {problem}"))
        };
        let contents = repository.client.get(&repository.blob(name)).await?;
        let contents = contents.ok_or_else(|| damaged("missing"))?;
        if blob_name(&contents) != *name {
            return Err(damaged("damaged"));
        }
        size += contents.len() as u64;
        target.write_all(&contents).map_err(failed)?;
    }
    if size != file.size {
        let (location, path) = (repository.location(), &file.path);
        return Err(DownloadError::Damaged(format!(
            "{location}: the blobs of {path} do not add up to its size"
        )));
    }
    Ok(target.sync_all().map_err(failed)?)
}
