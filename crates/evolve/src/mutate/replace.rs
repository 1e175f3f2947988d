//! `replace(rate=auto)`: every gene is redrawn with this probability (random resetting).
//!
//! All legal values are equally likely, including the old one; a real gene is uniform in its range. Source: described in tetris-ga.
//! Parameter: `rate`, 0 to 1, or `auto` (the default): 1 / genes. For any genome; on real genes it jumps, where delta and gaussian
//! take steps.

use spec::{Kind, Spec, SpecError};
use streams::Stream;

use super::{Mutate, RATE, Rate};
use crate::genome::{Genome, Space};
use crate::operator::Operator;

/// Redraws some genes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Replace {
    rate: Rate,
}

impl Operator for Replace {
    const KIND: Kind = Kind {
        name: "replace",
        about: "every gene is redrawn with some probability",
        more: "All legal values are equally likely, including the old one; a real gene is uniform in its range. For any genome.",
        parameters: &[RATE],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            rate: Rate::read(spec, &RATE)?,
        })
    }
}

impl Mutate for Replace {
    fn mutate(&self, space: &Space, genome: &mut Genome, rng: &mut Stream) {
        self.rate.pick(genome.genes(), rng, |gene, rng| {
            space.replace(genome, gene, rng);
        });
    }
}
