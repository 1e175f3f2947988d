//! The laboratory: joins games and players, plays on all cores, and reports honest numbers.
//!
//! The only library that may read the clock and touch the disk. It has no async, prints nothing, and its
//! numbers depend on the seed alone, not on the number of threads.

pub mod advice;
pub mod bench;
pub mod blueprint;
pub mod board_picture;
pub mod conduct;
pub mod dispatch;
pub mod evolution;
pub mod exec;
pub mod export;
pub mod fitness;
pub mod history;
pub mod leaderboard;
pub mod measure;
pub mod notify;
pub mod outside;
pub mod play;
pub mod player_file;
pub mod presets;
pub mod replay;
pub mod report;
pub mod results;
pub mod run;
pub mod seat;
pub mod settings;
pub mod stats;
pub mod store;
pub mod study;
pub mod subject;
pub mod suggested;
pub mod tournament;
pub mod trial;
pub mod verify;
