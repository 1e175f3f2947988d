//! An append-only file in which any damage is detected.
//!
//! Header: eight magic bytes, the version, a text for the reader of the entries, and a checksum; every version begins like
//! this, so that another version can be told from damage. Then entries: the lengths of two parts, an uncompressed *head* and
//! a compressed *body*, the parts, and a checksum of everything before. So heads can be read without decompressing bodies, an
//! entry cut short by a crash is detected, and the last checksum covers the whole file.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::file::{FileError, open_to_grow, replace};

/// The format of a ledger's contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// Eight bytes at the beginning of the file.
    pub magic: &'static [u8; 8],
    /// Its name in messages.
    pub name: &'static str,
    /// The version written, and the only one read.
    pub version: u32,
}

/// Why a ledger cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// An I/O error.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is another kind of file.
    #[error("{} is not a {name}", path.display())]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// The expected kind.
        name: &'static str,
    },
    /// Another version of the format.
    #[error("{} was written by another version of gamete (version {found} of the {name}; this one reads version {known})", path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its kind.
        name: &'static str,
        /// The version it has.
        found: u32,
        /// The supported version.
        known: u32,
    },
    /// The file ends within an entry, as after a crash.
    #[error("{} ends in the middle of entry {entry}, which begins at byte {at}", path.display())]
    Torn {
        /// The file.
        path: PathBuf,
        /// Where the incomplete entry begins.
        at: u64,
        /// Its number, from 0.
        entry: u64,
    },
    /// Bytes have changed, or entries are missing.
    #[error("{} is damaged at byte {at} (entry {entry})", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damaged entry begins.
        at: u64,
        /// Its number, from 0.
        entry: u64,
    },
}

/// A position up to which a ledger is known to be good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Mark {
    /// Bytes.
    pub length: u64,
    /// Entries.
    pub entries: u64,
    /// The checksum of everything up to here.
    pub checksum: u64,
}

/// A ledger being written.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    file: File,
    mark: Mark,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Uncompressed part.
    pub head: Vec<u8>,
    /// Position and length of the compressed body.
    body: (u64, u32),
    /// Where the entry begins, and its number from 0.
    place: (u64, u64),
}

/// No head or body is longer; a length beyond it is damage.
const LONGEST: u32 = 1 << 30;

fn checksum(before: u64, parts: &[&[u8]]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&before.to_le_bytes());
    for part in parts {
        hasher.update(part);
    }
    let first: [u8; 8] = hasher.finalize().as_bytes()[..8]
        .try_into()
        .expect("a hash has more than eight bytes");
    u64::from_le_bytes(first)
}

impl LedgerError {
    /// Does the file end within an entry, as after a crash?
    #[must_use]
    pub fn is_torn(&self) -> bool {
        matches!(self, Self::Torn { .. })
    }

    /// Is the file itself damaged, so that setting it aside and writing it again helps? A file of another version is left alone, and
    /// an I/O error is for the user to resolve.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            Self::OtherFormat { .. } | Self::Torn { .. } | Self::Damaged { .. } => true,
            Self::File(error) => error.kind() == io::ErrorKind::NotFound,
            Self::OtherVersion { .. } => false,
        }
    }
}

impl Ledger {
    /// A new ledger; replaces an existing file.
    pub fn create(path: &Path, format: Format, about: &str) -> Result<Self, LedgerError> {
        let failed = |error| FileError::new("write", path, error);
        let mut header = format.magic.to_vec();
        header.extend(format.version.to_le_bytes());
        header.extend((about.len() as u32).to_le_bytes());
        header.extend(about.as_bytes());
        let checksum = checksum(0, &[&header]);
        header.extend(checksum.to_le_bytes());
        replace(path, &header)?;
        let mut file = open_to_grow(path)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mark = Mark {
            length: header.len() as u64,
            entries: 0,
            checksum,
        };
        let path = path.to_owned();
        Ok(Self { path, file, mark })
    }

    /// Resumes a ledger after a mark. Everything up to it must be unchanged; anything after it is cut off.
    pub fn resume(path: &Path, format: Format, mark: Mark) -> Result<Self, LedgerError> {
        Self::check(path, format, mark)?;
        let mut file = open_to_grow(path)?;
        let failed = |error| FileError::new("write", path, error);
        file.set_len(mark.length).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let path = path.to_owned();
        Ok(Self { path, file, mark })
    }

    /// Is everything up to a mark unchanged?
    pub fn check(path: &Path, format: Format, mark: Mark) -> Result<(), LedgerError> {
        let mut reader = Reader::open(path, format)?;
        while reader.mark.entries < mark.entries {
            if reader.next_entry()?.is_none() {
                return Err(reader.damaged());
            }
        }
        match reader.mark == mark {
            true => Ok(()),
            false => Err(reader.damaged()),
        }
    }

    /// Adds an entry. After an error the file is as it was before.
    pub fn add(&mut self, head: &[u8], body: &[u8]) -> Result<(), LedgerError> {
        let entry = self.add_all(head, body);
        entry.map_err(|error| {
            // A partial entry must not stay: the next one would follow it.
            let _ = self.file.set_len(self.mark.length);
            let _ = self.file.seek(SeekFrom::Start(self.mark.length));
            FileError::new("write", &self.path, error).into()
        })
    }

    fn add_all(&mut self, head: &[u8], body: &[u8]) -> io::Result<()> {
        let body = zstd::bulk::compress(body, 1)?;
        let lengths = [head.len() as u32, body.len() as u32]
            .map(u32::to_le_bytes)
            .concat();
        let checksum = checksum(self.mark.checksum, &[&lengths, head, &body]);
        let entry = [&lengths, head, &body, &checksum.to_le_bytes()].concat();
        self.file.write_all(&entry)?;
        self.mark = Mark {
            length: self.mark.length + entry.len() as u64,
            entries: self.mark.entries + 1,
            checksum,
        };
        Ok(())
    }

