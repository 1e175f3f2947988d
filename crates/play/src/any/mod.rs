//! Positions and players of any game: what everything above this crate speaks of.
//!
//! Here generics end. A game's own types live inside [`AnyPosition`] and [`AnyPlayer`]; moves and chances are the game's own
//! texts. Only drawings made for one game look inside, with [`AnyPosition::typed`].

mod erased;
mod player;
mod position;

pub use player::AnyPlayer;
pub use position::{AnyPosition, ChanceError, MoveError, Step};
