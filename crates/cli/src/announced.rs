//! Where a server is, left in an object store for workers that start before it, or outlive it.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use cluster::address::Address;
use cluster::worker::{Left, WorkerConfig};
use snapshot::{Environment, Location, read_object, write_object};

use crate::output::Failure;

/// A server that was away for so long may have come back elsewhere.
pub(crate) const MOVED: Duration = Duration::from_secs(30);
/// How often it is looked for.
pub(crate) const LOOK: Duration = Duration::from_secs(2);

/// How a server is found.
pub(crate) enum Source {
    /// It is known.
    Known(Address),
    /// It is announced there.
    Announced(Location),
}

impl Source {
    /// An address, a join file, or a location in a store.
    pub(crate) fn read(text: &str) -> Result<Self, Failure> {
        let is_store = ["s3://", "gs://", "az://", "file://"];
        if is_store.iter().any(|scheme| text.starts_with(scheme)) {
            return Ok(Self::Announced(location(text)?));
        }
        Ok(Self::Known(Address::read(text)?))
    }

    pub(crate) fn is_announced(&self) -> bool {
        matches!(self, Self::Announced(_))
    }

    /// The address; waits for an announcement as long as a worker may be idle.
    pub(crate) fn address(&self, config: &WorkerConfig) -> Result<Result<Address, Left>, Failure> {
        let location = match self {
            Self::Known(address) => return Ok(Ok(address.clone())),
            Self::Announced(location) => location,
        };
        let began = Instant::now();
        loop {
            let found = read_object(location, &Environment::of_process()).map_err(usage)?;
            if let Some(bytes) = found {
                let text = String::from_utf8_lossy(&bytes);
                return Ok(Ok(Address::of_file(&text, &location.to_string())?));
            }
            if config.stop.load(Ordering::Relaxed) {
                return Ok(Err(Left::Stopped));
            }
            if config.idle.is_some_and(|most| began.elapsed() >= most) {
                return Ok(Err(Left::Idle));
            }
            std::thread::sleep(LOOK);
        }
    }
}

/// Leaves the address of a server for workers.
pub(crate) fn announce(text: &str, address: &Address) -> Result<(), Failure> {
    let bytes = address.to_file();
    write_object(
        &location(text)?,
        &Environment::of_process(),
        bytes.as_bytes(),
    )
    .map_err(usage)
}

fn location(text: &str) -> Result<Location, Failure> {
    text.parse::<Location>().map_err(usage)
}

fn usage(error: impl std::fmt::Display) -> Failure {
    Failure::Usage(error.to_string())
}
