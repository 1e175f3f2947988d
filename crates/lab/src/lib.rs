//! The laboratory: evolution, study files, runs and their files.
//!
//! Uses files and the clock; no async; prints nothing. The modules are layers: each uses only those above it in this list.

pub mod check;
pub mod evolution;
pub mod fsck;
pub mod run;
pub mod runner;
pub mod store;
pub mod study;

pub mod bench;
pub mod notify;
pub mod verify;
