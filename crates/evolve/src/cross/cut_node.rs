//! `cut-node`: both parents are cut before the same node, and the tails are exchanged, outputs included.
//!
//! The head has at least one node, the tail at least the outputs; all cuts are equally likely. Source: 2048-cgp, for grids with
//! one row. For programs.

use spec::{Kind, Spec, SpecError};
use streams::{Stream, below};

use super::{Cross, exchange_tails};
use crate::cgp::grid_of;
use crate::genome::{Genome, Space};
use crate::operator::Operator;

/// Exchanges everything from one node on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CutNode;

impl Operator for CutNode {
    const KIND: Kind = Kind {
        name: "cut-node",
        about: "programs are cut at one node and exchange their tails",
        more: "The outputs belong to the tails. As in 2048-cgp, for grids with one row. For programs.",
        parameters: &[],
    };

    fn read(_: &Spec) -> Result<Self, SpecError> {
        Ok(Self)
    }
}

impl Cross for CutNode {
    fn suits(&self, space: &Space) -> Result<(), String> {
        grid_of(space).map(|_| ())
    }

    fn cross(&self, space: &Space, parents: [&Genome; 2], rng: &mut Stream) -> [Genome; 2] {
        let grid = grid_of(space).expect("the operator suits the space");
        let last_of_head = below(rng, grid.nodes());
        exchange_tails(parents, grid.genes_of(last_of_head).end)
    }
}
