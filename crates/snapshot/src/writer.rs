//! Writes snapshots of a directory that other threads and processes work in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::stream::{self, StreamExt, TryStreamExt};

use crate::capture::{self, CapturePolicy, ReadFile, Stamp};
use crate::error::SnapshotError;
use crate::manifest::{FileEntry, Snapshot};
use crate::object_client::{CONCURRENCY, Created};
use crate::prune::Retention;
use crate::repository::{Repository, View};
use crate::sync_state::SyncState;

/// Writes the snapshots of one directory to its repository.
#[derive(Debug)]
pub struct Writer {
    pub(crate) repository: Repository,
    directory: PathBuf,
    policy: CapturePolicy,
    pub(crate) retention: Retention,
    /// A unique name for this process.
    name: String,
    /// The snapshot that the next one continues.
    pub(crate) last: Option<Snapshot>,
    /// The highest snapshot number.
    pub(crate) number: u64,
    /// Has this process written a snapshot?
    pub(crate) has_claimed: bool,
    /// Blobs in the store.
    pub(crate) stored: BTreeSet<String>,
    /// Blobs still to be uploaded.
    pending: BTreeMap<String, Bytes>,
    /// Files as they were last read.
    read: BTreeMap<String, ReadFile>,
}

/// Bytes of blobs to buffer before uploading. Uploads wait until all files are read: the faster they are read, the less changes meanwhile.
const BUFFER: usize = 64 << 20;
/// How often files that keep changing are read again. Even the last attempt captures each file as it was at some instant.
const ATTEMPTS: usize = 10;

/// A unique name.
pub(crate) fn random_name() -> String {
    let parts = [(); 2].map(|()| getrandom::u64().expect("the system has random numbers"));
    format!("{:016x}{:016x}", parts[0], parts[1])
}

impl Writer {
    /// Continues from a view of a repository. If another process writes a snapshot there first, this one loses the race.
    #[must_use]
    pub fn new(view: View, directory: &Path, policy: CapturePolicy, retention: Retention) -> Self {
        let blobs = view.newest.iter().flat_map(Snapshot::blobs);
        Self {
            stored: blobs.map(str::to_owned).collect(),
            directory: directory.to_owned(),
            policy,
            retention,
            name: random_name(),
            number: view.last,
            last: view.newest,
            repository: view.repository,
            has_claimed: false,
            pending: BTreeMap::new(),
            read: BTreeMap::new(),
        }
    }

    /// Writes a snapshot if anything has changed, and returns its number. The first one is always written: it tells other processes that this one has
    /// taken over.
    pub fn snapshot(&mut self) -> Result<Option<u64>, SnapshotError> {
        let files = self.capture()?;
        let is_same = |last: &Snapshot| last.files == files;
        if self.has_claimed && self.last.as_ref().is_some_and(is_same) {
            return Ok(None);
        }
        let origin = self.last.as_ref().map_or(&self.name, |last| &last.origin);
        let next = Snapshot {
            number: self.number + 1,
            origin: origin.clone(),
            writer: self.name.clone(),
            files,
        };
        SyncState::new(self.last.as_ref(), Some(&next)).write(&self.directory)?;
        let written = self.publish(next)?;
        SyncState::new(Some(&written), None).write(&self.directory)?;
        self.number = written.number;
        self.has_claimed = true;
        self.last = Some(written);
        let numbers = self.repository.numbers()?;
        self.check_newest(&numbers)?;
        self.delete_old_manifests(&numbers)?;
        Ok(Some(self.number))
    }

    /// Writes the manifest. An existing one of this number may be our own, if the store's answer was lost.
    fn publish(&self, next: Snapshot) -> Result<Snapshot, SnapshotError> {
        let (number, client) = (next.number, &self.repository.client);
        let path = self.repository.manifest(number);
        if client.run(client.create(&path, next.to_bytes().into()))? == Created::New {
            return Ok(next);
        }
        match self.repository.snapshot(number)? {
            Ok(existing) if existing.writer == self.name => Ok(existing),
            _ => Err(self.taken_over(number)),
        }
    }

    fn taken_over(&self, number: u64) -> SnapshotError {
        SnapshotError::TakenOver {
            location: self.repository.location(),
            number,
        }
    }

