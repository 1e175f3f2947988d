//! Rules of the games, pure: no clock, no file, no global generator, nothing printed.
//!
//! Every game fulfils one contract, [`Game`]: a value that holds the rules, positions that are plain
//! data, and chance as a player of its own, so that one loop plays everything. The list below is the
//! only list of games; the [`registry`] finds one by its name.
#![deny(clippy::disallowed_methods, clippy::disallowed_macros)]

mod game;
mod options;
mod perft;
#[macro_use]
pub mod registry;
mod sketch;

pub use game::{
    Dice, Fact, Facts, Game, Generators, IllegalMove, NoChance, NotAMove, PositionError, Turn,
    playout_step_by_step,
};
pub use options::{OptionSpec, Options, RulesError};
pub use perft::{distinct, perft};
pub use registry::Family;
pub use sketch::{Cell, Sketch};
pub use streams::{Stream, below, stream};

// A new game is its module and a line here: `module { Variant(Type) }`, with several types where the size of the board decides.
games! { ($)
    twenty48 { Twenty48(Twenty48) }
    tetris { Tetris(Tetris<u32>), TallTetris(Tetris<u64>) }
    connect { Connect(Connect<u64>), WideConnect(Connect<u128>) }
    tictactoe { TicTacToe(TicTacToe) }
}
