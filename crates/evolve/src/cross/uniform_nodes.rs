//! `uniform-nodes`: every node, as a whole, comes from either parent with equal probability, and so does every output.
//!
//! The second child gets the other one. Source: 2048-cgp, for grids with several rows. For programs.

use spec::{Kind, Spec, SpecError};
use streams::Stream;

use super::Cross;
use crate::cgp::{Gene, grid_of};
use crate::genome::{Bits, Genome, Space};
use crate::operator::Operator;

/// Exchanges every node and every output with probability 1/2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UniformNodes;

impl Operator for UniformNodes {
    const KIND: Kind = Kind {
        name: "uniform-nodes",
        about: "every node of a program from either parent with equal probability",
        more: "Two complementary children; outputs are exchanged in the same way. As in 2048-cgp, for grids with several rows. For programs.",
        parameters: &[],
    };

    fn read(_: &Spec) -> Result<Self, SpecError> {
        Ok(Self)
    }
}

impl Cross for UniformNodes {
    fn suits(&self, space: &Space) -> Result<(), String> {
        grid_of(space).map(|_| ())
    }

    fn cross(&self, space: &Space, [a, b]: [&Genome; 2], rng: &mut Stream) -> [Genome; 2] {
        let grid = grid_of(space).expect("the operator suits the space");
        let coins = Bits::random((grid.nodes() + grid.outputs()) as usize, rng);
        let mask: Bits = (0..grid.genes())
            .map(|gene| match grid.gene(gene) {
                Gene::Function { node } | Gene::Connection { node, .. } => coins.get(node as usize),
                Gene::Output { output } => coins.get((grid.nodes() + output) as usize),
            })
            .collect();
        a.exchange(b, &mask)
    }
}
