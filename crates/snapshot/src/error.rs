//! What can go wrong with a store, in messages that say what to do about it.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use object_store::client::{HttpError, HttpErrorKind};

use crate::location::{Cloud, Location, LocationError, Root};

/// Why a directory could not be backed up or restored.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// Not a location.
    #[error(transparent)]
    Location(#[from] LocationError),
    /// The store does not answer.
    #[error(
        "cannot reach {location}{}: {reason}; check the network{}",
        at(endpoint.as_deref()),
        endpoint_variables(location)
    )]
    Unreachable {
        /// The location.
        location: Location,
        /// The address, if it is not the usual one.
        endpoint: Option<String>,
        /// What happened.
        reason: String,
    },
    /// The environment variables for the store are invalid.
    #[error("{location}: {reason}")]
    Settings {
        /// The location.
        location: Location,
        /// What is wrong.
        reason: String,
    },
    /// No credentials.
    #[error(
        "no credentials for {location}: set {}, or use a machine with a role that grants access",
        credentials(location)
    )]
    NoCredentials {
        /// The location.
        location: Location,
    },
    /// Credentials that the store does not know.
    #[error(
        "{location} rejected the credentials ({reason}); check {}",
        credentials(location)
    )]
    Rejected {
        /// The location.
        location: Location,
        /// The store's answer.
        reason: String,
    },
    /// Valid credentials without this permission.
    #[error("no permission to {} {location} ({reason}); use another location or other credentials", access.verb())]
    Denied {
        /// The location.
        location: Location,
        /// What was tried.
        access: Access,
        /// The store's answer.
        reason: String,
    },
    /// No such bucket or directory.
    #[error("{}", no_bucket(location))]
    NoBucket {
        /// The location.
        location: Location,
    },
    /// The store does not honour conditional writes.
    #[error(
        "cannot use {location}: its store overwrites objects even when told not to, so two processes could destroy each other's work"
    )]
    Overwrites {
        /// The location.
        location: Location,
    },
    /// Another process has written a snapshot of the same directory.
    #[error(
        "another process has taken over {location} (snapshot {number}); this one stops, and nothing was overwritten"
    )]
    TakenOver {
        /// The repository.
        location: Location,
        /// The other process's snapshot.
        number: u64,
    },
    /// An object of another version: not damage, and left alone.
    #[error("{object} has format version {found}; this program reads version {known}")]
    OtherVersion {
        /// The object.
        object: Location,
        /// Its version.
        found: u32,
        /// The version this program reads.
        known: u32,
    },
    /// All snapshots are damaged.
    #[error("no snapshot in {location} is intact: {}", damage.join("; "))]
    NoneIntact {
        /// The repository.
        location: Location,
        /// What is wrong with each.
        damage: Vec<String>,
    },
    /// There are no snapshots.
    #[error("there are no snapshots in {location}")]
    Empty {
        /// The repository.
        location: Location,
    },
    /// A local file.
    #[error("cannot {verb} {}: {error}", path.display())]
    File {
        /// What was tried.
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// Any other error of the store.
    #[error("{location}: {reason}")]
    Store {
        /// The location.
        location: Location,
        /// The store's answer.
        reason: String,
    },
}

/// How a location is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Listing and getting.
    Read,
    /// Putting and deleting.
    Write,
}

impl Access {
    fn verb(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

impl SnapshotError {
    pub(crate) fn file(verb: &'static str, path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        Self::File { verb, path, error }
    }

    /// Must this process stop writing snapshots? All other errors may be temporary.
    #[must_use]
    pub fn is_taken_over(&self) -> bool {
        matches!(self, Self::TakenOver { .. })
    }
}

fn at(endpoint: Option<&str>) -> String {
    endpoint.map_or(String::new(), |endpoint| format!(" at {endpoint}"))
}

fn endpoint_variables(location: &Location) -> &'static str {
    match location.cloud() {
        Some(Cloud::S3) => ", AWS_ENDPOINT_URL and AWS_REGION",
        Some(Cloud::Google) => " and GOOGLE_BASE_URL",
        Some(Cloud::Azure) => ", AZURE_STORAGE_ACCOUNT_NAME and AZURE_ENDPOINT",
        None => "",
    }
}

fn credentials(location: &Location) -> &'static str {
    match location.cloud() {
        Some(Cloud::S3) | None => "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
        Some(Cloud::Google) => "GOOGLE_APPLICATION_CREDENTIALS or GOOGLE_SERVICE_ACCOUNT_KEY",
        Some(Cloud::Azure) => "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
    }
}

fn no_bucket(location: &Location) -> String {
    match &location.root {
        Root::Bucket(_, bucket) => format!(
            "the bucket '{bucket}' of {location} does not exist; create it, or check its name and region"
        ),
        Root::Directory(path) => format!("the directory {} does not exist", path.display()),
    }
}

/// What a store's error means for the user. The error codes are those of S3, Google and Azure.
pub(crate) fn explain(
    location: &Location,
    endpoint: Option<&str>,
    access: Access,
    error: &object_store::Error,
) -> SnapshotError {
    let (location, reason) = (location.clone(), brief(error));
    let has_code = |codes: &[&str]| codes.iter().any(|code| reason.contains(code));
    if has_code(&["NoSuchBucket", "ContainerNotFound"]) {
        return SnapshotError::NoBucket { location };
    }
    if has_code(&REJECTED) || matches!(error, object_store::Error::Unauthenticated { .. }) {
        return SnapshotError::Rejected { location, reason };
    }
    if matches!(error, object_store::Error::PermissionDenied { .. }) || is_forbidden(error) {
        return SnapshotError::Denied {
            location,
            access,
            reason,
        };
    }
    if is_unreachable(error) {
        return SnapshotError::Unreachable {
            location,
            endpoint: endpoint.map(str::to_owned),
            reason,
        };
    }
    SnapshotError::Store { location, reason }
}

/// Codes for credentials that the store does not accept.
const REJECTED: [&str; 7] = [
    "InvalidAccessKeyId",
    "InvalidClientTokenId",
    "SignatureDoesNotMatch",
    "ExpiredToken",
    "InvalidToken",
    "AuthenticationFailed",
    "AuthorizationHeaderMalformed",
];

fn causes(error: &object_store::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(Some(error as &(dyn Error + 'static)), |&error| {
        error.source()
    })
}

fn is_forbidden(error: &object_store::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    causes(error)
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem))
}

fn is_unreachable(error: &object_store::Error) -> bool {
    use HttpErrorKind::{Connect, Interrupted, Request, Timeout};
    causes(error)
        .filter_map(|cause| cause.downcast_ref::<HttpError>())
        .any(|error| matches!(error.kind(), Connect | Timeout | Request | Interrupted))
}

/// One line: the code and message of the store's answer, or the innermost cause.
fn brief(error: &object_store::Error) -> String {
    let whole = error.to_string();
    let element = |tag: &str| {
        let start = whole.find(&format!("<{tag}>"))? + tag.len() + 2;
        let length = whole[start..].find("</")?;
        Some(&whole[start..start + length])
    };
    let text = match (element("Code"), element("Message")) {
        (Some(code), Some(message)) => format!("{code}: {message}"),
        (Some(code), None) => code.to_owned(),
        _ => causes(error)
            .last()
            .map_or(whole.clone(), ToString::to_string),
    };
    let line = text.lines().next().unwrap_or_default();
    line.chars().take(LONGEST).collect()
}

/// Characters of a store's answer to repeat.
const LONGEST: usize = 200;
