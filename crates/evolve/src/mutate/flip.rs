//! `flip(rate=auto)`: every gene gets another value with this probability.
//!
//! All other values are equally likely; a bit is inverted, a real gene is redrawn from its range. Source: Holland 1975 (bit-flip);
//! described in tetris-ga. Parameter: `rate`, 0 to 1, or `auto` (the default): 1 / genes (Mühlenbein 1992).
//! For any genome.

use spec::{Kind, Spec, SpecError};
use streams::Stream;

use super::{Mutate, RATE, Rate};
use crate::genome::{Genome, Space};
use crate::operator::Operator;

/// Changes some genes to other values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flip {
    rate: Rate,
}

impl Operator for Flip {
    const KIND: Kind = Kind {
        name: "flip",
        about: "every gene gets another value with some probability",
        more: "All other values are equally likely; a bit is inverted, a real gene is redrawn from its range. For any genome.",
        parameters: &[RATE],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            rate: Rate::read(spec, &RATE)?,
        })
    }
}

impl Mutate for Flip {
    fn mutate(&self, space: &Space, genome: &mut Genome, rng: &mut Stream) {
        self.rate.pick(genome.genes(), rng, |gene, rng| {
            space.change(genome, gene, rng);
        });
    }
}
