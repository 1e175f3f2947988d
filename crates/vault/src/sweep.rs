//! Clears old snapshots away, and blobs that no snapshot needs.
//!
//! Manifests go first, then blobs: whoever is killed in between leaves blobs that nobody names, and the next sweep takes them. A blob that any
//! manifest names which stays is never removed. Another process may have sent blobs for a manifest that it has not made yet: blobs are left alone
//! until they are older than that could take, by the clock of the store.

use std::collections::BTreeSet;
use std::time::Duration;

use object_store::ObjectMeta;

use crate::error::VaultError;
use crate::manifest::Snapshot;
use crate::shelf::{BLOBS, SNAPSHOTS};
use crate::writer::Writer;

/// How much of the past is kept.
#[derive(Debug, Clone, Copy)]
pub struct Thrift {
    /// Snapshots that stay; at least one does.
    pub snapshots: usize,
    /// Blobs that are younger stay, whether they are needed or not.
    pub grace: Duration,
}

impl Default for Thrift {
    fn default() -> Self {
        Self {
            snapshots: 5,
            grace: Duration::from_secs(3600),
        }
    }
}

impl Thrift {
    /// Of all numbers in order, those of snapshots that go and of those that stay.
    fn divide(self, numbers: &[u64]) -> (&[u64], &[u64]) {
        numbers.split_at(numbers.len().saturating_sub(self.snapshots.max(1)))
    }
}

impl Writer {
    pub(crate) fn drop_old_manifests(&self, numbers: &[u64]) -> Result<(), VaultError> {
        let (gone, _) = self.thrift.divide(numbers);
        let paths = gone.iter().map(|&number| self.shelf.manifest(number));
        self.shelf.depot.remove(paths.collect())
    }

    /// Removes blobs that no snapshot needs. Only whoever made the newest snapshot may; for others nothing happens.
    pub fn sweep(&mut self) -> Result<(), VaultError> {
        let Some(needed) = self.needed()? else {
            return Ok(());
        };
        let old = self.old_until()?;
        let blobs = self.shelf.depot.list(&self.shelf.path(&[BLOBS]))?;
        let is_waste = |blob: &ObjectMeta| {
            !needed.contains(name(blob)) && blob.last_modified.timestamp_millis() <= old
        };
        let (waste, there): (Vec<_>, Vec<_>) = blobs.into_iter().partition(is_waste);
        // Once more, now that everything is known: whoever has gone on meanwhile may need other blobs.
        if self.needed()?.as_ref() != Some(&needed) {
            return Ok(());
        }
        self.know_what_is_there(&there);
        self.shelf
            .depot
            .remove(waste.into_iter().map(|blob| blob.location).collect())
    }

    /// Blobs that the snapshots need which stay; none if not all of these can be read, or if the newest is not ours.
    fn needed(&self) -> Result<Option<BTreeSet<String>>, VaultError> {
        let numbers = self.shelf.numbers()?;
        if !self.has_claimed || numbers.last() != Some(&self.number) {
            return Ok(None);
        }
        let mut needed = BTreeSet::new();
        for &number in self.thrift.divide(&numbers).1 {
            let Ok(snapshot) = self.shelf.snapshot(number)? else {
                return Ok(None);
            };
            needed.extend(snapshot.blobs().into_iter().map(str::to_owned));
        }
        Ok(Some(needed))
    }

    /// What was written until then, in milliseconds of the store's clock, is older than the grace.
    fn old_until(&self) -> Result<i64, VaultError> {
        let manifests = self.shelf.depot.list(&self.shelf.path(&[SNAPSHOTS]))?;
        let times = manifests
            .iter()
            .map(|object| object.last_modified.timestamp_millis());
        let grace = i64::try_from(self.thrift.grace.as_millis()).unwrap_or(i64::MAX);
        Ok(times.max().unwrap_or(0).saturating_sub(grace))
    }

    /// What is missing, whoever removed it, is sent again with the next snapshot.
    fn know_what_is_there(&mut self, blobs: &[ObjectMeta]) {
        let there: BTreeSet<&str> = blobs.iter().map(name).collect();
        self.known.retain(|name| there.contains(name.as_str()));
        let is_whole = |last: &Snapshot| last.blobs().is_subset(&there);
        if !self.last.as_ref().is_some_and(is_whole) {
            self.forget_files();
        }
    }
}

fn name(blob: &ObjectMeta) -> &str {
    blob.location.filename().unwrap_or_default()
}
