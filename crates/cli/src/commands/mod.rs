//! The commands, one file each.

pub(crate) mod algorithms;
pub(crate) mod bench;
pub(crate) mod cloud;
pub(crate) mod cluster;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod evolve;
pub(crate) mod export;
pub(crate) mod games;
pub(crate) mod measure;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod players;
pub(crate) mod report;
pub(crate) mod resume;
pub(crate) mod rm;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod study;
pub(crate) mod tournament;
pub(crate) mod verify;
pub(crate) mod watch;
pub(crate) mod worker;
