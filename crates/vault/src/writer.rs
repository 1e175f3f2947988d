//! Makes snapshots of a directory that others write meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::stream::{self, StreamExt, TryStreamExt};

use crate::depot::{AT_ONCE, Created};
use crate::error::VaultError;
use crate::folder::{self, Care, ReadFile, Stamp};
use crate::manifest::{KeptFile, Snapshot};
use crate::marker::Marker;
use crate::shelf::{Shelf, View};
use crate::sweep::Thrift;

/// Keeps one directory on its shelf, snapshot by snapshot.
#[derive(Debug)]
pub struct Writer {
    pub(crate) shelf: Shelf,
    folder: PathBuf,
    care: Care,
    pub(crate) thrift: Thrift,
    /// This process, by a name that nobody else has.
    name: String,
    /// The snapshot that the next one follows.
    pub(crate) last: Option<Snapshot>,
    /// The highest number there is.
    pub(crate) number: u64,
    /// Whether this process has made a snapshot.
    pub(crate) has_claimed: bool,
    /// Blobs that are there.
    pub(crate) known: BTreeSet<String>,
    /// Blobs that are not there yet.
    pending: BTreeMap<String, Bytes>,
    /// Files as they were read last.
    read: BTreeMap<String, ReadFile>,
}

/// So many bytes of blobs are held before they are sent. While files are read the network is best not waited for: the shorter that takes, the less
/// others write meanwhile.
const HELD: usize = 64 << 20;
/// How often files that will not hold still are read again. Whatever is taken in the end, each file is as it was at some instant.
const TRIES: usize = 10;

/// A name that nobody else has.
pub(crate) fn random_name() -> String {
    let parts = [(); 2].map(|()| getrandom::u64().expect("the system has random numbers"));
    format!("{:016x}{:016x}", parts[0], parts[1])
}

impl Writer {
    /// Goes on after what was seen on a shelf. Whoever else has gone on from there by the time of the first snapshot wins the race.
    #[must_use]
    pub fn new(view: View, folder: &Path, care: Care, thrift: Thrift) -> Self {
        let blobs = view.newest.iter().flat_map(Snapshot::blobs);
        Self {
            known: blobs.map(str::to_owned).collect(),
            folder: folder.to_owned(),
            care,
            thrift,
            name: random_name(),
            number: view.last,
            last: view.newest,
            shelf: view.shelf,
            has_claimed: false,
            pending: BTreeMap::new(),
            read: BTreeMap::new(),
        }
    }

    /// Makes a snapshot, and gives its number. If nothing has changed there is none, but the first is always made: it tells any other process that
    /// this one has taken over.
    pub fn snapshot(&mut self) -> Result<Option<u64>, VaultError> {
        let files = self.capture()?;
        let is_same = |last: &Snapshot| last.files == files;
        if self.has_claimed && self.last.as_ref().is_some_and(is_same) {
            return Ok(None);
        }
        let next = Snapshot {
            number: self.number + 1,
            origin: self
                .last
                .as_ref()
                .map_or(self.name.clone(), |last| last.origin.clone()),
            writer: self.name.clone(),
            files,
        };
        Marker::new(self.last.as_ref(), Some(&next)).write(&self.folder)?;
        let made = self.publish(next)?;
        Marker::new(Some(&made), None).write(&self.folder)?;
        self.number = made.number;
        self.has_claimed = true;
        self.last = Some(made);
        let numbers = self.shelf.numbers()?;
        self.check_newest(&numbers)?;
        self.drop_old_manifests(&numbers)?;
        Ok(Some(self.number))
    }

    /// Makes the manifest. One of this number may be our own: its answer may have been lost on the way.
    fn publish(&self, next: Snapshot) -> Result<Snapshot, VaultError> {
        let (number, depot) = (next.number, &self.shelf.depot);
        let (path, bytes) = (self.shelf.manifest(number), Bytes::from(next.to_bytes()));
        if depot.run(depot.create(&path, bytes))? == Created::Now {
            return Ok(next);
        }
        match self.shelf.snapshot(number)? {
            Ok(there) if there.writer == self.name => Ok(there),
            _ => Err(self.raced(number)),
        }
    }

    pub(crate) fn raced(&self, number: u64) -> VaultError {
        VaultError::Raced {
            place: self.shelf.place(),
            number,
        }
    }