    /// A process that was suspended for long may find its number free again, because others wrote later snapshots and deleted that one.
    fn check_newest(&self, numbers: &[u64]) -> Result<(), SnapshotError> {
        match numbers.last() {
            Some(&newest) if newest > self.number => Err(self.taken_over(newest)),
            _ => Ok(()),
        }
    }

    /// All files, phase by phase, with all their blobs uploaded.
    fn capture(&mut self) -> Result<Vec<FileEntry>, SnapshotError> {
        let mut files = self.read_phases()?;
        for _ in 1..ATTEMPTS {
            if !self.has_new_files(&files)? {
                break;
            }
            files = self.read_phases()?;
        }
        self.upload()?;
        Ok(files.into_values().collect())
    }

    fn read_phases(&mut self) -> Result<BTreeMap<String, FileEntry>, SnapshotError> {
        let mut files = BTreeMap::new();
        for phase in 0..self.policy.phases {
            for file in self.read_phase(phase)? {
                files.insert(file.path.clone(), file);
            }
        }
        self.read.retain(|path, _| files.contains_key(path));
        Ok(files)
    }

    /// Has a file appeared in an earlier phase than the last? Files read later may depend on it.
    fn has_new_files(&self, files: &BTreeMap<String, FileEntry>) -> Result<bool, SnapshotError> {
        for phase in 0..self.policy.phases.saturating_sub(1) {
            let now = capture::files(&self.directory, &self.policy, phase)?;
            if now.iter().any(|path| !files.contains_key(path)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The files of a phase. One that vanishes before it is read may have been renamed, so the directory is listed again.
    fn read_phase(&mut self, phase: u8) -> Result<Vec<FileEntry>, SnapshotError> {
        let mut files = Vec::new();
        for _ in 0..ATTEMPTS {
            let paths = capture::files(&self.directory, &self.policy, phase)?;
            files.clear();
            for path in &paths {
                files.extend(self.read_stable(path)?);
            }
            if files.len() == paths.len() {
                break;
            }
        }
        Ok(files)
    }

    /// A file, read again if it was modified meanwhile: half of a write is of no use.
    fn read_stable(&mut self, path: &str) -> Result<Option<FileEntry>, SnapshotError> {
        let at = self.directory.join(path);
        if let Some(known) = self.read.get(path)
            && known.is_unchanged(&at)
        {
            return Ok(Some(known.file.clone()));
        }
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let Some(read) = self.read_file(path)? else {
                break;
            };
            let is_stable = Stamp::now(&at).as_ref() == Some(&read.stamp);
            last = Some(read);
            if is_stable {
                break;
            }
        }
        let file = last.as_ref().map(|read| read.file.clone());
        self.read.extend(last.map(|read| (path.to_owned(), read)));
        Ok(file)
    }

    fn read_file(&mut self, path: &str) -> Result<Option<ReadFile>, SnapshotError> {
        let directory = self.directory.clone();
        capture::read(&directory, path, &mut |name, contents| {
            if !self.stored.contains(name) {
                self.pending.insert(name.to_owned(), contents.into());
            }
            let buffered: usize = self.pending.values().map(Bytes::len).sum();
            if buffered >= BUFFER {
                self.upload()
            } else {
                Ok(())
            }
        })
    }

    /// Uploads pending blobs.
    fn upload(&mut self) -> Result<(), SnapshotError> {
        let (repository, pending) = (&self.repository, std::mem::take(&mut self.pending));
        let names: Vec<String> = pending.keys().cloned().collect();
        let client = &repository.client;
        let uploads =
            stream::iter(pending)
                .map(|(name, contents)| async move {
                    client.put(&repository.blob(&name), contents).await
                })
                .buffer_unordered(CONCURRENCY)
                .try_collect::<()>();
        let uploaded = client.run(uploads);
        match uploaded {
            Ok(()) => self.stored.extend(names),
            // What did not arrive must be read again.
            Err(_) => self.forget_files(),
        }
        uploaded
    }

    /// Makes the next snapshot read all files again.
    pub(crate) fn forget_files(&mut self) {
        self.read.clear();
    }
}
