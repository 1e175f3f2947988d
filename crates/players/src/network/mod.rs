//! N-tuple networks: the value of a board as a sum over tables, each looked up by what stands on the cells of one tuple.
//!
//! Every tuple looks at the board in all its symmetric views with one table, so boards that are the same but for turning and
//! mirroring have the same value, and one of them teaches all the others.

mod any;
pub mod connect;
pub(crate) mod downgrade;
mod gather;
mod memory;
pub(crate) mod named;
mod shape;
pub mod shelf;
pub(crate) mod shipped;
mod tuples;
pub mod twenty48;

use std::ops::Range;

pub use any::{AnyLookup, AnyNetwork};
pub use memory::{Floats, prefetch};
pub use shape::{Shape, ShapeError};
pub use shipped::pack;
pub use tuples::{NAMES, Tuples};

/// Finds boards in the tables of a network.
pub trait Lookup<B> {
    /// How many tables there are, and how many entries each has.
    fn tables(&self) -> &[usize];

    /// How often a board is looked up in each table.
    fn views(&self) -> usize;

    /// How many stages each table is divided into.
    fn stages(&self) -> usize {
        1
    }

    /// Calls `found` with every table of a range and the entries of the board in it, one per view.
    fn each(&self, board: B, tables: Range<usize>, found: impl FnMut(usize, &[usize]));
}

/// Tables of weights with what finds boards in them.
#[derive(Debug)]
pub struct Network<L> {
    lookup: L,
    /// The weights of all tables, one after another.
    weights: Floats<f32>,
    /// Where each table begins.
    begins: Vec<usize>,
}

impl<L> Network<L> {
    /// A network of these weights, all tables one after another.
    ///
    /// # Panics
    /// If there are not as many weights as the tables have entries.
    pub fn new<B>(lookup: L, weights: Floats<f32>) -> Self
    where
        L: Lookup<B>,
    {
        let mut begins = Vec::new();
        let mut entries = 0;
        for size in lookup.tables() {
            begins.push(entries);
            entries += size;
        }
        assert_eq!(weights.entries().len(), entries, "a weight for each entry");
        Self {
            lookup,
            weights,
            begins,
        }
    }

    /// The value of a board.
    #[inline]
    pub fn value<B>(&self, board: B) -> f32
    where
        L: Lookup<B>,
    {
        let weights = self.weights.entries();
        let mut value = 0.0;
        self.lookup
            .each(board, 0..self.begins.len(), |table, found| {
                let weights = &weights[self.begins[table]..];
                value += found.iter().map(|&entry| weights[entry]).sum::<f32>();
            });
        value
    }

    /// The weights of all tables, one after another.
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        self.weights.entries()
    }
}
