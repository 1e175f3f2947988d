//! Tests of the binary as people use it.

mod any_game;
mod backup;
mod bots;
mod chaos;
mod cloud;
mod cluster;
mod cluster_script;
mod commands;
mod damage;
mod disturbed;
mod escapes;
mod evolve;
mod fsck;
mod full_disk;
mod gamete;
mod new_game;
mod other_programs;
mod rented;
mod replay;
mod runs;
mod serve;
mod shipped;
mod shown;
mod study;
mod survival;
mod terminal;
