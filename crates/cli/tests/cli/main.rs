//! Tests of the binary as people use it.

mod bots;
mod commands;
mod evolve;
mod gamete;
mod replay;
mod terminal;
