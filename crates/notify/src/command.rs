//! Notifies by a shell command, with the message in its environment.

use std::time::Duration;

use lab::notify::Message;
use play::bots::{Process, shell};

use crate::Why;

/// Runs the command to its end.
pub(crate) fn run(command: &str, message: &Message, time: Duration) -> Result<(), Why> {
    let mut shell = shell(command);
    shell
        .env("GAMETE_STUDY", &message.study)
        .env("GAMETE_STATE", &message.state)
        .env("GAMETE_SUMMARY", &message.summary)
        .env("GAMETE_REPORT", message.report.clone().unwrap_or_default());
    let mut process = Process::spawn(&mut shell).map_err(Why::NotStarted)?;
    match process.wait_for_end(time) {
        Some(ending) if ending.is_success() => Ok(()),
        Some(ending) => Err(Why::Failed {
            how: ending.to_string(),
            last_words: process.last_words(),
        }),
        None => Err(Why::TooSlow(time)),
    }
}
