//! The snapshots of one directory, and how they relate to its current state.

use std::path::Path as FilePath;

use bytes::Bytes;
use object_store::path::Path;

use crate::capture::{self, CapturePolicy};
use crate::error::SnapshotError;
use crate::location::Location;
use crate::manifest::{ManifestError, Snapshot, VERSION};
use crate::object_client::ObjectClient;
use crate::sync_state::SyncState;

pub(crate) const SNAPSHOTS: &str = "snapshots";
pub(crate) const BLOBS: &str = "blobs";
/// How often to look again at a repository that changes meanwhile.
const ATTEMPTS: usize = 5;

/// The snapshots of one directory.
#[derive(Debug, Clone)]
pub struct Repository {
    pub(crate) client: ObjectClient,
    name: String,
}

/// A repository as it was at one moment.
#[derive(Debug, Clone)]
pub struct View {
    pub(crate) repository: Repository,
    /// The newest snapshot with an intact manifest.
    pub(crate) newest: Option<Snapshot>,
    /// The highest snapshot number; 0 if there is none.
    pub(crate) last: u64,
    /// One sentence per damaged snapshot.
    pub damage: Vec<String>,
}

/// How a directory relates to its newest snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// There is no snapshot yet.
    NoSnapshot,
    /// The directory equals the newest snapshot, or continues from it.
    LocalIsNewer,
    /// The directory is missing, or an earlier state of the newest snapshot.
    RemoteIsNewer,
    /// Neither is known to be an earlier state of the other.
    Diverged,
}

impl Repository {
    pub(crate) fn new(client: ObjectClient, name: &str) -> Self {
        let name = name.to_owned();
        Self { client, name }
    }

    /// Its location.
    #[must_use]
    pub fn location(&self) -> Location {
        self.client.location().join(&self.name)
    }

    pub(crate) fn path(&self, names: &[&str]) -> Path {
        self.client.path(&[&[self.name.as_str()], names].concat())
    }

    pub(crate) fn manifest(&self, number: u64) -> Path {
        self.path(&[SNAPSHOTS, &manifest_name(number)])
    }

    pub(crate) fn blob(&self, name: &str) -> Path {
        self.path(&[BLOBS, name])
    }

    /// Numbers of all snapshots, in order.
    pub(crate) fn numbers(&self) -> Result<Vec<u64>, SnapshotError> {
        let listed = self.client.list(&self.path(&[SNAPSHOTS]))?;
        let names = listed
            .iter()
            .filter_map(|object| object.location.filename());
        let mut numbers: Vec<u64> = names.filter_map(number_in).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// A snapshot; or a sentence that says what is wrong with its manifest.
    pub(crate) fn snapshot(&self, number: u64) -> Result<Result<Snapshot, String>, SnapshotError> {
        let object = self.location().join(SNAPSHOTS).join(&manifest_name(number));
        let bytes: Option<Bytes> = self.client.run(self.client.get(&self.manifest(number)))?;
        let Some(bytes) = bytes else {
            return Ok(Err(format!("{object} is missing")));
        };
        match Snapshot::from_bytes(&bytes) {
            Ok(snapshot) if snapshot.number == number => Ok(Ok(snapshot)),
            Ok(_) | Err(ManifestError::Damaged) => Ok(Err(format!("{object} is damaged"))),
            Err(ManifestError::Version(found)) => Err(SnapshotError::OtherVersion {
                object,
                found,
                known: VERSION,
            }),
        }
    }

    /// Finds the newest snapshot with an intact manifest.
    pub fn view(&self) -> Result<View, SnapshotError> {
        let mut numbers = self.numbers()?;
        for _ in 1..ATTEMPTS {
            let view = self.view_of(&numbers);
            if view.as_ref().is_ok_and(|view| view.damage.is_empty()) {
                return view;
            }
            // The process that writes here may meanwhile have deleted what was being read.
            let now = self.numbers()?;
            if now == numbers {
                return view;
            }
            numbers = now;
        }
        self.view_of(&numbers)
    }

    fn view_of(&self, numbers: &[u64]) -> Result<View, SnapshotError> {
        let mut damage = Vec::new();
        Ok(View {
            newest: self.newest_intact(numbers, &mut damage)?,
            repository: self.clone(),
            last: numbers.last().copied().unwrap_or(0),
            damage,
        })
    }

    /// The newest of these snapshots whose manifest is intact, with a sentence in `damage` for each one skipped. It is an error if all are damaged.
    pub(crate) fn newest_intact(
        &self,
        numbers: &[u64],
        damage: &mut Vec<String>,
    ) -> Result<Option<Snapshot>, SnapshotError> {
        for &number in numbers.iter().rev() {
            match self.snapshot(number)? {
                Ok(snapshot) => return Ok(Some(snapshot)),
                Err(sentence) => damage.push(sentence),
            }
        }
        match damage.is_empty() {
            true => Ok(None),
            false => Err(SnapshotError::NoneIntact {
                location: self.location(),
                damage: std::mem::take(damage),
            }),
        }
    }
}

fn manifest_name(number: u64) -> String {
    format!("{number:012}.json")
}

fn number_in(name: &str) -> Option<u64> {
    let number = name.strip_suffix(".json")?.parse().ok()?;
    (manifest_name(number) == name).then_some(number)
}

impl View {
    /// The location of the repository.
    #[must_use]
    pub fn location(&self) -> Location {
        self.repository.location()
    }

    /// The newest snapshot.
    #[must_use]
    pub fn newest(&self) -> Option<&Snapshot> {
        self.newest.as_ref()
    }

    /// How a directory relates to the newest snapshot.
    pub fn compare(
        &self,
        directory: &FilePath,
        policy: &CapturePolicy,
    ) -> Result<Relation, SnapshotError> {
        let Some(remote) = &self.newest else {
            return Ok(Relation::NoSnapshot);
        };
        let local = capture::read_all(directory, policy)?;
        if local.is_empty() {
            return Ok(Relation::RemoteIsNewer);
        }
        let is_same = |a: &[_], b: &[_]| policy.state(a) == policy.state(b);
        let sync = SyncState::read(directory);
        let is_related = |known: &&Snapshot| known.origin == remote.origin;
        let at = sync.at.as_ref().filter(is_related);
        let next = sync.next.as_ref().filter(is_related);
        let mut earlier = [at, next].into_iter().flatten();
        if is_same(&local, &remote.files) || earlier.any(|it| is_same(&it.files, &remote.files)) {
            return Ok(Relation::LocalIsNewer);
        }
        Ok(match at {
            Some(at) if at.number > remote.number => Relation::LocalIsNewer,
            Some(at) if is_same(&at.files, &local) => Relation::RemoteIsNewer,
            _ => Relation::Diverged,
        })
    }
}
