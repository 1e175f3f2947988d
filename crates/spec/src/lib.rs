//! Choices by text, pure: players, operators and whatever else stands in a list is chosen by a *spec* like
//! `minimax(depth=5)`. Wrong ones are told with the place and what would have been right.
#![deny(clippy::disallowed_methods, clippy::disallowed_macros)]

mod kind;
mod nearest;
mod reader;
mod spec;

pub use kind::{Kind, Parameter};
pub use nearest::{did_you_mean, nearest};
pub use spec::{Spec, SpecError};
