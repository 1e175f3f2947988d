//! Improves n-tuple networks by playing, pure: plain data in, plain data out, without clock, file or thread.
//!
//! A [`Learner`] plays a few games side by side, a move of each per step, and after every move corrects the value of the position
//! before it towards what came of it (temporal differences). The value is a sum over tables, so several learners may share a network:
//! each plays all the games and has only some of the tables, and in every step they exchange what their tables add to each value.
//! Whoever has which tables, the numbers are the same.
#![deny(clippy::disallowed_methods, clippy::disallowed_macros)]

mod course;
mod learner;
mod method;
mod plan;
mod table;
mod training;

pub use course::{Course, MoveOption, connect, twenty48};
pub use learner::{Learner, Setup};
pub use method::{Coherence, Difference, Method, methods};
pub use plan::{Plan, PlanError, Restart};
pub use table::LAYOUT;
pub use training::{Alone, Exchange, Finished, RestoreError, Training};
