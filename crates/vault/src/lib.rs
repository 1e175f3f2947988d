//! Directories kept in object stores: what a machine works on outlives the machine.
//!
//! A [`Vault`] is a place (`s3://bucket/prefix`, `gs://`, `az://`, or a directory) with one [`Shelf`] a directory that is kept there. Each state of
//! the directory is a *snapshot*: a manifest that is made once and never changed, and names blobs by their contents.
//!
//! ```text
//! prefix/
//!   my-study/
//!     snapshots/000000000007.json     files of the directory, with sizes and blobs
//!     blobs/<blake3>                  at most 1 MiB of a file
//! ```
//!
//! The store refuses a second manifest of a number: of two processes that keep one directory one is told to stop, and nothing is overwritten.
//! Nothing here knows what the files mean; the caller says by [`Care`] what is kept and in which order it is read.
//!
//! All calls block, and end within a bounded time; they may not come from async code.

mod connect;
mod depot;
mod environment;
mod error;
mod folder;
mod keeper;
mod manifest;
mod marker;
mod object;
mod place;
mod restore;
mod shelf;
mod sweep;
mod vault;
mod writer;

pub use self::environment::Environment;
pub use self::error::VaultError;
pub use self::folder::Care;
pub use self::keeper::{Keeper, Notice};
pub use self::manifest::{KeptFile, Snapshot};
pub use self::marker::MARKER;
pub use self::object::{read_object, write_object};
pub use self::place::{Place, PlaceError};
pub use self::shelf::{Relation, Shelf, View};
pub use self::sweep::Thrift;
pub use self::vault::Vault;
pub use self::writer::Writer;
