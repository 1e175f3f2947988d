//! Where snapshots are stored: `s3://bucket/prefix`, `gs://bucket/prefix`, `az://container/prefix`, or a directory.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A bucket or directory, or something below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    pub(crate) root: Root,
    /// Path segments below the bucket; none for a directory.
    pub(crate) names: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Root {
    /// A bucket or container.
    Bucket(Cloud, String),
    /// A local directory.
    Directory(PathBuf),
}

/// Whose protocol a bucket speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cloud {
    S3,
    Google,
    Azure,
}

impl Cloud {
    const ALL: [Self; 3] = [Self::S3, Self::Google, Self::Azure];

    fn scheme(self) -> &'static str {
        match self {
            Self::S3 => "s3",
            Self::Google => "gs",
            Self::Azure => "az",
        }
    }
}

/// For messages.
const EXPECTED: &str =
    "expected s3://bucket/prefix, gs://bucket/prefix, az://container/prefix, or a directory";

/// Why a text is not a location.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LocationError {
    /// The text is empty.
    #[error("the location is empty; {EXPECTED}")]
    Empty,
    /// Another scheme.
    #[error("unknown scheme '{0}://'; {EXPECTED}")]
    Scheme(String),
    /// No bucket name, or an invalid one.
    #[error("'{text}' has no valid bucket name; {EXPECTED}")]
    Bucket {
        /// What was given.
        text: String,
    },
    /// An empty or special path segment.
    #[error("'{text}': '{name}' is not a valid path segment; {EXPECTED}")]
    Name {
        /// What was given.
        text: String,
        /// The segment.
        name: String,
    },
    /// A password or key in the text, which is not repeated here.
    #[error(
        "credentials must not be part of a location, where others can read them; set them in the environment, e.g. AWS_ACCESS_KEY_ID"
    )]
    Credentials,
    /// A bucket where an object is expected.
    #[error("'{location}' is not an object; expected e.g. {location}/name")]
    NoObject {
        /// What was given.
        location: String,
    },
    /// `file://` without an absolute path.
    #[error("'{text}': file:// takes an absolute path, e.g. file:///data/backups")]
    Relative {
        /// What was given.
        text: String,
    },
}

impl FromStr for Location {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<Self, LocationError> {
        if text.trim().is_empty() {
            return Err(LocationError::Empty);
        }
        let Some((scheme, rest)) = text.split_once("://") else {
            return Ok(Self::directory(Path::new(text)));
        };
        if scheme == "file" {
            return match rest.starts_with('/') {
                true => Ok(Self::directory(Path::new(rest))),
                false => Err(LocationError::Relative {
                    text: text.to_owned(),
                }),
            };
        }
        let known = Cloud::ALL
            .into_iter()
            .find(|cloud| cloud.scheme() == scheme);
        let cloud = known.ok_or_else(|| LocationError::Scheme(scheme.to_owned()))?;
        in_bucket(cloud, rest, text)
    }
}

fn in_bucket(cloud: Cloud, rest: &str, text: &str) -> Result<Location, LocationError> {
    if rest.contains('@') {
        return Err(LocationError::Credentials);
    }
    let text = || text.to_owned();
    let (bucket, path) = rest.split_once('/').unwrap_or((rest, ""));
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    if bucket.is_empty() || !bucket.chars().all(is_allowed) {
        return Err(LocationError::Bucket { text: text() });
    }
    let path = path.strip_suffix('/').unwrap_or(path);
    let names: Vec<String> = match path {
        "" => Vec::new(),
        path => path.split('/').map(str::to_owned).collect(),
    };
    match names.iter().find(|name| !is_name(name)) {
        Some(name) => Err(LocationError::Name {
            text: text(),
            name: name.clone(),
        }),
        None => Ok(Location {
            root: Root::Bucket(cloud, bucket.to_owned()),
            names,
        }),
    }
}

fn is_name(name: &str) -> bool {
    let is_special = |c: char| c.is_control() || "?#\\".contains(c);
    !["", ".", ".."].contains(&name) && !name.contains(is_special)
}

impl Location {
    /// A local directory.
    #[must_use]
    pub fn directory(path: &Path) -> Self {
        Self {
            root: Root::Directory(path.to_owned()),
            names: Vec::new(),
        }
    }

    /// Whose bucket it is; `None` for a directory.
    pub(crate) fn cloud(&self) -> Option<Cloud> {
        match self.root {
            Root::Bucket(cloud, _) => Some(cloud),
            Root::Directory(_) => None,
        }
    }

    /// The location of this name below this one.
    #[must_use]
    pub fn join(&self, name: &str) -> Self {
        let mut below = self.clone();
        match &mut below.root {
            Root::Directory(path) => path.push(name),
            Root::Bucket(..) => below.names.push(name.to_owned()),
        }
        below
    }

    /// The location above, and the name of this one there; `None` for a bucket.
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

impl fmt::Display for Location {
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
