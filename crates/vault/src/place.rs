//! Where something is kept: `s3://bucket/prefix`, `gs://bucket/prefix`, `az://container/prefix`, or a directory.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A place, with whatever stands below it by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub(crate) root: Root,
    /// Names from the root down.
    pub(crate) names: Vec<String>,
}

/// What a place stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Root {
    /// A bucket or container.
    Bucket(Cloud, String),
    /// A directory of this machine.
    Directory(PathBuf),
}

/// Whose protocol is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cloud {
    S3,
    Google,
    Azure,
}

impl Cloud {
    const ALL: [Self; 3] = [Self::S3, Self::Google, Self::Azure];

    pub(crate) fn scheme(self) -> &'static str {
        match self {
            Self::S3 => "s3",
            Self::Google => "gs",
            Self::Azure => "az",
        }
    }
}

/// Forms that are understood, for messages.
const FORMS: &str =
    "a place is s3://bucket/prefix, gs://bucket/prefix, az://container/prefix, or a directory";

/// Why a text is no place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// Nothing was given.
    #[error("the name of a place is empty; {FORMS}")]
    Empty,
    /// Another scheme.
    #[error("'{0}://' is not understood; {FORMS}")]
    Scheme(String),
    /// No bucket, or one that cannot be.
    #[error("'{place}' names no bucket; {FORMS}")]
    Bucket {
        /// What was given.
        place: String,
    },
    /// A name that leads elsewhere or nowhere.
    #[error("'{place}': '{name}' cannot be a part of a place; {FORMS}")]
    Name {
        /// What was given.
        place: String,
        /// The part.
        name: String,
    },
    /// A password or key in the address. It is not repeated.
    #[error(
        "credentials do not belong into the name of a place, where others read them; they are taken from the environment, e.g. AWS_ACCESS_KEY_ID"
    )]
    Credentials,
    /// A bucket where an object is wanted.
    #[error("'{place}' names no object; e.g. {place}/name does")]
    NoObject {
        /// What was given.
        place: String,
    },
    /// `file://` without an absolute path.
    #[error("'{place}': after file:// comes an absolute path, e.g. file:///data/kept")]
    Relative {
        /// What was given.
        place: String,
    },
}

impl FromStr for Place {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        if text.trim().is_empty() {
            return Err(PlaceError::Empty);
        }
        let Some((scheme, rest)) = text.split_once("://") else {
            return Ok(Self::directory(Path::new(text)));
        };
        if scheme == "file" {
            return match rest.starts_with('/') {
                true => Ok(Self::directory(Path::new(rest))),
                false => Err(PlaceError::Relative {
                    place: text.to_owned(),
                }),
            };
        }
        let known = Cloud::ALL
            .into_iter()
            .find(|cloud| cloud.scheme() == scheme);
        let cloud = known.ok_or_else(|| PlaceError::Scheme(scheme.to_owned()))?;
        in_bucket(cloud, rest, text)
    }
}

fn in_bucket(cloud: Cloud, rest: &str, place: &str) -> Result<Place, PlaceError> {
    if rest.contains('@') {
        return Err(PlaceError::Credentials);
    }
    let place = || place.to_owned();
    let (bucket, path) = rest.split_once('/').unwrap_or((rest, ""));
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    if bucket.is_empty() || !bucket.chars().all(is_allowed) {
        return Err(PlaceError::Bucket { place: place() });
    }
    let path = path.strip_suffix('/').unwrap_or(path);
    let names: Vec<String> = match path {
        "" => Vec::new(),
        path => path.split('/').map(str::to_owned).collect(),
    };
    match names.iter().find(|name| !is_name(name)) {
        Some(name) => Err(PlaceError::Name {
            place: place(),
            name: name.clone(),
        }),
        None => Ok(Place {
            root: Root::Bucket(cloud, bucket.to_owned()),
            names,
        }),
    }
}

fn is_name(name: &str) -> bool {
    let is_odd = |c: char| c.is_control() || "?#\\".contains(c);
    !["", ".", ".."].contains(&name) && !name.contains(is_odd)
}

impl Place {
    /// A directory of this machine.
    #[must_use]
    pub fn directory(path: &Path) -> Self {
        let root = Root::Directory(path.to_owned());
        Self {
            root,
            names: Vec::new(),
        }
    }

    /// Is it a directory of this machine?
    #[must_use]
    pub fn is_directory(&self) -> bool {
        matches!(self.root, Root::Directory(_))
    }

    /// What has this name here.
    #[must_use]
    pub fn join(&self, name: &str) -> Self {
        let mut place = self.clone();
        match &mut place.root {
            Root::Directory(path) => path.push(name),
            Root::Bucket(..) => place.names.push(name.to_owned()),
        }
        place
    }

    /// The place above, and the name of this one there; none if there is nothing above.
    #[must_use]
    pub fn split(&self) -> Option<(Self, String)> {
        let mut above = self.clone();
        let name = match &mut above.root {
            Root::Bucket(..) => above.names.pop()?,
            Root::Directory(path) => {
                let name = path.file_name()?.to_str()?.to_owned();
                path.pop();
                name
            }
        };
        Some((above, name))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.root {
            Root::Directory(path) => write!(f, "{}", path.display()),
            Root::Bucket(cloud, bucket) => {
                write!(f, "{}://{bucket}", cloud.scheme())?;
                self.names.iter().try_for_each(|name| write!(f, "/{name}"))
            }
        }
    }
}
