//! SkyPilot, the program that rents machines: its task files, and calls to it.

mod calls;
mod queue;
pub mod task;

pub use self::calls::{Follow, Sky, SkyError};
pub use self::queue::{Job, JobState};
