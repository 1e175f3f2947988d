//! The manifest of a snapshot: the files of a directory, and the blobs they consist of.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// One state of a directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Its number; higher is newer.
    pub number: u64,
    /// The process that wrote the first snapshot: snapshots with the same origin continue one another.
    pub origin: String,
    /// The process that wrote this one.
    pub writer: String,
    /// All files, sorted by path.
    pub files: Vec<FileEntry>,
}

/// A file in a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its path in the directory.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Names of its blobs, in order.
    pub blocks: Vec<String>,
}

/// A manifest as stored.
#[derive(Serialize, Deserialize)]
struct Sealed {
    format: String,
    version: u32,
    /// Of the snapshot's text.
    checksum: String,
    snapshot: Snapshot,
}

/// What all versions of a manifest start with.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

/// The name dates from version 0.1 and stays, so that its snapshots can be read.
const FORMAT: &str = "gamete-vault";
/// The version that is written, and the only one that is read.
pub(crate) const VERSION: u32 = 1;
/// Files are split into blobs of this size, so that when a file grows only its end is uploaded.
pub(crate) const BLOCK: usize = 1 << 20;

/// Why bytes are not a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ManifestError {
    /// The bytes have changed.
    Damaged,
    /// It has another version.
    Version(u32),
}

impl Snapshot {
    /// The manifest.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let sealed = Sealed {
            format: FORMAT.to_owned(),
            version: VERSION,
            checksum: self.checksum(),
            snapshot: self.clone(),
        };
        serde_json::to_vec(&sealed).expect("plain data")
    }

    /// The snapshot that a manifest describes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, ManifestError> {
        let damaged = |_| ManifestError::Damaged;
        let header: Header = serde_json::from_slice(bytes).map_err(damaged)?;
        if header.format != FORMAT {
            return Err(ManifestError::Damaged);
        }
        if header.version != VERSION {
            return Err(ManifestError::Version(header.version));
        }
        let sealed: Sealed = serde_json::from_slice(bytes).map_err(damaged)?;
        let snapshot = sealed.snapshot;
        let is_intact = snapshot.checksum() == sealed.checksum
            && snapshot.files.iter().all(FileEntry::stays_within);
        is_intact.then_some(snapshot).ok_or(ManifestError::Damaged)
    }

    fn checksum(&self) -> String {
        blob_name(&serde_json::to_vec(self).expect("plain data"))
    }

    /// Names of all blobs it needs.
    pub(crate) fn blobs(&self) -> BTreeSet<&str> {
        let blocks = self.files.iter().flat_map(|file| &file.blocks);
        blocks.map(String::as_str).collect()
    }
}

impl FileEntry {
    /// A path that leads out of the directory would let a store write anywhere on the machine.
    fn stays_within(&self) -> bool {
        let is_name = |name: &str| !["", ".", ".."].contains(&name) && !name.contains('\0');
        self.path.split('/').all(is_name)
    }
}

/// The name of the blob with these contents.
pub(crate) fn blob_name(contents: &[u8]) -> String {
    blake3::hash(contents).to_hex().to_string()
}
