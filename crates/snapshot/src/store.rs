//! A location that holds repositories, one per directory that is backed up there.

use bytes::Bytes;

use crate::environment::Environment;
use crate::error::SnapshotError;
use crate::location::{Location, Root};
use crate::object_client::{Created, ObjectClient};
use crate::repository::{Repository, SNAPSHOTS};

/// Where directories are backed up.
#[derive(Debug, Clone)]
pub struct SnapshotStore {
    client: ObjectClient,
}

impl SnapshotStore {
    /// Opens a location for writing, after checking that it answers, accepts the credentials and can be written. A missing directory is created.
    pub fn open(location: &Location, environment: &Environment) -> Result<Self, SnapshotError> {
        if let Root::Directory(path) = &location.root {
            let created = std::fs::create_dir_all(path);
            created.map_err(|error| SnapshotError::file("create", path, error))?;
        }
        let store = Self::open_read_only(location, environment)?;
        store.check_writable()?;
        Ok(store)
    }

    /// Opens a location for reading, after checking that it answers and accepts the credentials. Nothing is changed.
    pub fn open_read_only(
        location: &Location,
        environment: &Environment,
    ) -> Result<Self, SnapshotError> {
        let client = ObjectClient::connect(location, environment)?;
        client.with_timeout(client.check_readable())?;
        Ok(Self { client })
    }

    /// Checks that the location can be written, and that conditional writes do not overwrite.
    fn check_writable(&self) -> Result<(), SnapshotError> {
        let client = &self.client;
        let probe = client.path(&[&format!("probe-{}", crate::writer::random_name())]);
        client.with_timeout(async {
            let create = || client.create(&probe, Bytes::from_static(b"may be deleted"));
            create().await?;
            let again = create().await;
            client.delete(&probe).await?;
            match again? {
                Created::AlreadyExists => Ok(()),
                Created::New => Err(SnapshotError::Overwrites {
                    location: client.location().clone(),
                }),
            }
        })
    }

    /// Is the location itself the repository of a directory?
    pub fn is_repository(&self) -> Result<bool, SnapshotError> {
        self.has_snapshots(&[])
    }

    /// Names of all directories that are backed up here, sorted.
    pub fn repositories(&self) -> Result<Vec<String>, SnapshotError> {
        let mut names = Vec::new();
        for name in self.client.directories(&self.client.path(&[]))? {
            if self.has_snapshots(&[&name])? {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    fn has_snapshots(&self, names: &[&str]) -> Result<bool, SnapshotError> {
        let below = self.client.directories(&self.client.path(names))?;
        Ok(below.iter().any(|name| name == SNAPSHOTS))
    }

    /// The repository of a directory, empty or not.
    #[must_use]
    pub fn repository(&self, name: &str) -> Repository {
        Repository::new(self.client.clone(), name)
    }
}
