//! The server's address and login: a URL, or a join file that contains both.

use std::fmt;
use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::identity::{UserKey, WorkerIssuer};

/// The port of NATS.
pub const PORT: u16 = 4222;

/// A text that is never printed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Wraps a text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("(secret)")
    }
}

/// The server's address and login.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// `nats://host:port`, or `tls://host:port`; without a password.
    pub url: String,
    /// What to log in with.
    #[serde(default, flatten, skip_serializing_if = "Option::is_none")]
    pub login: Option<Login>,
    /// The certificate to verify the server's with, instead of the system's trusted ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca: Option<String>,
}

/// What to log in with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Login {
    /// For workers: each makes a user of its own.
    Worker(WorkerIssuer),
    /// The coordinator's user.
    User(UserKey),
    /// A name and a password, at a server that was not started by 'gamete cluster up'.
    Password {
        /// The name.
        user: String,
        /// The password.
        password: Secret,
    },
}

/// Why a text is not an address.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// Neither a URL nor a file.
    #[error(
        "'{0}' is not a server: give its address (nats://HOST:PORT or tls://HOST:PORT) or a .join file that 'gamete cluster up' wrote"
    )]
    Unknown(String),
    /// A file that cannot be read.
    #[error("cannot read {path}: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// A file with other contents.
    #[error("{path} is not a join file: {why}; 'gamete cluster up' writes them")]
    NoJoinFile {
        /// The file.
        path: String,
        /// Why.
        why: String,
    },
    /// A password in clear text over a network.
    #[error(
        "'{0}' would send a password unprotected over the network: use tls:// (nats:// with a password is for this machine only)"
    )]
    Unprotected(String),
}

impl Address {
    /// Reads an address, or the join file of that name.
    pub fn read(text: &str) -> Result<Self, AddressError> {
        if text.contains("://") {
            return Self::of_url(text);
        }
        let path = Path::new(text);
        if !path.exists() {
            return Err(AddressError::Unknown(text.to_owned()));
        }
        let content = fs::read_to_string(path).map_err(|error| AddressError::Unreadable {
            path: text.to_owned(),
            error,
        })?;
        Self::of_file(&content, text)
    }

    /// Reads the content of a join file; `name` is for messages.
    pub fn of_file(content: &str, name: &str) -> Result<Self, AddressError> {
        let refuse = |why: String| AddressError::NoJoinFile {
            path: name.to_owned(),
            why,
        };
        let read: Self =
            serde_json::from_str(content).map_err(|error| refuse(error.to_string()))?;
        let url = Self::of_url(&read.url).map_err(|error| refuse(error.to_string()))?;
        let address = Self {
            url: url.url,
            login: url.login.or(read.login),
            ca: read.ca,
        };
        address.protected(name)
    }

    fn of_url(text: &str) -> Result<Self, AddressError> {
        let unknown = || AddressError::Unknown(without_password(text));
        let url = Url::parse(text).map_err(|_| unknown())?;
        let host = url.host_str().filter(|host| !host.is_empty());
        let (true, Some(host)) = (matches!(url.scheme(), "nats" | "tls"), host) else {
            return Err(unknown());
        };
        let login = (!url.username().is_empty()).then(|| Login::Password {
            user: url.username().to_owned(),
            password: Secret::new(url.password().unwrap_or_default()),
        });
        let address = Self {
            url: format!("{}://{host}:{}", url.scheme(), url.port().unwrap_or(PORT)),
            login,
            ca: None,
        };
        let shown = address.url.clone();
        address.protected(&shown)
    }

    fn protected(self, name: &str) -> Result<Self, AddressError> {
        let open = !self.is_encrypted() && !self.is_here();
        match open && self.login.is_some() {
            true => Err(AddressError::Unprotected(name.to_owned())),
            false => Ok(self),
        }
    }

    /// Is the connection encrypted?
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.url.starts_with("tls://")
    }

    /// Is the server on this machine?
    #[must_use]
    pub fn is_here(&self) -> bool {
        let url = Url::parse(&self.url).ok();
        let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost"
            || host
                .parse::<std::net::IpAddr>()
                .is_ok_and(|address| address.is_loopback())
    }

    /// Writes a join file that only its owner may read.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        write_private(path, self.to_file().as_bytes())
    }

    /// The content of a join file.
    #[must_use]
    pub fn to_file(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("plain data can be written");
        text.push('\n');
        text
    }
}

/// Writes a file with mode 0600, whatever was there before.
pub fn write_private(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let part = path.with_extension("part");
    let _ = fs::remove_file(&part);
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&part)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&part, path)
}

/// The address for error messages, without its password.
fn without_password(text: &str) -> String {
    match (text.find("://"), text.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => {
            format!("{}(login){}", &text[..scheme + 3], &text[at..])
        }
        _ => text.to_owned(),
    }
}
