//! Tests of players, in one binary.

mod cancel;
mod conformance;
mod network;
mod program;
mod search;
mod solver;
mod tetris;
mod twenty48;
