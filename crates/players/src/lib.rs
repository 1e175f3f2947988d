//! Players, pure: whatever chooses a move, named by a text like `random` or `minimax(depth=5)`.
//!
//! The [`registry`] is the only list of players; the [`arena`] lets them play.
#![deny(clippy::disallowed_methods, clippy::disallowed_macros)]

pub mod arena;
pub mod connect;
pub mod evaluate;
pub mod random;
pub mod registry;
pub mod search;
pub mod solver;
pub mod tetris;
pub mod twenty48;

mod player;
mod program;

pub use player::{Named, Player, PlayerFactory, Prepared, Stop, Tunable};
pub use registry::Playable;
pub use spec::{Kind, Parameter, Spec, SpecError};
