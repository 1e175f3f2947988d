//! A vault: a place that was looked at, with a shelf for every directory that is kept there.

use bytes::Bytes;

use crate::depot::{Created, Depot};
use crate::environment::Environment;
use crate::error::VaultError;
use crate::place::{Place, Root};
use crate::shelf::{SNAPSHOTS, Shelf};

/// A place where directories are kept.
#[derive(Debug, Clone)]
pub struct Vault {
    depot: Depot,
}

impl Vault {
    /// Opens a place to keep something there. It answers, accepts the credentials, and can be written; a directory is made if it is not there.
    pub fn open(place: &Place, environment: &Environment) -> Result<Self, VaultError> {
        if let Root::Directory(path) = &place.root {
            std::fs::create_dir_all(path).map_err(|error| VaultError::file("make", path, error))?;
        }
        let vault = Self::look(place, environment)?;
        vault.check_writable()?;
        Ok(vault)
    }

    /// Opens a place to see what is kept there. It answers and accepts the credentials; nothing is changed.
    pub fn look(place: &Place, environment: &Environment) -> Result<Self, VaultError> {
        let depot = Depot::connect(place, environment)?;
        depot.soon(depot.look())?;
        Ok(Self { depot })
    }

    /// Sees that the place can be written, and that what is there is not overwritten against our will.
    pub fn check_writable(&self) -> Result<(), VaultError> {
        let probe = self
            .depot
            .path(&[&format!("probe-{}", crate::writer::random_name())]);
        self.depot.soon(async {
            let create = || {
                self.depot
                    .create(&probe, Bytes::from_static(b"may be removed"))
            };
            create().await?;
            let again = create().await;
            self.depot.erase(&probe).await?;
            match again? {
                Created::Before => Ok(()),
                Created::Now => Err(VaultError::Overwrites {
                    place: self.place().clone(),
                }),
            }
        })
    }

    /// The place.
    #[must_use]
    pub fn place(&self) -> &Place {
        self.depot.place()
    }

    /// Is the place itself the shelf of a directory?
    pub fn is_shelf(&self) -> Result<bool, VaultError> {
        let below = self.depot.folders(&self.depot.path(&[]))?;
        Ok(below.iter().any(|name| name == SNAPSHOTS))
    }

    /// Names of all directories that are kept here, in order.
    pub fn shelves(&self) -> Result<Vec<String>, VaultError> {
        let mut names = Vec::new();
        for name in self.depot.folders(&self.depot.path(&[]))? {
            let below = self.depot.folders(&self.depot.path(&[&name]))?;
            if below.iter().any(|name| name == SNAPSHOTS) {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// The shelf of a directory, whether anything is on it or not.
    #[must_use]
    pub fn shelf(&self, name: &str) -> Shelf {
        Shelf::new(self.depot.clone(), name)
    }
}
