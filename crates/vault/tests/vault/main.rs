//! Tests of the vault, with directories and with a server that speaks S3.

mod away;
mod bad_input;
mod busy_folder;
mod damage;
mod instants;
mod objects;
mod place;
mod race;
mod relation;
mod snapshots;
mod stores;
mod sweep;
