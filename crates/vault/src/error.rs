//! What can go wrong with a vault, told so that a person knows what to do.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use object_store::client::{HttpError, HttpErrorKind};

use crate::place::{Cloud, Place, PlaceError, Root};

/// Why something could not be kept or had.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// No place.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// Nobody answers.
    #[error(
        "cannot reach {place}{}: {why}; check the network{}",
        at(endpoint),
        endpoint_variable(place)
    )]
    Away {
        /// The place.
        place: Place,
        /// The address that was asked, if it is not the usual one.
        endpoint: Option<String>,
        /// What happened.
        why: String,
    },
    /// The environment says nothing, or nonsense, about how to reach the place.
    #[error("{place}: {why}")]
    Settings {
        /// The place.
        place: Place,
        /// What is wrong.
        why: String,
    },
    /// No credentials.
    #[error(
        "no credentials for {place}: set {}, or use a machine that has a role for it",
        credentials(place)
    )]
    NoCredentials {
        /// The place.
        place: Place,
    },
    /// Credentials that the store does not know.
    #[error(
        "{place} does not accept the credentials ({why}); check {}",
        credentials(place)
    )]
    Refused {
        /// The place.
        place: Place,
        /// What the store said.
        why: String,
    },
    /// Known credentials that may not do this.
    #[error("{place} may not be {} ({why}); use another place, or credentials that may", deed.past())]
    Denied {
        /// The place.
        place: Place,
        /// What was tried.
        deed: Deed,
        /// What the store said.
        why: String,
    },
    /// No bucket or directory.
    #[error("{}", no_bucket(place))]
    NoBucket {
        /// The place.
        place: Place,
    },
    /// The store overwrites what must never be overwritten.
    #[error(
        "{place} cannot be used: its store overwrites objects even when told not to, so that two processes could destroy each other's work"
    )]
    Overwrites {
        /// The place.
        place: Place,
    },
    /// Another process has gone on with what this one kept.
    #[error(
        "another process has gone on with {place} (snapshot {number}); this one stops, and nothing was overwritten"
    )]
    Raced {
        /// The shelf.
        place: Place,
        /// The snapshot that the other made.
        number: u64,
    },
    /// An object that another version wrote: not damage, and not touched.
    #[error(
        "{object} was written by another version (version {found} of the format; this one reads version {known})"
    )]
    OtherVersion {
        /// The object.
        object: Place,
        /// Its version.
        found: u32,
        /// The version that is read.
        known: u32,
    },
    /// No snapshot is whole.
    #[error("no snapshot in {place} is whole: {}", damage.join("; "))]
    NoneWhole {
        /// The shelf.
        place: Place,
        /// What is wrong with each.
        damage: Vec<String>,
    },
    /// Nothing is kept there.
    #[error("nothing is kept in {place}")]
    Nothing {
        /// The place.
        place: Place,
    },
    /// A file of this machine.
    #[error("cannot {what} {}: {error}", path.display())]
    File {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Anything else that a store says.
    #[error("{place}: {why}")]
    Store {
        /// The place.
        place: Place,
        /// What it said.
        why: String,
    },
}

/// What is done with a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Listing and getting.
    Read,
    /// Putting and removing.
    Write,
}

impl Deed {
    fn past(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "written",
        }
    }
}

impl VaultError {
    pub(crate) fn file(what: &'static str, path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        Self::File { what, path, error }
    }

    /// Must whoever keeps something stop? All else may be over after a while.
    #[must_use]
    pub fn is_race(&self) -> bool {
        matches!(self, Self::Raced { .. })
    }
}

fn at(endpoint: &Option<String>) -> String {
    endpoint
        .as_ref()
        .map_or(String::new(), |endpoint| format!(" at {endpoint}"))
}

fn cloud(place: &Place) -> Option<Cloud> {
    match place.root {
        Root::Bucket(cloud, _) => Some(cloud),
        Root::Directory(_) => None,
    }
}

fn endpoint_variable(place: &Place) -> &'static str {
    match cloud(place) {
        Some(Cloud::S3) => ", AWS_ENDPOINT_URL and AWS_REGION",
        Some(Cloud::Google) => " and GOOGLE_BASE_URL",
        Some(Cloud::Azure) => ", AZURE_STORAGE_ACCOUNT_NAME and AZURE_ENDPOINT",
        None => "",
    }
}

fn credentials(place: &Place) -> &'static str {
    match cloud(place) {
        Some(Cloud::S3) | None => "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
        Some(Cloud::Google) => "GOOGLE_APPLICATION_CREDENTIALS or GOOGLE_SERVICE_ACCOUNT_KEY",
        Some(Cloud::Azure) => "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
    }
}

fn no_bucket(place: &Place) -> String {
    match &place.root {
        Root::Bucket(_, bucket) => {
            format!(
                "there is no bucket '{bucket}' for {place}; make it, or check its name and region"
            )
        }
        Root::Directory(path) => format!("there is no directory {}", path.display()),
    }
}

/// What a store's error means for a person. Codes of errors are those of S3, Google and Azure.
pub(crate) fn told(
    place: &Place,
    endpoint: Option<&str>,
    deed: Deed,
    error: &object_store::Error,
) -> VaultError {
    let (place, why) = (place.clone(), brief(error));
    let says = |codes: &[&str]| codes.iter().any(|code| why.contains(code));
    if says(&["NoSuchBucket", "ContainerNotFound"]) {
        return VaultError::NoBucket { place };
    }
    if says(&UNKNOWN_CREDENTIALS) || matches!(error, object_store::Error::Unauthenticated { .. }) {
        return VaultError::Refused { place, why };
    }
    if matches!(error, object_store::Error::PermissionDenied { .. }) || is_forbidden(error) {
        return VaultError::Denied { place, deed, why };
    }
    if is_away(error) {
        let endpoint = endpoint.map(str::to_owned);
        return VaultError::Away {
            place,
            endpoint,
            why,
        };
    }
    VaultError::Store { place, why }
}

const UNKNOWN_CREDENTIALS: [&str; 7] = [
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
    let mut systems = causes(error).filter_map(|cause| cause.downcast_ref::<io::Error>());
    systems.any(|error| {
        matches!(
            error.kind(),
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
        )
    })
}

fn is_away(error: &object_store::Error) -> bool {
    let mut https = causes(error).filter_map(|cause| cause.downcast_ref::<HttpError>());
    https.any(|error| {
        use HttpErrorKind::{Connect, Interrupted, Request, Timeout};
        matches!(error.kind(), Connect | Timeout | Request | Interrupted)
    })
}

/// A line of what was said: the code and message of a store's answer, or the last cause.
fn brief(error: &object_store::Error) -> String {
    let whole = error.to_string();
    let within = |tag: &str| {
        let start = whole.find(&format!("<{tag}>"))? + tag.len() + 2;
        let length = whole[start..].find("</")?;
        Some(&whole[start..start + length])
    };
    let text = match (within("Code"), within("Message")) {
        (Some(code), Some(message)) => format!("{code}: {message}"),
        (Some(code), None) => code.to_owned(),
        _ => causes(error)
            .last()
            .map_or(whole.clone(), ToString::to_string),
    };
    let line = text.lines().next().unwrap_or_default();
    line.chars().take(LONGEST).collect()
}

/// Characters of a store's words that are repeated.
const LONGEST: usize = 200;
