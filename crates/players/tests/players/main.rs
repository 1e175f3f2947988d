//! Tests of players, in one binary.

mod conformance;
mod search;
mod solver;
mod tetris;
mod twenty48;
