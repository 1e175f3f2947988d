//! Positions of any game behind one type; `any` passes them on.

mod any;
mod erased;

pub use any::{AnyPosition, ChanceError, MoveError, Step};
