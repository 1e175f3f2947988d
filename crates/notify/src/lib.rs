//! Notifies users that a study has ended: by a command, a webhook, an email, or all of them.
//!
//! Every channel has its own thread and the same time limit. A failure stops neither the others nor the caller: the errors
//! are returned, and contain no password and only the host of a URL, since webhook URLs are secret.

mod command;
mod email;
mod error;
mod webhook;

use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use std::path::PathBuf;

use lab::notify::{Message, Notify};
use lab::runner::StudyRun;
use lab::study::Study;
use report::ReportError;
use report::results::Results;

pub use error::{NotifyError, Way, Why};

/// Per channel.
const TIME_LIMIT: Duration = Duration::from_secs(30);
/// Channels have their own timeouts with better errors: they get this much longer to report them.
const GRACE: Duration = Duration::from_millis(500);

/// Sends the message over all configured channels, and waits until all are done or 30 seconds are over. Returns the errors.
#[must_use]
pub fn send(notify: &Notify, message: &Message) -> Vec<NotifyError> {
    send_within(TIME_LIMIT, notify, message)
}

/// As [`send`], with another time limit.
#[must_use]
pub fn send_within(time: Duration, notify: &Notify, message: &Message) -> Vec<NotifyError> {
    let Notify {
        command,
        webhook,
        email,
    } = notify.clone();
    let by_command = command.map(|text| {
        let message = message.clone();
        begin(Way::Command, move || command::run(&text, &message, time))
    });
    let by_webhook = webhook.map(|url| {
        let message = message.clone();
        begin(webhook::way(&url), move || {
            webhook::Hook::new(&url)?.post(&message, time)
        })
    });
    let by_email = email.map(|email| {
        let message = message.clone();
        begin(email::way(&email), move || {
            email::Letter::new(&email, &message, time)?.send()
        })
    });
    [by_command, by_webhook, by_email]
        .into_iter()
        .flatten()
        .filter_map(|running| wait(running, time).err())
        .collect()
}

/// A running notification: its channel, start, and its thread's result.
type Running = (Way, Instant, Receiver<Result<(), Why>>);

/// Sends on a separate thread.
fn begin(way: Way, send: impl FnOnce() -> Result<(), Why> + Send + 'static) -> Running {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::Builder::new().name("notify".to_owned());
    let work_sender = sender.clone();
    // If the caller no longer waits, the result is not needed.
    let started = thread.spawn(move || drop(work_sender.send(send())));
    if let Err(error) = started {
        drop(sender.send(Err(Why::NotStarted(error))));
    }
    (way, Instant::now(), receiver)
}

/// The result of a channel. A late thread is abandoned: a name server or mail server can take longer than its limit.
fn wait((way, since, result): Running, time: Duration) -> Result<(), NotifyError> {
    let left = (time + GRACE).saturating_sub(since.elapsed());
    let result = result.recv_timeout(left);
    result
        .unwrap_or(Err(Why::TooSlow(time)))
        .map_err(|why| why.by(way))
}

/// The report's path as text.
fn report(message: &Message) -> Option<String> {
    let report = message.report.as_ref()?;
    Some(report.display().to_string())
}

/// The message as text.
fn text(message: &Message) -> String {
    let Message { study, state, .. } = message;
    let report = report(message).map_or_else(String::new, |report| format!("\n{report}"));
    format!("gamete: {study} {state}\n{}{report}", message.summary)
}

/// Writes the report of a study that has ended and sends its notifications; returns the results, the files of the report, and
/// the notifications that failed, which do not affect the results.
pub fn report_and_notify(
    study: &Study,
    ran: &StudyRun,
) -> Result<(Results, Vec<PathBuf>, Vec<NotifyError>), ReportError> {
    let (results, files) = report::write_all(&ran.folder)?;
    let errors = send(&study.notify, &ran.message(study, files.first()));
    Ok((results, files, errors))
}
