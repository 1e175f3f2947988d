//! Machines that are rented or queued for: what they cost, and the files that start workers there.
//!
//! Machines are rented through SkyPilot, a program of its own; this crate writes its task files, calls it, and remembers what was launched. It
//! knows nothing of games or studies: how much there is to do is told by whoever asks. It prints nothing.

pub mod clouds;
pub mod launches;
pub mod place;
pub mod plan;
pub mod prices;
pub mod script;
mod shell;
pub mod sky;
pub mod span;
pub mod yaml;
