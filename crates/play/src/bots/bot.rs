//! The conversation with a bot: it introduces itself, gets the rules, is asked for moves, and is shut down.

use std::io;
use std::time::{Duration, Instant};

use players::Cancelled;
use serde_json::{Value, json};

use super::process::{Process, Silence};
use super::tail::{after, quoted};

/// How long a bot may take to exit after `quit`.
const FAREWELL: Duration = Duration::from_secs(2);

/// What a bot did wrong, as the rest of a sentence that begins with "the bot".
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    /// There is no process.
    #[error("could not be started: {0}")]
    NotStarted(#[from] io::Error),
    /// The expected message did not come.
    #[error("{0} (waiting for '{1}')")]
    Silent(Silence, &'static str),
    /// A line that is not a message.
    #[error(
        "wrote {0}, which is not a message: each line must be a JSON object with a 'type' (write log output \
        to standard error)"
    )]
    Garbage(String),
    /// It sent an error itself.
    #[error("gave up: {0}")]
    GaveUp(String),
    /// A suggestion without a list of moves.
    #[error("made a suggestion without moves")]
    NoMoves,
    /// No move of the suggestion can be played.
    #[error("suggested no legal move: {0}")]
    Illegal(String),
}

/// The fault, with the end of the bot's standard error.
#[derive(Debug, thiserror::Error)]
#[error("the bot {fault}{}", after(.last_words))]
pub struct BotError {
    fault: Fault,
    last_words: String,
}

/// A bot that is ready to play.
#[derive(Debug)]
pub(super) struct Bot {
    process: Process,
    /// The name it introduced itself by.
    name: Option<String>,
}

/// Longer names are not used: they stand in tables.
const LONGEST_NAME: usize = 40;

/// The name in a bot's first message, if a line of a table can hold it.
fn name_in(info: &Value) -> Option<String> {
    let name = info["name"].as_str()?.trim();
    let fits = (1..=LONGEST_NAME).contains(&name.chars().count());
    (fits && !name.contains(char::is_control)).then(|| name.to_owned())
}

impl Bot {
    /// Starts the command and waits until it is ready to play by these rules, or cancelled.
    pub(super) fn start(
        command: &str,
        rules: &Value,
        time: Duration,
        cancelled: &Cancelled,
    ) -> Result<Self, BotError> {
        let mut bot = Self {
            process: Process::start(command).map_err(|error| BotError {
                fault: error.into(),
                last_words: String::new(),
            })?,
            name: None,
        };
        bot.process.cancel_when(cancelled);
        let since = Instant::now();
        match bot.shake_hands(rules, since, time) {
            Ok(()) => Ok(bot),
            Err(fault) => Err(bot.blame(fault)),
        }
    }

    fn shake_hands(&mut self, rules: &Value, since: Instant, time: Duration) -> Result<(), Fault> {
        self.name = name_in(&self.wait_for("info", since, time)?);
        self.tell(rules);
        self.wait_for("ready", since, time).map(drop)
    }

    /// The name it introduced itself by.
    pub(super) fn name(&self) -> Option<String> {
        self.name.clone()
    }

    /// Sends a message.
    pub(super) fn tell(&mut self, message: &Value) {
        self.process.send(&message.to_string());
    }

    /// Asks for a move, and gives the bot's suggestions in its order.
    pub(super) fn ask(&mut self, suggest: &Value, time: Duration) -> Result<Vec<Value>, Fault> {
        let since = Instant::now();
        self.tell(suggest);
        let mut suggestion = self.wait_for("suggestion", since, time)?;
        match suggestion.get_mut("moves").map(Value::take) {
            Some(Value::Array(moves)) if !moves.is_empty() => Ok(moves),
            _ => Err(Fault::NoMoves),
        }
    }

    /// The next message of this type. Messages of other types are ignored.
    fn wait_for(
        &mut self,
        wanted: &'static str,
        since: Instant,
        time: Duration,
    ) -> Result<Value, Fault> {
        loop {
            let line = self.process.line(since, time);
            let line = line.map_err(|silence| Fault::Silent(silence, wanted))?;
            if line.trim().is_empty() {
                continue;
            }
            let message: Option<Value> = serde_json::from_str(&line).ok();
            let kind = message
                .as_ref()
                .and_then(|message| message["type"].as_str());
            match (kind, &message) {
                (Some("error"), Some(message)) => {
                    let reason = message["reason"].as_str().unwrap_or("it gave no reason");
                    return Err(Fault::GaveUp(quoted(reason)));
                }
                (Some(kind), Some(message)) if kind == wanted => return Ok(message.clone()),
                (Some(_), _) => {}
                (None, _) => return Err(Fault::Garbage(quoted(&line))),
            }
        }
    }

    /// Turns a fault into an error. The bot is killed.
    pub(super) fn blame(mut self, fault: Fault) -> BotError {
        BotError {
            last_words: self.process.last_words(),
            fault,
        }
    }

    /// Shuts the bot down. One that does not exit is killed.
    pub(super) fn quit(mut self) {
        self.tell(&json!({"type": "quit"}));
        self.process.wait_for_end(FAREWELL);
    }
}
