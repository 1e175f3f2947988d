//! What a directory remembers of the vault it is kept in: the snapshot it was last known to be, and one that may just have been made.
//!
//! So it is known at the next start which of the two, directory or vault, is an earlier state of the other.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::VaultError;
use crate::manifest::{Snapshot, VERSION};

/// The file in which a directory remembers that.
pub const MARKER: &str = "vault.json";

/// What is remembered.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Marker {
    version: u32,
    /// The snapshot that the directory was, or has gone on from.
    pub(crate) at: Option<Snapshot>,
    /// One that was being made: the process may have been killed before it knew whether it was.
    pub(crate) next: Option<Snapshot>,
}

impl Marker {
    pub(crate) fn new(at: Option<&Snapshot>, next: Option<&Snapshot>) -> Self {
        Self {
            version: VERSION,
            at: at.cloned(),
            next: next.cloned(),
        }
    }

    /// The marker of a directory. One that cannot be read tells nothing: the directories are compared then.
    pub(crate) fn read(folder: &Path) -> Self {
        let text = fs::read(folder.join(MARKER)).unwrap_or_default();
        let marker = serde_json::from_slice(&text).ok();
        marker
            .filter(|marker: &Self| marker.version == VERSION)
            .unwrap_or_default()
    }

    /// Writes it, whole at every instant.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), VaultError> {
        let text = serde_json::to_vec(self).expect("plain data");
        let (path, new) = (folder.join(MARKER), folder.join(format!("{MARKER}.new")));
        let written = write_new(&new, &text).and_then(|()| fs::rename(&new, &path));
        written.map_err(|error| VaultError::file("write", &path, error))
    }
}

fn write_new(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(contents)?;
    file.sync_all()
}
