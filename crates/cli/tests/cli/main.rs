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
mod evolve;
mod full_disk;
mod gamete;
mod network;
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
mod wrong_workers;
