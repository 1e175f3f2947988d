//! Notification settings of a study, and the message. Errors that can be detected early are found here, before anything is
//! sent; the crate `notify` does the sending.

use std::net::IpAddr;
use std::path::PathBuf;

/// Notification settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notify {
    /// Shell command, with `GAMETE_STUDY`, `GAMETE_STATE`, `GAMETE_SUMMARY` and `GAMETE_REPORT` in its environment. Its
    /// background processes end with it.
    pub command: Option<String>,
    /// A URL that gets a POST of a JSON object with `study`, `state`, `summary`, `report` and `text`.
    pub webhook: Option<String>,
    /// An email.
    pub email: Option<Email>,
}

/// Settings of an email.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email {
    /// Recipients, separated by commas.
    pub to: String,
    /// Sender.
    pub from: String,
    /// `smtp://host:port`, `smtps://` for TLS, `smtp+starttls://` for STARTTLS; may contain the user name
    /// (`smtps://me@host`), but not the password.
    pub server: String,
    /// The environment variable that holds the password.
    pub password_env: Option<String>,
}

/// The message about the end of a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The study's name.
    pub study: String,
    /// How it ended, in one word.
    pub state: String,
    /// The result, in a sentence or a few lines.
    pub summary: String,
    /// The path of the report.
    pub report: Option<PathBuf>,
}

/// An invalid setting. It contains no password and no webhook URL, since those are secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSetting {
    /// The webhook is not a URL.
    #[error("webhook must be a URL like https://example.org/hook")]
    Webhook,
    /// Not an email address.
    #[error("{key} = '{address}' is not an email address like me@example.org")]
    MailAddress {
        /// The setting.
        key: &'static str,
        /// Its value.
        address: String,
    },
    /// The mail server's URL is invalid.
    #[error(
        "server must be like smtps://me@mail.example.org, smtp+starttls://me@mail.example.org:587 or smtp://127.0.0.1:25"
    )]
    Server,
    /// The password is in a file that others may read.
    #[error(
        "server must not contain a password: put it in an environment variable, and that variable's name in password-env"
    )]
    PasswordInFile,
    /// A user without a password, or the other way round.
    #[error("a user in server and password-env belong together: one of them is missing")]
    HalfCredentials,
    /// The password's variable is not set.
    #[error("the environment variable {0}, which should hold the password, is not set")]
    NoPassword(String),
    /// The password would be sent in clear text.
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
    /// Finds errors before anything is sent, rather than when a long study ends.
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
    /// If the server, its user and the password's variable do not match.
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

/// Is this an HTTP URL?
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

/// The parts of `scheme://user@host:port/path?query` that are checked.
struct Address<'a> {
    scheme: &'a str,
    user: &'a str,
    host: &'a str,
    query: &'a str,
}

impl<'a> Address<'a> {
    /// `None` without a scheme or a host.
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

    /// Is the connection to this mail server encrypted or local?
    fn is_private(&self) -> bool {
        let host = self.host.trim_matches(['[', ']']);
        let is_here = host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
        let is_required = self.query.split('&').any(|pair| pair == "tls=required");
        matches!(self.scheme, "smtps" | "smtp+starttls") || is_required || is_here
    }
}
