//! Players, pure: whatever chooses a move, named by a text like `random` or `minimax(depth=5)`.
//!
//! The [`registry`] is the only list of players; the [`arena`] lets them play.
#![deny(clippy::disallowed_methods, clippy::disallowed_macros)]

pub mod arena;
pub mod random;
pub mod registry;

mod player;
mod spec;

pub use player::{Kind, Parameter, Player, Recipe};
pub use spec::{Spec, SpecError};
