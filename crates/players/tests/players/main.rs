//! Tests of players, in one binary.

mod cancel;
mod conformance;
mod connect_network;
mod program;
mod search;
mod solver;
mod tetris;
mod twenty48;
mod twenty48_lines;
mod twenty48_network;
