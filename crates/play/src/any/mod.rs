//! Positions and players of any game, as used by every crate above this one.
//!
//! Generics end here. [`AnyPosition`] and [`AnyPlayer`] hide a game's own types; moves and chances are the game's own
//! texts. Only drawings made for one game look inside, with [`AnyPosition::typed`].

mod erased;
mod player;
mod position;

pub use player::AnyPlayer;
pub use position::{AnyPosition, ChanceError, MoveError, Step};
