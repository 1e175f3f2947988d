//! One small object by itself, e.g. an address that one machine leaves for others.

use std::fs;

use bytes::Bytes;

use crate::environment::Environment;
use crate::error::SnapshotError;
use crate::files::{existing, replace};
use crate::location::{Location, LocationError, Root};
use crate::object_client::ObjectClient;

/// The contents of an object; `None` if it does not exist.
pub fn read_object(
    location: &Location,
    environment: &Environment,
) -> Result<Option<Vec<u8>>, SnapshotError> {
    if let Root::Directory(path) = &location.root {
        return existing(fs::read(path)).map_err(|error| SnapshotError::file("read", path, error));
    }
    let (above, name) = in_bucket(location)?;
    let client = ObjectClient::connect(&above, environment)?;
    let bytes = client.with_timeout(client.get(&client.path(&[&name])))?;
    Ok(bytes.map(Into::into))
}

/// Writes an object, replacing the existing one. In a directory only the owner can read it, since it may hold a secret.
pub fn write_object(
    location: &Location,
    environment: &Environment,
    bytes: &[u8],
) -> Result<(), SnapshotError> {
    if let Root::Directory(path) = &location.root {
        let above = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = above.and_then(|()| replace(path, bytes, 0o600));
        return written.map_err(|error| SnapshotError::file("write", path, error));
    }
    let (above, name) = in_bucket(location)?;
    let client = ObjectClient::connect(&above, environment)?;
    client.with_timeout(client.put(&client.path(&[&name]), Bytes::copy_from_slice(bytes)))
}

fn in_bucket(location: &Location) -> Result<(Location, String), SnapshotError> {
    let no_object = || LocationError::NoObject {
        location: location.to_string(),
    };
    Ok(location.split().ok_or_else(no_object)?)
}