    /// A process that was asleep for long may find its number free again because others have gone on and cleared away: that is a race lost, too.
    fn check_newest(&self, numbers: &[u64]) -> Result<(), VaultError> {
        match numbers.last() {
            Some(&newest) if newest > self.number => Err(self.raced(newest)),
            _ => Ok(()),
        }
    }

    /// All files, each turn after the one before, with all their blobs in the store.
    fn capture(&mut self) -> Result<Vec<KeptFile>, VaultError> {
        for _ in 1..TRIES {
            let files = self.read_turns()?;
            if !self.has_more(&files)? {
                return self.sent(files);
            }
        }
        let files = self.read_turns()?;
        self.sent(files)
    }

    fn sent(&mut self, files: BTreeMap<String, KeptFile>) -> Result<Vec<KeptFile>, VaultError> {
        self.send()?;
        Ok(files.into_values().collect())
    }

    fn read_turns(&mut self) -> Result<BTreeMap<String, KeptFile>, VaultError> {
        let mut files = BTreeMap::new();
        for turn in 0..self.care.turns {
            for file in self.read_turn(turn)? {
                files.insert(file.path.clone(), file);
            }
        }
        self.read.retain(|path, _| files.contains_key(path));
        Ok(files)
    }

    /// Has a file come that should have been read before others were? What they hold may rest on it.
    fn has_more(&self, files: &BTreeMap<String, KeptFile>) -> Result<bool, VaultError> {
        for turn in 0..self.care.turns.saturating_sub(1) {
            let now = folder::files(&self.folder, &self.care, turn)?;
            if now.iter().any(|path| !files.contains_key(path)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Files of a turn. If one vanishes before it is read, it may have another name now.
    fn read_turn(&mut self, turn: u8) -> Result<Vec<KeptFile>, VaultError> {
        let mut files = Vec::new();
        for _ in 0..TRIES {
            let paths = folder::files(&self.folder, &self.care, turn)?;
            files.clear();
            for path in &paths {
                files.extend(self.read_steadily(path)?);
            }
            if files.len() == paths.len() {
                break;
            }
        }
        Ok(files)
    }

    /// A file, read again if it was written meanwhile: half of what was being written is of no use to anybody.
    fn read_steadily(&mut self, path: &str) -> Result<Option<KeptFile>, VaultError> {
        let at = self.folder.join(path);
        if let Some(known) = self.read.get(path)
            && known.is_unchanged(&at)
        {
            return Ok(Some(known.file.clone()));
        }
        let mut last = None;
        for _ in 0..TRIES {
            let Some(read) = self.read_file(path)? else {
                break;
            };
            let is_steady = Stamp::now(&at).as_ref() == Some(&read.stamp);
            last = Some(read);
            if is_steady {
                break;
            }
        }
        let file = last.as_ref().map(|read| read.file.clone());
        self.read.extend(last.map(|read| (path.to_owned(), read)));
        Ok(file)
    }

    fn read_file(&mut self, path: &str) -> Result<Option<ReadFile>, VaultError> {
        let folder = self.folder.clone();
        folder::read(&folder, path, &mut |name, contents| {
            if !self.known.contains(name) {
                self.pending.insert(name.to_owned(), contents.into());
            }
            let held: usize = self.pending.values().map(Bytes::len).sum();
            if held >= HELD { self.send() } else { Ok(()) }
        })
    }

    /// Sends what is pending.
    fn send(&mut self) -> Result<(), VaultError> {
        let (shelf, pending) = (&self.shelf, std::mem::take(&mut self.pending));
        let names: Vec<String> = pending.keys().cloned().collect();
        let sending =
            stream::iter(pending)
                .map(|(name, contents)| async move {
                    shelf.depot.put(&shelf.blob(&name), contents).await
                })
                .buffer_unordered(AT_ONCE)
                .try_collect::<()>();
        let sent = shelf.depot.run(sending);
        match sent {
            Ok(()) => self.known.extend(names),
            // What did not arrive must be read again.
            Err(_) => self.forget_files(),
        }
        sent
    }

    /// Reads all files again with the next snapshot.
    pub(crate) fn forget_files(&mut self) {
        self.read.clear();
    }
}
