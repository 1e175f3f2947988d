//! N-tuple networks: the value of a board as a sum over tables, each looked up by what stands on the cells of one tuple.
//!
//! Every tuple looks at the board in all its symmetric views with one table, so boards that are the same but for turning and
//! mirroring have the same value, and one of them teaches all the others.

mod memory;
mod tuples;
pub mod twenty48;

use std::ops::Range;

pub use memory::Floats;
pub use tuples::{Tuples, TuplesError};

/// Finds boards in the tables of a network.
pub trait Lookup<B> {
    /// How many tables there are, and how many entries each has.
    fn tables(&self) -> &[usize];

    /// How often a board is looked up in each table.
    fn views(&self) -> usize;

    /// Calls `found` with every table of a range and the entries of the board in it, one per view.
    fn each(&self, board: B, tables: Range<usize>, found: impl FnMut(usize, &[usize]));
}
