//! The shelf of one directory: its snapshots, and how they relate to the directory as it is.

use std::path::Path as FilePath;

use bytes::Bytes;
use object_store::path::Path;

use crate::depot::Depot;
use crate::error::VaultError;
use crate::folder::{self, Care};
use crate::manifest::{Flaw, Snapshot, VERSION};
use crate::marker::Marker;
use crate::place::Place;

pub(crate) const SNAPSHOTS: &str = "snapshots";
pub(crate) const BLOBS: &str = "blobs";
/// How often a shelf is looked at that will not hold still.
const TRIES: usize = 5;

/// Where the snapshots of one directory are.
#[derive(Debug, Clone)]
pub struct Shelf {
    pub(crate) depot: Depot,
    name: String,
}

/// A shelf as it was when it was looked at.
#[derive(Debug, Clone)]
pub struct View {
    pub(crate) shelf: Shelf,
    /// The newest snapshot with a good manifest.
    pub(crate) newest: Option<Snapshot>,
    /// The highest number there is; 0 if there is none.
    pub(crate) last: u64,
    /// Sentences about manifests that are damaged.
    pub damage: Vec<String>,
}

/// How a directory and its newest snapshot relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// Nothing is kept yet.
    NothingKept,
    /// The directory is the newest snapshot, or has gone on from it.
    HereIsNewer,
    /// The directory is not there, or an earlier state of the newest snapshot.
    ThereIsNewer,
    /// Neither is known to be an earlier state of the other.
    Apart,
}

impl Shelf {
    pub(crate) fn new(depot: Depot, name: &str) -> Self {
        let name = name.to_owned();
        Self { depot, name }
    }

    /// Its place.
    #[must_use]
    pub fn place(&self) -> Place {
        self.depot.place().join(&self.name)
    }

    pub(crate) fn path(&self, names: &[&str]) -> Path {
        self.depot.path(&[&[self.name.as_str()], names].concat())
    }

    pub(crate) fn manifest(&self, number: u64) -> Path {
        self.path(&[SNAPSHOTS, &manifest_name(number)])
    }

    pub(crate) fn blob(&self, name: &str) -> Path {
        self.path(&[BLOBS, name])
    }

    /// Numbers of all snapshots, in order.
    pub(crate) fn numbers(&self) -> Result<Vec<u64>, VaultError> {
        let listed = self.depot.list(&self.path(&[SNAPSHOTS]))?;
        let names = listed
            .iter()
            .filter_map(|object| object.location.filename());
        let mut numbers: Vec<u64> = names.filter_map(number_in).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    pub(crate) fn bytes(&self, path: &Path) -> Result<Option<Bytes>, VaultError> {
        self.depot.run(self.depot.get(path))
    }

    /// A snapshot; or what is wrong with its manifest, in a sentence.
    pub(crate) fn snapshot(&self, number: u64) -> Result<Result<Snapshot, String>, VaultError> {
        let object = self.place().join(SNAPSHOTS).join(&manifest_name(number));
        let Some(bytes) = self.bytes(&self.manifest(number))? else {
            return Ok(Err(format!("{object} is missing")));
        };
        match Snapshot::from_bytes(&bytes) {
            Ok(snapshot) if snapshot.number == number => Ok(Ok(snapshot)),
            Ok(_) | Err(Flaw::Damaged) => Ok(Err(format!("{object} is damaged"))),
            Err(Flaw::Version(found)) => Err(VaultError::OtherVersion {
                object,
                found,
                known: VERSION,
            }),
        }
    }

    /// Looks for the newest snapshot whose manifest is good.
    pub fn look(&self) -> Result<View, VaultError> {
        let mut numbers = self.numbers()?;
        for _ in 1..TRIES {
            let view = self.look_among(&numbers);
            if view.as_ref().is_ok_and(|view| view.damage.is_empty()) {
                return view;
            }
            // Whoever keeps the directory may have gone on meanwhile, and cleared away what was being looked at.
            let now = self.numbers()?;
            if now == numbers {
                return view;
            }
            numbers = now;
        }
        self.look_among(&numbers)
    }

    fn look_among(&self, numbers: &[u64]) -> Result<View, VaultError> {
        let mut view = View {
            shelf: self.clone(),
            newest: None,
            last: numbers.last().copied().unwrap_or(0),
            damage: Vec::new(),
        };
        for &number in numbers.iter().rev() {
            match self.snapshot(number)? {
                Ok(snapshot) => {
                    view.newest = Some(snapshot);
                    return Ok(view);
                }
                Err(sentence) => view.damage.push(sentence),
            }
        }
        match view.damage.is_empty() {
            true => Ok(view),
            false => Err(VaultError::NoneWhole {
                place: self.place(),
                damage: view.damage,
            }),
        }
    }
}

fn manifest_name(number: u64) -> String {
    format!("{number:012}.json")
}

fn number_in(name: &str) -> Option<u64> {
    let digits = name.strip_suffix(".json")?;
    digits
        .parse()
        .ok()
        .filter(|&number| manifest_name(number) == name)
}

impl View {
    /// The place of the shelf.
    #[must_use]
    pub fn place(&self) -> Place {
        self.shelf.place()
    }

    /// The newest snapshot.
    #[must_use]
    pub fn newest(&self) -> Option<&Snapshot> {
        self.newest.as_ref()
    }

    /// How a directory relates to the newest snapshot.
    pub fn compare(&self, folder: &FilePath, care: &Care) -> Result<Relation, VaultError> {
        let Some(there) = &self.newest else {
            return Ok(Relation::NothingKept);
        };
        let here = folder::read_all(folder, care)?;
        if here.is_empty() {
            return Ok(Relation::ThereIsNewer);
        }
        let is_same = |a: &[_], b: &[_]| care.state(a) == care.state(b);
        let marker = Marker::read(folder);
        let follows = |known: &&Snapshot| known.origin == there.origin;
        let at = marker.at.as_ref().filter(follows);
        let mut was = [at, marker.next.as_ref().filter(follows)]
            .into_iter()
            .flatten();
        if is_same(&here, &there.files) || was.any(|known| is_same(&known.files, &there.files)) {
            return Ok(Relation::HereIsNewer);
        }
        Ok(match at {
            Some(at) if at.number > there.number => Relation::HereIsNewer,
            Some(at) if is_same(&at.files, &here) => Relation::ThereIsNewer,
            _ => Relation::Apart,
        })
    }
}
