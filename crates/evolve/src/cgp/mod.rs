//! Cartesian genetic programming: programs as grids of nodes (Miller and Thomson 2000).
//!
//! A grid has rows and columns of nodes, inputs and outputs. A node has a function gene and two connection genes, the largest
//! arity; a connection leads to an input, or to a node in one of the `levels_back` columns to the left. Output genes refer to any
//! input or node. Addresses: inputs first, then nodes column by column, top to bottom. A genotype is a list of
//! integers: function and connections of every node, then the outputs.
//!
//! In a cyclic program a connection may also lead to its own node, its column or further right ([`Shape::passes`]).
//!
//! Only nodes that are reachable from outputs are *active*; only they become part of a [`Program`] and are run. The others may
//! change without effect, which allows neutral drift.

mod active;
pub mod benchmarks;
mod dot;
mod formula;
mod function;
mod genotype;
mod grid;
mod program;
mod set;
mod value;

pub use active::Active;
pub use dot::dot;
pub use formula::{Formula, Names, formulas};
pub use function::{Arithmetic, Function, FunctionKind, Logic, Notation};
pub use genotype::GenotypeError;
pub use grid::{ARITY, FirstOutputs, Gene, Grid, GridError, MOST_NODES, MOST_PASSES, Node, Shape};
pub use program::Program;
pub use set::{FunctionSet, FunctionSetError};
pub use value::Value;

use crate::genome::Space;

/// The grid of a space of programs; an error for other spaces.
pub(crate) fn grid_of(space: &Space) -> Result<&Grid, String> {
    match space {
        Space::Program(grid) => Ok(grid),
        _ => Err("works on programs only".to_owned()),
    }
}
