//! `swap-blend(swap=0.1, blend=0.1)`: the children are copies of their parents with some genes exchanged and some averaged.
//!
//! For each gene, by one draw: with probability `swap` each child has the other parent's value; with probability `blend` both have
//! the mean; else each has its own parent's. Source: tetris-ga, which describes one child; here the second is its complement, so
//! that only averaging loses genes. Parameters: `swap` and `blend`, 0 to 1 (0.1 each), together at most 1. For real genes; changes
//! little.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::{Stream, unit};

use super::{Cross, gene_by_gene};
use crate::genome::{Genome, Space};
use crate::operator::{Operator, reals_only, share};

const SWAP: Parameter = Parameter {
    name: "swap",
    default: "0.1",
    help: "probability that a gene is exchanged, 0 to 1",
};
const BLEND: Parameter = Parameter {
    name: "blend",
    default: "0.1",
    help: "probability that both children have the mean of a gene, 0 to 1; at most 1 together with swap",
};

/// Exchanges or averages some genes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SwapBlend {
    swap: f64,
    blend: f64,
}

impl Operator for SwapBlend {
    const KIND: Kind = Kind {
        name: "swap-blend",
        about: "copies of the parents, with some genes exchanged and some averaged",
        more: "Each gene is exchanged with probability swap and averaged with probability blend (tetris-ga). For real genes.",
        parameters: &[SWAP, BLEND],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        let (swap, blend) = (share(spec, &SWAP)?, share(spec, &BLEND)?);
        // Tolerates rounding: 0.9 and 0.1 are fine.
        if swap + blend > 1.0 + 1e-9 {
            let problem =
                format!("swap = {swap} and blend = {blend}: together they must be at most 1");
            let given = if spec.get(BLEND.name).is_some() {
                BLEND.name
            } else {
                SWAP.name
            };
            return Err(spec.at(given, problem));
        }
        Ok(Self { swap, blend })
    }
}

impl Cross for SwapBlend {
    fn suits(&self, space: &Space) -> Result<(), String> {
        reals_only(space)
    }

    fn cross(&self, space: &Space, parents: [&Genome; 2], rng: &mut Stream) -> [Genome; 2] {
        gene_by_gene(space, parents, |a, b| match unit(rng) {
            drawn if drawn < self.swap => [b, a],
            drawn if drawn < self.swap + self.blend => [f64::midpoint(a, b); 2],
            _ => [a, b],
        })
    }
}
