//! Choices by text, pure: players, operators and other registered things are chosen by a *spec* like `minimax(depth=5)`.
//! Errors give the position and what is expected.
#![deny(clippy::disallowed_methods, clippy::disallowed_macros)]

mod kind;
mod nearest;
mod reader;
mod spec;

pub use kind::{Kind, Parameter};
pub use nearest::{did_you_mean, nearest};
pub use spec::{Allowed, Spec, SpecError};
