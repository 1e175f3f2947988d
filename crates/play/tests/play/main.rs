//! Tests of games by the thousand.

mod bots;
mod player_file;
mod replay;
mod stats;
