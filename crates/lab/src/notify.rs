//! Whom a study tells when it has ended, as its file states it, and the message. What can be known to be wrong is found here,
//! before anything is sent; sending is for programs, by the crate `notify`.

use std::net::IpAddr;
use std::path::PathBuf;

/// Who is told, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notify {
    /// For the shell, with `GAMETE_STUDY`, `GAMETE_STATE`, `GAMETE_SUMMARY` and `GAMETE_REPORT` in its environment. What it
    /// leaves running in the background ends with it.
    pub command: Option<String>,
    /// An address that gets a POST of a JSON object with `study`, `state`, `summary`, `report` and `text`.
    pub webhook: Option<String>,
    /// A mail.
    pub email: Option<Email>,
}

/// Where a mail goes, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email {
    /// Its readers, with commas between them.
    pub to: String,
    /// Its sender.
    pub from: String,
    /// `smtp://host:port`, `smtps://` for TLS from the beginning, `smtp+starttls://` for TLS later; the user's name belongs here
    /// (`smtps://me@host`), the password does not.
    pub server: String,
    /// The environment variable that holds the password.
    pub password_env: Option<String>,
}

/// How a study ended, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The study's name.
    pub study: String,
    /// How it ended, in a word.
    pub state: String,
    /// What came of it, in a sentence or a few lines.
    pub summary: String,
    /// Where to read more.
    pub report: Option<PathBuf>,
}

/// A setting that can never work. It contains no password and no address of a web hook, since those are secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSetting {
    /// The web hook is not an address.
    #[error("webhook must be an address like https://example.org/hook")]
    Webhook,
    /// A mail address that is none.
    #[error("{key} = '{address}' is not a mail address like me@example.org")]
    MailAddress {
        /// The setting.
        key: &'static str,
        /// Its value.
        address: String,
    },
    /// The mail server's address is none.
    #[error(
        "server must be like smtps://me@mail.example.org, smtp+starttls://me@mail.example.org:587 or smtp://127.0.0.1:25"
    )]
    Server,
    /// A password in a file that others may read.
    #[error(
        "server must not contain a password: put it into an environment variable, and the variable's name into password-env"
    )]
    PasswordInFile,
    /// A user without a password, or the other way round.
    #[error("a user in server and password-env belong together: one of them is missing")]
    HalfCredentials,
    /// The password is not where it should be.
    #[error("the environment variable {0}, which should hold the password, is not set")]
    NoPassword(String),
    /// Anybody could read the password.
    #[error("a password is only sent over TLS: use smtps:// or smtp+starttls://")]
    InTheClear,
}

impl BadSetting {
    /// The key in the study file.
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            Self::Webhook => "notify.webhook",
            Self::MailAddress { key: "to", .. } => "notify.email.to",
            Self::MailAddress { .. } => "notify.email.from",
            Self::NoPassword(_) => "notify.email.password-env",
            _ => "notify.email.server",
        }
    }
}

impl Notify {
    /// Finds what can be known to be wrong before anything is sent, so that nobody learns it only when a long study ends.
    #[must_use]
    pub fn check(&self) -> Vec<BadSetting> {
        let webhook = self.webhook.as_ref().filter(|text| !is_web(text));
        let webhook = webhook.map(|_| BadSetting::Webhook);
        let email = self.email.as_ref().and_then(|email| email.check().err());
        webhook.into_iter().chain(email).collect()
    }
}

impl Email {
    fn check(&self) -> Result<(), BadSetting> {
        let readers = self.to.split(',').map(|reader| ("to", reader));
        for (key, address) in std::iter::once(("from", self.from.as_str())).chain(readers) {
            if !is_mail_address(address.trim()) {
                let address = address.to_owned();
                return Err(BadSetting::MailAddress { key, address });
            }
        }
        self.password().map(drop)
    }

    /// The password of the server's user, if it has one.
    ///
    /// # Errors
    /// If the server, its user and the password's variable do not go together.
    pub fn password(&self) -> Result<Option<String>, BadSetting> {
        let server = Address::of(&self.server).ok_or(BadSetting::Server)?;
        if !["smtp", "smtps", "smtp+starttls"].contains(&server.scheme) {
            return Err(BadSetting::Server);
        }
        if server.user.contains(':') {
            return Err(BadSetting::PasswordInFile);
        }
        let variable = match (&self.password_env, server.user) {
            (None, "") => return Ok(None),
            (None, _) | (Some(_), "") => return Err(BadSetting::HalfCredentials),
            (Some(variable), _) => variable,
        };
        if !server.is_private() {
            return Err(BadSetting::InTheClear);
        }
        let password = std::env::var(variable).ok();
        let password = password.filter(|password| !password.is_empty());
        password
            .ok_or_else(|| BadSetting::NoPassword(variable.clone()))
            .map(Some)
    }
}

/// Is this the address of a web server?
fn is_web(text: &str) -> bool {
    Address::of(text).is_some_and(|address| matches!(address.scheme, "http" | "https"))
}

/// `me@example.org` or `Me <me@example.org>`.
fn is_mail_address(text: &str) -> bool {
    let address = match text.strip_suffix('>') {
        Some(named) => named.rsplit_once('<').map_or("", |(_, address)| address),
        None => text,
    };
    let is_word = |word: &str| !word.is_empty() && !word.contains([' ', '<', '>', '@']);
    address
        .split_once('@')
        .is_some_and(|(user, host)| is_word(user) && is_word(host))
}

/// The parts of `scheme://user@host:port/path?query` that decide whether it can work.
struct Address<'a> {
    scheme: &'a str,
    user: &'a str,
    host: &'a str,
    query: &'a str,
}

impl<'a> Address<'a> {
    /// None if there is no scheme or no host.
    fn of(text: &'a str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
        let host = match host.rsplit_once(':') {
            Some((host, port)) if port.chars().all(|c| c.is_ascii_digit()) => host,
            _ => host,
        };
        let is_host = |c: char| c.is_alphanumeric() || "-._[]:%".contains(c);
        (!host.is_empty() && host.chars().all(is_host)).then_some(Self {
            scheme,
            user,
            host,
            query: path.split_once('?').map_or("", |(_, query)| query),
        })
    }

    /// Is what is said on the way to this mail server read by nobody else?
    fn is_private(&self) -> bool {
        let host = self.host.trim_matches(['[', ']']);
        let is_here = host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
        let is_required = self.query.split('&').any(|pair| pair == "tls=required");
        matches!(self.scheme, "smtps" | "smtp+starttls") || is_required || is_here
    }
}