    /// Waits until everything is on disk, and returns the mark.
    pub fn sync(&mut self) -> Result<Mark, LedgerError> {
        let synced = self.file.sync_data();
        synced.map_err(|error| FileError::new("write", &self.path, error))?;
        Ok(self.mark)
    }

    /// The current end.
    #[must_use]
    pub fn mark(&self) -> Mark {
        self.mark
    }
}

/// A ledger being read.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    file: BufReader<File>,
    about: String,
    mark: Mark,
}

impl Reader {
    /// Opens a ledger.
    pub fn open(path: &Path, format: Format) -> Result<Self, LedgerError> {
        let file = File::open(path).map_err(|error| FileError::new("open", path, error))?;
        let mut reader = Self {
            path: path.to_owned(),
            file: BufReader::new(file),
            about: String::new(),
            mark: Mark {
                length: 0,
                entries: 0,
                checksum: 0,
            },
        };
        reader.read_header(format)?;
        Ok(reader)
    }

    fn read_header(&mut self, format: Format) -> Result<(), LedgerError> {
        let (path, name) = (self.path.clone(), format.name);
        let fixed = self.part(16)?;
        if &fixed[..8] != format.magic {
            return Err(LedgerError::OtherFormat { path, name });
        }
        let number =
            |at: usize| u32::from_le_bytes(fixed[at..at + 4].try_into().expect("four bytes"));
        let about = self.part(number(12))?;
        let stated = self.part(8)?;
        let checksum = checksum(0, &[&fixed, &about]);
        if stated != checksum.to_le_bytes() {
            return Err(self.damaged());
        }
        let (found, known) = (number(8), format.version);
        if found != known {
            return Err(LedgerError::OtherVersion {
                path,
                name,
                found,
                known,
            });
        }
        self.about = String::from_utf8_lossy(&about).into_owned();
        self.mark.checksum = checksum;
        self.mark.length = (fixed.len() + about.len() + stated.len()) as u64;
        Ok(())
    }

    /// The text in the header.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The position read so far.
    #[must_use]
    pub fn mark(&self) -> Mark {
        self.mark
    }

    /// The next entry; none at the end.
    pub fn next_entry(&mut self) -> Result<Option<Entry>, LedgerError> {
        let Some(lengths) = self.bytes(8)? else {
            return Ok(None);
        };
        let length =
            |at: usize| u32::from_le_bytes(lengths[at..at + 4].try_into().expect("four bytes"));
        let (head, body) = (self.part(length(0))?, self.part(length(4))?);
        let stated = self.part(8)?;
        let checksum = checksum(self.mark.checksum, &[&lengths, &head, &body]);
        if stated != checksum.to_le_bytes() {
            return Err(self.damaged());
        }
        let body = (self.mark.length + 8 + head.len() as u64, body.len() as u32);
        let place = (self.mark.length, self.mark.entries);
        self.mark = Mark {
            length: body.0 + u64::from(body.1) + 8,
            entries: self.mark.entries + 1,
            checksum,
        };
        Ok(Some(Entry { head, body, place }))
    }

    /// The head of an entry of this ledger as a value. Bytes that match their checksum but do not decode are damage, too.
    pub fn decode_head<T: DeserializeOwned>(&self, entry: &Entry) -> Result<T, LedgerError> {
        rmp_serde::from_slice(&entry.head).map_err(|_| self.damaged_entry(entry))
    }

    /// The body of an entry of this ledger as a value. Bytes that match their checksum but do not decode are damage, too.
    pub fn decode_body<T: DeserializeOwned>(&self, entry: &Entry) -> Result<T, LedgerError> {
        rmp_serde::from_slice(&self.body(entry)?).map_err(|_| self.damaged_entry(entry))
    }

    fn damaged_entry(&self, entry: &Entry) -> LedgerError {
        let (at, number) = entry.place;
        LedgerError::Damaged {
            path: self.path.clone(),
            at,
            entry: number,
        }
    }

    /// The body of an entry of this ledger.
    pub fn body(&self, entry: &Entry) -> Result<Vec<u8>, LedgerError> {
        let (place, length) = entry.body;
        let mut packed = vec![0; length as usize];
        let read = self.file.get_ref().read_exact_at(&mut packed, place);
        read.map_err(|error| FileError::new("read", &self.path, error))?;
        zstd::stream::decode_all(&packed[..]).map_err(|_| self.damaged_entry(entry))
    }

    /// Reads bytes that must exist.
    fn part(&mut self, length: u32) -> Result<Vec<u8>, LedgerError> {
        if length > LONGEST {
            return Err(self.damaged());
        }
        self.bytes(length as usize)?.ok_or_else(|| self.torn())
    }

    /// Reads this many bytes; `None` if the file ends before the first of them. A file that ends among them is damaged.
    fn bytes(&mut self, length: usize) -> Result<Option<Vec<u8>>, LedgerError> {
        let mut bytes = Vec::new();
        let read = (&mut self.file).take(length as u64).read_to_end(&mut bytes);
        read.map_err(|error| FileError::new("read", &self.path, error))?;
        if bytes.is_empty() && length > 0 {
            return Ok(None);
        }
        if bytes.len() < length {
            return Err(self.torn());
        }
        Ok(Some(bytes))
    }

    fn torn(&self) -> LedgerError {
        LedgerError::Torn {
            path: self.path.clone(),
            at: self.mark.length,
            entry: self.mark.entries,
        }
    }

    fn damaged(&self) -> LedgerError {
        LedgerError::Damaged {
            path: self.path.clone(),
            at: self.mark.length,
            entry: self.mark.entries,
        }
    }
}
