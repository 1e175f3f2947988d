//! Tests of games by the thousand.

mod bots;
mod fuzz;
mod layers;
mod measure;
mod network_file;
mod openings;
mod player_file;
mod records;
mod replay;
mod replies;
mod stats;
