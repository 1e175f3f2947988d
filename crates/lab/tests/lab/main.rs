//! Tests of the laboratory as a whole.

mod evolution;
mod exec;
mod player_file;
mod stats;
mod verify;
