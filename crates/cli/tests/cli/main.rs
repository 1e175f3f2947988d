//! Tests of the binary as people use it.

mod commands;
mod manual;
mod terminal;
