//! Tests of rented and queued machines.

mod launches;
mod outside;
mod place;
mod plan;
mod prices;
mod script;
mod sky;
mod stand_in;
mod task;
mod yaml;
