//! Tests of the laboratory as a whole.

mod charts;
mod connect_checks;
mod damage;
mod evolution;
mod exec;
mod kinds;
mod notify;
mod outside;
mod player_file;
mod replay;
mod stats;
mod study;
mod verify;
