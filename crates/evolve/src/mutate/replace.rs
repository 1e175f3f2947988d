//! `replace(rate=auto)`: every gene is drawn anew with this probability.
//!
//! All legal values are equally likely, the old one too; a real gene is uniform in its range. Source: the document on Tetris describes
//! it; "random resetting". Parameter: `rate`, 0 to 1, or `auto` (the default): 1 / genes. For any genome; on real genes it is a
//! leap, where delta and gaussian are steps.

use spec::{Kind, Spec, SpecError};
use streams::Stream;

use super::{Mutate, RATE, Rate};
use crate::genome::{Genome, Space};
use crate::operator::Operator;

/// Draws some genes anew.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Replace {
    rate: Rate,
}

impl Operator for Replace {
    const KIND: Kind = Kind {
        name: "replace",
        about: "every gene is drawn anew with some probability",
        more: "All legal values are equally likely, the old one too; a real gene is uniform in its range. For any genome.",
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
