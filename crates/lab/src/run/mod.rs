//! Runs: what a study does once for every setting and repeat, in a directory of its own, so that it survives anything.

pub mod best_game;
pub mod checkpoint;
pub mod context;
pub mod curve;
pub mod event;
pub mod file;
pub mod history;
pub mod ledger;
pub mod outcome;
pub mod plot;
pub mod sample;
pub mod seal;
pub mod status;
