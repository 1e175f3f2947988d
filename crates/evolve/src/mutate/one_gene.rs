//! `one-gene`: one random gene gets another value, all equally likely.
//!
//! Source: 2048-ga. For any genome; a real gene is redrawn from its range.

use spec::{Kind, Spec, SpecError};
use streams::{Stream, below};

use super::Mutate;
use crate::genome::{Genome, Space};
use crate::operator::Operator;

/// Changes one gene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneGene;

impl Operator for OneGene {
    const KIND: Kind = Kind {
        name: "one-gene",
        about: "one random gene gets another value",
        more: "All other values are equally likely; a real gene is redrawn from its range. For any genome.",
        parameters: &[],
    };

    fn read(_: &Spec) -> Result<Self, SpecError> {
        Ok(Self)
    }
}

impl Mutate for OneGene {
    fn mutate(&self, space: &Space, genome: &mut Genome, rng: &mut Stream) {
        let gene = below(rng, genome.genes() as u32) as usize;
        space.change(genome, gene, rng);
    }
}
