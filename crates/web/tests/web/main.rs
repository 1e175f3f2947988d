//! The server as the page meets it: over a real connection on this machine.

mod build_script;
mod client;
mod cluster;
mod conformity;
mod connections;
mod events;
mod games;
mod house;
mod hub;
mod load;
mod openapi;
mod page;
mod results;
mod runs;
mod security;
mod studies;
mod thinking;
mod training;
mod watch;
