//! Improves genomes by their scores, pure: it knows no game, no clock, no file and no thread.
//!
//! An [`Optimizer`] is asked for candidates and told their scores, in any order; what it does next depends only on its
//! settings, its seed and those scores. Threads, machines and interruptions affect when a generation is finished, never its
//! result. Scores are maximised.
//!
//! Operators and algorithms are listed in one module each, with one file per entry: [`select`], [`cross`], [`mutate`],
//! [`replace`] and [`algorithm`].
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

mod candidate;
mod individual;
mod median;
mod noise;
mod optimizer;
mod text;

pub use algorithm::{Config, ConfigError};
pub use candidate::{Candidate, Scores, TellError};
pub use genome::{Genome, Range, Space};
pub use individual::{Evidence, Individual, Origin};
pub use median::median_high;
pub use noise::{NOISE_POLICIES, Noise};
pub use optimizer::Optimizer;
