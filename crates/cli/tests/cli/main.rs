//! Tests of the binary as people use it.

mod bots;
mod chaos;
mod cluster;
mod commands;
mod damage;
mod disturbed;
mod evolve;
mod full_disk;
mod gamete;
mod other_programs;
mod replay;
mod runs;
mod serve;
mod shipped;
mod shown;
mod study;
mod survival;
mod terminal;
