//! Tests of snapshots, in directories and on a server that speaks S3.

mod bad_input;
mod busy_directory;
mod concurrent_changes;
mod damage;
mod location;
mod objects;
mod prune;
mod race;
mod relation;
mod snapshots;
mod stores;
mod uploader;
