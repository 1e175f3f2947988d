//! Snapshots of directories in object stores, so that work outlives the machine it ran on.
//!
//! A [`SnapshotStore`] is a location (`s3://bucket/prefix`, `gs://`, `az://`, or a directory) with one [`Repository`] per directory that is
//! backed up there. A *snapshot* is one state of the directory: a manifest, written once and never changed, that lists blobs named by their contents.
//!
//! ```text
//! prefix/
//!   my-study/
//!     snapshots/000000000007.json     the files of the directory, with their sizes and blobs
//!     blobs/<blake3>                  at most 1 MiB of a file
//! ```
//!
//! The store rejects a second manifest with the same number: if two processes back up the same directory, one of them must stop, and nothing is
//! overwritten. This crate does not know what the files mean; the caller's [`CapturePolicy`] says which ones to capture, and in which order.
//!
//! All calls block, for a bounded time; they must not be made from async code.

mod backend;
mod capture;
mod environment;
mod error;
mod files;
mod location;
mod manifest;
mod object;
mod object_client;
mod prune;
mod repository;
mod restore;
mod store;
mod sync_state;
mod uploader;
mod writer;

pub use self::capture::CapturePolicy;
pub use self::environment::Environment;
pub use self::error::SnapshotError;
pub use self::location::{Location, LocationError};
pub use self::manifest::{FileEntry, Snapshot};
pub use self::object::{read_object, write_object};
pub use self::prune::Retention;
pub use self::repository::{Relation, Repository, View};
pub use self::store::SnapshotStore;
pub use self::sync_state::SYNC_FILE;
pub use self::uploader::{Notice, Uploader};
pub use self::writer::Writer;
