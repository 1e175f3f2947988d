//! Improves genomes by their scores, pure: it knows no game, no clock, no file and no thread.
//!
//! An [`Optimizer`] is asked for candidates and told their scores, in any order; what it does next depends on
//! its settings, its seed, and those scores alone. So threads, machines and interruptions change when a
//! generation is done, never what comes out. Scores are maximised.
//!
//! What an algorithm is made of stands in visible lists, one file each: [`select`], [`cross`], [`mutate`], [`replace`],
//! and the algorithms themselves in [`algorithm`].
#![deny(clippy::disallowed_methods, clippy::disallowed_macros)]

pub mod algorithm;
pub mod benchmarks;
pub mod cgp;
pub mod cross;
pub mod genome;
pub mod mutate;
pub mod operator;
pub mod replace;
pub mod select;

mod individual;
mod noise;
mod optimizer;

pub use algorithm::{Config, ConfigError};
pub use genome::{Genome, Range, Space};
pub use individual::{Evidence, Individual, Origin};
pub use noise::{NOISE_POLICIES, Noise};
pub use optimizer::{Candidate, Optimizer, Scores, TellError};
