//! Cartesian genetic programming: programs as grids of nodes (Miller and Thomson 2000).
//!
//! A grid has rows and columns of nodes, inputs and outputs. A node has a function gene and as many connection genes as the
//! largest arity, 2; a connection reaches an input, or a node in one of the `levels_back` columns to the left. Output genes name
//! any input or node. Addresses: inputs first, then nodes column by column, top to bottom. A genotype is a row of
//! integers: of every node its function and its connections, then the outputs.
//!
//! Only the nodes that outputs reach are *active*; they alone become a [`Program`] and are run. What the others hold may
//! change unseen, which is what neutral drift lives on.

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
pub use grid::{ARITY, Gene, Grid, GridError, MOST_NODES, Node, Shape};
pub use program::Program;
pub use set::{FunctionSet, FunctionSetError};
pub use value::Value;

use crate::genome::Space;

/// The grid of a space of programs; what an operator says of other spaces.
pub(crate) fn grid_of(space: &Space) -> Result<&Grid, String> {
    match space {
        Space::Program(grid) => Ok(grid),
        _ => Err("is for programs only".to_owned()),
    }
}
