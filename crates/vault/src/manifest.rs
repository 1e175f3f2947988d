//! The manifest of a snapshot: which files a directory had, and of which blobs they are made.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// One state of a directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Its number; higher is newer.
    pub number: u64,
    /// The first process that kept the directory here: snapshots with the same origin follow one from the other.
    pub origin: String,
    /// The process that made it.
    pub writer: String,
    /// All files, in the order of their paths.
    pub files: Vec<KeptFile>,
}

/// A file in a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptFile {
    /// Where it stands in the directory.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Names of the blobs it is made of.
    pub blocks: Vec<String>,
}

/// A manifest as it is stored.
#[derive(Serialize, Deserialize)]
struct Sealed {
    format: String,
    version: u32,
    /// Of the snapshot's text.
    checksum: String,
    snapshot: Snapshot,
}

/// What every version of a manifest begins with.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

const FORMAT: &str = "gamete-vault";
/// The version that is written, and the only one that is read.
pub(crate) const VERSION: u32 = 1;
/// Files are cut into blobs of this size, so that of a file that grows only the end is new.
pub(crate) const BLOCK: usize = 1 << 20;

/// Why a text is no manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// Bytes are not what they were.
    Damaged,
    /// It is of another version.
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

    /// The snapshot that a manifest tells of.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Flaw> {
        let head: Head = serde_json::from_slice(bytes).map_err(|_| Flaw::Damaged)?;
        if head.format != FORMAT {
            return Err(Flaw::Damaged);
        }
        if head.version != VERSION {
            return Err(Flaw::Version(head.version));
        }
        let sealed: Sealed = serde_json::from_slice(bytes).map_err(|_| Flaw::Damaged)?;
        let snapshot = sealed.snapshot;
        let is_good = snapshot.checksum() == sealed.checksum
            && snapshot.files.iter().all(KeptFile::stays_within);
        if is_good {
            Ok(snapshot)
        } else {
            Err(Flaw::Damaged)
        }
    }

    fn checksum(&self) -> String {
        blob_name(&serde_json::to_vec(self).expect("plain data"))
    }

    /// Names of all blobs that it needs.
    pub(crate) fn blobs(&self) -> BTreeSet<&str> {
        let blocks = self.files.iter().flat_map(|file| &file.blocks);
        blocks.map(String::as_str).collect()
    }
}

impl KeptFile {
    /// A path that leads out of the directory would let a store write anywhere on the machine.
    fn stays_within(&self) -> bool {
        let is_name = |name: &str| !["", ".", ".."].contains(&name) && !name.contains('\0');
        self.path.split('/').all(is_name)
    }
}

/// The name of a blob with these contents.
pub(crate) fn blob_name(contents: &[u8]) -> String {
    blake3::hash(contents).to_hex().to_string()
}
