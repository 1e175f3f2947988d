//! One small object by itself, e.g. an address that one machine leaves for others.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use bytes::Bytes;

use crate::depot::Depot;
use crate::environment::Environment;
use crate::error::VaultError;
use crate::place::{Place, PlaceError, Root};

/// What the object at a place says; none if there is no object.
pub fn read_object(
    place: &Place,
    environment: &Environment,
) -> Result<Option<Vec<u8>>, VaultError> {
    if let Root::Directory(path) = &place.root {
        return match fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(VaultError::file("read", path, error)),
        };
    }
    let (above, name) = in_bucket(place)?;
    let depot = Depot::connect(&above, environment)?;
    let bytes = depot.soon(depot.get(&depot.path(&[&name])))?;
    Ok(bytes.map(Into::into))
}

/// Writes an object, over the one that is there. In a directory only its owner can read it, since it may hold a secret.
pub fn write_object(
    place: &Place,
    environment: &Environment,
    bytes: &[u8],
) -> Result<(), VaultError> {
    if let Root::Directory(path) = &place.root {
        return write_private(path, bytes).map_err(|error| VaultError::file("write", path, error));
    }
    let (above, name) = in_bucket(place)?;
    let depot = Depot::connect(&above, environment)?;
    depot.soon(depot.put(&depot.path(&[&name]), Bytes::copy_from_slice(bytes)))
}

fn in_bucket(place: &Place) -> Result<(Place, String), VaultError> {
    let no_object = || PlaceError::NoObject {
        place: place.to_string(),
    };
    Ok(place.split().ok_or_else(no_object)?)
}

fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(above) = path.parent() {
        fs::create_dir_all(above)?;
    }
    let new = path.with_added_extension(format!("{}.new", std::process::id()));
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&new, path)
}
