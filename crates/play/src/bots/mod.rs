//! Bots in any language: a command as a player, by JSON lines over its standard input and output.
//!
//! `process` runs a command and never waits for it without a deadline; `bot` holds the conversation;
//! `protocol` defines the messages and parses moves, with `tetris` for the game whose protocol it is;
//! `player` makes a player of it.

mod bot;
mod family;
mod player;
mod process;
mod protocol;
mod settings;
mod tail;
mod tetris;

pub use bot::BotError;
pub use settings::EXEC;

pub(crate) use player::Exec;
pub use process::{Ending, Process, Silence, shell};
pub(crate) use settings::Settings;
pub use tail::{after, quoted};
