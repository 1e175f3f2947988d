//! Which snapshot a directory was last known to equal, and one that may just have been written; kept in the directory.
//!
//! At the next start this tells whether the directory or the newest snapshot is the earlier state of the other.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::SnapshotError;
use crate::files::replace;
use crate::manifest::{Snapshot, VERSION};

/// Its file in the directory. The name dates from version 0.1 and stays, so that directories of that version are recognised.
pub const SYNC_FILE: &str = "vault.json";

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct SyncState {
    version: u32,
    /// The snapshot that the directory equals or continues from.
    pub(crate) at: Option<Snapshot>,
    /// One that was being written: the process may have been killed before it knew whether it succeeded.
    pub(crate) next: Option<Snapshot>,
}

impl SyncState {
    pub(crate) fn new(at: Option<&Snapshot>, next: Option<&Snapshot>) -> Self {
        Self {
            version: VERSION,
            at: at.cloned(),
            next: next.cloned(),
        }
    }

    /// The state of a directory. An unreadable one counts as unknown; then contents are compared.
    pub(crate) fn read(directory: &Path) -> Self {
        let text = fs::read(directory.join(SYNC_FILE)).unwrap_or_default();
        let state = serde_json::from_slice(&text).ok();
        state
            .filter(|state: &Self| state.version == VERSION)
            .unwrap_or_default()
    }

    pub(crate) fn write(&self, directory: &Path) -> Result<(), SnapshotError> {
        let path = directory.join(SYNC_FILE);
        let text = serde_json::to_vec(self).expect("plain data");
        replace(&path, &text, 0o644).map_err(|error| SnapshotError::file("write", &path, error))
    }
}
