//! Deletes old snapshots, and blobs that no snapshot needs.
//!
//! Manifests are deleted first, then blobs: a process killed in between leaves unreferenced blobs, which the next prune deletes. A blob that a
//! remaining manifest references is never deleted. Another process may have uploaded blobs for a manifest that it has not written yet, so
//! unreferenced blobs stay until they are older than that could take, by the clock of the store.

use std::collections::BTreeSet;
use std::time::Duration;

use object_store::ObjectMeta;

use crate::error::SnapshotError;
use crate::manifest::Snapshot;
use crate::repository::{BLOBS, SNAPSHOTS};
use crate::writer::Writer;

/// How much of the past to retain.
#[derive(Debug, Clone, Copy)]
pub struct Retention {
    /// Snapshots to retain, at least one.
    pub snapshots: usize,
    /// Unreferenced blobs that are younger than this are retained, too.
    pub grace: Duration,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            snapshots: 5,
            grace: Duration::from_secs(3600),
        }
    }
}

impl Retention {
    /// Splits all numbers, in order, into snapshots to delete and snapshots to retain.
    fn split(self, numbers: &[u64]) -> (&[u64], &[u64]) {
        numbers.split_at(numbers.len().saturating_sub(self.snapshots.max(1)))
    }
}

impl Writer {
    pub(crate) fn delete_old_manifests(&self, numbers: &[u64]) -> Result<(), SnapshotError> {
        let (old, _) = self.retention.split(numbers);
        let paths = old.iter().map(|&number| self.repository.manifest(number));
        self.repository.client.delete_all(paths.collect())
    }

    /// Deletes blobs that no snapshot needs, if the newest snapshot is this process's own; otherwise does nothing.
    pub fn prune(&mut self) -> Result<(), SnapshotError> {
        let Some(referenced) = self.referenced()? else {
            return Ok(());
        };
        let newest_to_delete = self.newest_to_delete()?;
        let blobs = self.objects(BLOBS)?;
        let is_garbage = |blob: &ObjectMeta| {
            !referenced.contains(name(blob)) && millis(blob) <= newest_to_delete
        };
        let (garbage, rest): (Vec<_>, Vec<_>) = blobs.into_iter().partition(is_garbage);
        // Check again: a process that has taken over meanwhile may need other blobs.
        if self.referenced()?.as_ref() != Some(&referenced) {
            return Ok(());
        }
        self.check_stored(&rest);
        let paths = garbage.into_iter().map(|blob| blob.location);
        self.repository.client.delete_all(paths.collect())
    }

    /// Blobs that the retained snapshots need; `None` if one of these is unreadable, or the newest is not ours.
    fn referenced(&self) -> Result<Option<BTreeSet<String>>, SnapshotError> {
        let numbers = self.repository.numbers()?;
        if !self.has_claimed || numbers.last() != Some(&self.number) {
            return Ok(None);
        }
        let mut referenced = BTreeSet::new();
        for &number in self.retention.split(&numbers).1 {
            let Ok(snapshot) = self.repository.snapshot(number)? else {
                return Ok(None);
            };
            referenced.extend(snapshot.blobs().into_iter().map(str::to_owned));
        }
        Ok(Some(referenced))
    }

    fn objects(&self, kind: &str) -> Result<Vec<ObjectMeta>, SnapshotError> {
        self.repository.client.list(&self.repository.path(&[kind]))
    }

    /// Blobs written up to this time, in milliseconds of the store's clock, are past the grace period.
    fn newest_to_delete(&self) -> Result<i64, SnapshotError> {
        let newest = self.objects(SNAPSHOTS)?.iter().map(millis).max();
        let grace = i64::try_from(self.retention.grace.as_millis()).unwrap_or(i64::MAX);
        Ok(newest.unwrap_or(0).saturating_sub(grace))
    }

    /// Blobs that somebody has deleted are uploaded again with the next snapshot.
    fn check_stored(&mut self, blobs: &[ObjectMeta]) {
        let names: BTreeSet<&str> = blobs.iter().map(name).collect();
        self.stored.retain(|name| names.contains(name.as_str()));
        let is_complete = |last: &Snapshot| last.blobs().is_subset(&names);
        if !self.last.as_ref().is_some_and(is_complete) {
            self.forget_files();
        }
    }
}

fn name(object: &ObjectMeta) -> &str {
    object.location.filename().unwrap_or_default()
}

fn millis(object: &ObjectMeta) -> i64 {
    object.last_modified.timestamp_millis()
}
