//! Runs: one per setting and repeat of a study, each in its own directory, so that it survives a crash.

pub mod best_game;
pub mod checkpoint;
pub mod context;
pub mod criteria;
pub mod curve;
pub mod event;
pub mod file;
pub mod history;
pub mod individuals;
pub mod learning;
pub mod ledger;
pub mod outcome;
pub mod plot;
pub mod provenance;
pub mod resume;
pub mod sample;
pub mod seal;
pub mod status;
