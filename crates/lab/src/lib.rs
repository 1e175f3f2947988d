//! The laboratory: evolution, study files, runs and everything they keep.
//!
//! Touches files and reads the clock; no async; prints nothing. The modules are layers: each uses only those above it here.

pub mod check;
pub mod evolution;
pub mod run;
pub mod runner;
pub mod store;
pub mod study;

pub mod bench;
pub mod notify;
pub mod verify;
