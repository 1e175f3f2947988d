//! Tells a person that a study has ended: by a command, a web hook, a mail, or all of them.
//!
//! Every way has its own thread and the same time. One that fails stops neither the others nor whoever calls: what went
//! wrong is given back, and it contains no password and no address beyond the host, since those of web hooks are secret.

mod command;
mod email;
mod error;
mod webhook;

use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

pub use error::{NotifyError, Way, Why};

/// For every way.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Who is told, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Notify {
    /// For the shell, with `GAMETE_STUDY`, `GAMETE_STATE`, `GAMETE_SUMMARY` and `GAMETE_REPORT` in its environment. What it
    /// leaves running in the background ends with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// An address that gets a POST of a JSON object with `study`, `state`, `summary`, `report` and `text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook: Option<String>,
    /// A mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<Email>,
    /// For every way; 30 s.
    #[serde(skip)]
    pub time_limit: Duration,
}

/// Where a mail goes, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Email {
    /// Its readers, with commas between them.
    pub to: String,
    /// Its sender.
    pub from: String,
    /// `smtp://host:port`, `smtps://` for TLS from the beginning, `smtp+starttls://` for TLS later; the user's name belongs here
    /// (`smtps://me@host`), the password does not.
    pub server: String,
    /// The environment variable that holds the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_env: Option<String>,
}

/// What is told.
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

impl Default for Notify {
    fn default() -> Self {
        Self {
            command: None,
            webhook: None,
            email: None,
            time_limit: TIME_LIMIT,
        }
    }
}

impl Message {
    /// The report's path as text; empty without one.
    fn report_text(&self) -> String {
        let report = self.report.as_ref();
        report.map_or_else(String::new, |report| report.display().to_string())
    }

    /// All of it for people.
    fn text(&self) -> String {
        let Self { study, state, .. } = self;
        let report = match self.report {
            Some(_) => format!("\n{}", self.report_text()),
            None => String::new(),
        };
        format!("gamete: {study} {state}\n{}{report}", self.summary)
    }
}

/// A way that is being tried: what it is, since when, and its thread's result.
type Running = (Way, Instant, Receiver<Result<(), Why>>);

impl Notify {
    /// Finds what can be known to be wrong before anything is sent, so that nobody learns it only when a long study ends.
    #[must_use]
    pub fn check(&self) -> Vec<NotifyError> {
        let nothing = Message {
            study: String::new(),
            state: String::new(),
            summary: String::new(),
            report: None,
        };
        let webhook = self.webhook.as_ref().and_then(|url| {
            let problem = webhook::Hook::new(url).err()?;
            Some(problem.by(webhook::way(url)))
        });
        let email = self.email.as_ref().and_then(|email| {
            let problem = email::Letter::new(email, &nothing, self.time_limit).err()?;
            Some(problem.by(email::way(email)))
        });
        webhook.into_iter().chain(email).collect()
    }

    /// Tells it in every way there is, and waits until all are done or their time is up. What went wrong comes back.
    #[must_use]
    pub fn send(&self, message: &Message) -> Vec<NotifyError> {
        let ways = [
            self.by_command(message),
            self.by_webhook(message),
            self.by_email(message),
        ];
        ways.into_iter()
            .flatten()
            .filter_map(|running| self.wait(running).err())
            .collect()
    }

    fn by_command(&self, message: &Message) -> Option<Running> {
        let (text, time) = (self.command.clone()?, self.time_limit);
        let message = message.clone();
        let run = move || command::run(&text, &message, time);
        Some(begin(Way::Command, run))
    }

    fn by_webhook(&self, message: &Message) -> Option<Running> {
        let (url, time) = (self.webhook.clone()?, self.time_limit);
        let message = message.clone();
        let way = webhook::way(&url);
        let post = move || webhook::Hook::new(&url)?.post(&message, time);
        Some(begin(way, post))
    }

    fn by_email(&self, message: &Message) -> Option<Running> {
        let (email, time) = (self.email.clone()?, self.time_limit);
        let message = message.clone();
        let way = email::way(&email);
        let send = move || email::Letter::new(&email, &message, time)?.send();
        Some(begin(way, send))
    }

    /// The result of a way. A thread that is late is left to itself: names and mail servers can keep one waiting for longer
    /// than they were given, and nobody listens to it any more.
    fn wait(&self, (way, since, result): Running) -> Result<(), NotifyError> {
        // What a way does has a limit of its own, with a better reason: it gets a moment to say so.
        let moment = Duration::from_millis(500);
        let left = (self.time_limit + moment).saturating_sub(since.elapsed());
        let result = result.recv_timeout(left);
        result
            .unwrap_or(Err(Why::TooSlow(self.time_limit)))
            .map_err(|why| why.by(way))
    }
}

/// Does it on a thread of its own.
fn begin(way: Way, send: impl FnOnce() -> Result<(), Why> + Send + 'static) -> Running {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::Builder::new().name("notify".to_owned());
    let work_sender = sender.clone();
    // Whoever waited may have gone: then nobody wants the result.
    let started = thread.spawn(move || drop(work_sender.send(send())));
    if let Err(error) = started {
        drop(sender.send(Err(Why::NotStarted(error))));
    }
    (way, Instant::now(), receiver)
}
