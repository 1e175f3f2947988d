//! Plays many games, locally or on workers, and summarises their results.
//!
//! Reads the clock, uses threads and starts processes; no async; prints nothing. Its results depend only on the
//! seed, not on the number of threads.

pub mod advice;
pub mod any;
pub mod batch;
pub mod bench;
pub mod bots;
pub mod choices;
pub mod cpu_time;
pub mod decisive;
pub mod error;
pub mod functions;
pub mod hashing;
pub mod helpers;
pub mod measure;
pub mod named_player;
pub mod network_file;
pub mod numbers;
pub mod openings;
pub mod player_file;
pub mod playing;
mod position;
pub mod proofs;
mod record;
pub mod recorded;
pub mod records;
pub mod replay;
pub mod replies;
pub mod seating;
pub mod solution;
pub mod stats;
pub mod suggested;
pub mod tournament;
