//! Rules of the games, pure: no clock, no file, no global generator, nothing printed.
//!
//! Every game fulfils one contract, [`Game`]: a value that holds the rules, positions that are plain
//! data, and chance as a player of its own, so that one loop plays everything. The [`registry`] is the
//! only list of games; whoever wants one by name asks there.
#![deny(clippy::disallowed_methods, clippy::disallowed_macros)]

mod game;
mod options;
mod perft;

pub mod connect;
pub mod registry;
pub mod tetris;
pub mod twenty48;

pub use game::{
    Fact, Facts, Game, IllegalMove, NoChance, NotAMove, PositionError, Turn, playout_step_by_step,
};
pub use options::{OptionSpec, Options, RulesError};
pub use perft::{distinct, perft};
pub use registry::{AnyGame, Family};
pub use streams::{Stream, below, stream};
