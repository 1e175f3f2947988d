//! Brings a directory back from the newest snapshot that is whole.
//!
//! It is put together beside its place and takes it in one step, so that a kill leaves either what was there, or nothing, or all of it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use futures_util::stream::{self, StreamExt, TryStreamExt};

use crate::depot::AT_ONCE;
use crate::error::VaultError;
use crate::manifest::{KeptFile, Snapshot, blob_name};
use crate::marker::Marker;
use crate::shelf::{BLOBS, Shelf, View};

/// Directories are put together here, beside the others.
const WORKSHOP: &str = ".restoring";
/// How often it is begun again because the shelf has gone on and cleared away what was being read.
const TRIES: usize = 3;

/// Why a file could not be brought back.
enum Trouble {
    /// A blob is not what it was.
    Damage(String),
    /// Anything else, which may be over after a while.
    Other(VaultError),
}

impl View {
    /// Brings the directory back, in the place of what is there. Damage is named in [`View::damage`], and the snapshot before is taken.
    pub fn restore(&mut self, into: &Path) -> Result<(), VaultError> {
        let site = Site::beside(into);
        for _ in 1..TRIES {
            let restored = self.newest_whole(&site);
            let is_older = self
                .shelf
                .numbers()?
                .last()
                .is_none_or(|&last| last <= self.last);
            if restored.is_ok() || is_older {
                return restored.and_then(|()| site.move_in(into));
            }
            *self = self.shelf.look()?;
        }
        self.newest_whole(&site)?;
        site.move_in(into)
    }

    fn newest_whole(&mut self, site: &Site) -> Result<(), VaultError> {
        let Some(mut snapshot) = self.newest.take() else {
            return Err(VaultError::Nothing {
                place: self.shelf.place(),
            });
        };
        loop {
            let number = snapshot.number;
            match site.build(&self.shelf, &snapshot) {
                Ok(()) => {
                    self.newest = Some(snapshot);
                    return Ok(());
                }
                Err(Trouble::Other(error)) => return Err(error),
                Err(Trouble::Damage(sentence)) => self.damage.push(sentence),
            }
            snapshot = self.before(number)?;
        }
    }

    /// The newest good manifest before this number.
    fn before(&mut self, number: u64) -> Result<Snapshot, VaultError> {
        let numbers = self.shelf.numbers()?;
        for &earlier in numbers.iter().rev().filter(|&&earlier| earlier < number) {
            match self.shelf.snapshot(earlier)? {
                Ok(snapshot) => return Ok(snapshot),
                Err(sentence) => self.damage.push(sentence),
            }
        }
        let damage = std::mem::take(&mut self.damage);
        Err(VaultError::NoneWhole {
            place: self.shelf.place(),
            damage,
        })
    }
}

/// Where a directory is put together.
struct Site {
    workshop: PathBuf,
    /// The new directory.
    new: PathBuf,
    /// Where the one that was there is put away.
    old: PathBuf,
}

impl Site {
    fn beside(into: &Path) -> Self {
        let workshop = into.with_file_name(WORKSHOP);
        let name = into.file_name().unwrap_or_default();
        let mut old = name.to_owned();
        old.push(".old");
        Self {
            new: workshop.join(name),
            old: workshop.join(old),
            workshop,
        }
    }

    /// Puts all files of a snapshot together, with the marker that says so.
    fn build(&self, shelf: &Shelf, snapshot: &Snapshot) -> Result<(), Trouble> {
        self.clear(&self.new).map_err(Trouble::Other)?;
        let made = self.make_directories(snapshot);
        made.map_err(|error| Trouble::Other(VaultError::file("make", &self.new, error)))?;
        let files = stream::iter(&snapshot.files)
            .map(|file| fetch(shelf, file, &self.new))
            .buffer_unordered(AT_ONCE)
            .try_collect::<()>();
        shelf.depot.run(files)?;
        Ok(Marker::new(Some(snapshot), None).write(&self.new)?)
    }

    fn make_directories(&self, snapshot: &Snapshot) -> io::Result<()> {
        fs::create_dir_all(&self.new)?;
        let above = snapshot
            .files
            .iter()
            .filter_map(|file| Path::new(&file.path).parent());
        let above: BTreeSet<&Path> = above.collect();
        above
            .into_iter()
            .try_for_each(|path| fs::create_dir_all(self.new.join(path)))
    }

    /// Puts the new directory in its place.
    fn move_in(&self, into: &Path) -> Result<(), VaultError> {
        let failed = |error| VaultError::file("write", into, error);
        self.clear(&self.old)?;
        if into.exists() {
            fs::rename(into, &self.old).map_err(failed)?;
        }
        fs::rename(&self.new, into).map_err(failed)?;
        self.clear(&self.old)?;
        // Another directory may be put together there just now.
        let _ = fs::remove_dir(&self.workshop);
        let above = into.parent().filter(|path| !path.as_os_str().is_empty());
        let synced =
            File::open(above.unwrap_or(Path::new("."))).and_then(|directory| directory.sync_all());
        synced.map_err(failed)
    }

    fn clear(&self, path: &Path) -> Result<(), VaultError> {
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(VaultError::file("remove", path, error))
            }
            _ => Ok(()),
        }
    }
}

impl From<VaultError> for Trouble {
    fn from(error: VaultError) -> Self {
        Self::Other(error)
    }
}

async fn fetch(shelf: &Shelf, file: &KeptFile, into: &Path) -> Result<(), Trouble> {
    let path = into.join(&file.path);
    let failed = |error| Trouble::Other(VaultError::file("write", &path, error));
    let mut to = File::create(&path).map_err(failed)?;
    let mut size = 0;
    for name in &file.blocks {
        let blob = shelf.place().join(BLOBS).join(name);
        let damage =
            |what: &str| Trouble::Damage(format!("{blob} {what}, which {} needs", file.path));
        let contents = shelf.depot.get(&shelf.blob(name)).await?;
        let contents = contents.ok_or_else(|| damage("is missing"))?;
        if blob_name(&contents) != *name {
            return Err(damage("is damaged"));
        }
        size += contents.len() as u64;
        to.write_all(&contents).map_err(failed)?;
    }
    if size != file.size {
        let place = shelf.place();
        return Err(Trouble::Damage(format!(
            "{place}: the blobs of {} are not all of it",
            file.path
        )));
    }
    to.sync_all().map_err(failed)
}
