//! Which way of telling failed, and why.

use std::fmt;
use std::io;
use std::time::Duration;

use lab::notify::BadSetting;
use play::bots::after;

/// A notification that failed.
#[derive(Debug, thiserror::Error)]
#[error("notification failed: {way}: {why}")]
pub struct NotifyError {
    /// How it was tried.
    pub way: Way,
    /// What was wrong.
    pub why: Why,
}

/// A way to tell somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// The command.
    Command,
    /// The web hook at this host, if it has one.
    Webhook(Option<String>),
    /// A mail over this host, if there is one.
    Email(Option<String>),
}

/// Why a way failed.
#[derive(Debug, thiserror::Error)]
pub enum Why {
    /// There was no process or thread.
    #[error("could not start: {0}")]
    NotStarted(#[source] io::Error),
    /// A command that failed.
    #[error("it ended: {how}{}", after(.last_words))]
    Failed {
        /// Its exit status or signal.
        how: String,
        /// The end of what it wrote to its standard error.
        last_words: String,
    },
    /// The time was over.
    #[error("it was not done within {}", humantime::format_duration(*.0))]
    TooSlow(Duration),
    /// It can never work.
    #[error(transparent)]
    Setting(#[from] BadSetting),
    /// The web hook did not want it.
    #[error("the server answered with status {}{}", .0, moved(*.0))]
    Status(u16),
    /// The net, or whoever is at its other end.
    #[error("{0}")]
    Refused(String),
}

impl Why {
    /// The error of a way that failed for this reason.
    pub(crate) fn by(self, way: Way) -> NotifyError {
        NotifyError { way, why: self }
    }
}

/// A server that has moved is not followed: a POST would arrive there as something else.
fn moved(status: u16) -> &'static str {
    if (300..400).contains(&status) {
        " (it has moved: use its new address)"
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
