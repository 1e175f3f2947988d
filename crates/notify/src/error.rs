//! Which notification failed, and why.

use std::fmt;
use std::io;
use std::time::Duration;

use lab::notify::BadSetting;
use play::bots::after;

/// A notification that failed.
#[derive(Debug, thiserror::Error)]
#[error("notification failed: {way}: {why}")]
pub struct NotifyError {
    /// The channel.
    pub way: Way,
    /// What was wrong.
    pub why: Why,
}

/// A notification channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// The command.
    Command,
    /// The webhook at this host, if known.
    Webhook(Option<String>),
    /// An email over this host, if known.
    Email(Option<String>),
}

/// Why a notification failed.
#[derive(Debug, thiserror::Error)]
pub enum Why {
    /// The process or thread could not start.
    #[error("could not start: {0}")]
    NotStarted(#[source] io::Error),
    /// A command that failed.
    #[error("it ended: {how}{}", after(.last_words))]
    Failed {
        /// Its exit status or signal.
        how: String,
        /// The end of its standard error.
        last_words: String,
    },
    /// Timeout.
    #[error("it did not finish within {}", humantime::format_duration(*.0))]
    TooSlow(Duration),
    /// An invalid setting.
    #[error(transparent)]
    Setting(#[from] BadSetting),
    /// The webhook refused the message.
    #[error("the server answered with status {}{}", .0, moved(*.0))]
    Status(u16),
    /// A network or server error.
    #[error("{0}")]
    Refused(String),
}

impl Why {
    /// This reason as the error of a channel.
    pub(crate) fn by(self, way: Way) -> NotifyError {
        NotifyError { way, why: self }
    }
}

/// Redirects are not followed: a POST could become a GET.
fn moved(status: u16) -> &'static str {
    if (300..400).contains(&status) {
        " (it has moved: use its new URL)"
    } else {
        ""
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command => f.write_str("notify.command"),
            Self::Webhook(None) => f.write_str("notify.webhook"),
            Self::Webhook(Some(host)) => write!(f, "notify.webhook ({host})"),
            Self::Email(None) => f.write_str("notify.email"),
            Self::Email(Some(host)) => write!(f, "notify.email ({host})"),
        }
    }
}
