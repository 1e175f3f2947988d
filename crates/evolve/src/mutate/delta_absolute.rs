//! `delta-absolute(rate=0.02, size=0.5)`: some genes take a step of up to `size` up or down.
//!
//! x + u, u uniform in -size..size. Source: tetris-ga. Parameters: `rate`, 0 to 1 (0.02), or `auto`
//! for 1 / genes; `size`, 0 to 1000000 (0.5), in units of the genes. For real genes of the same scale.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::{Stream, uniform};

use super::{Mutate, RATE, Rate};
use crate::genome::{Genome, Space};
use crate::operator::{Operator, reals_only};

const SOME: Parameter = Parameter {
    default: "0.02",
    ..RATE
};
const SIZE: Parameter = Parameter {
    name: "size",
    default: "0.5",
    help: "the largest step, in units of the genes, 0 to 1000000",
};

/// Adds a random step to some genes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeltaAbsolute {
    rate: Rate,
    size: f64,
}

impl Operator for DeltaAbsolute {
    const KIND: Kind = Kind {
        name: "delta-absolute",
        about: "some genes take a step up or down",
        more: "x + u, u uniform in -size..size (tetris-ga). For real genes.",
        parameters: &[SOME, SIZE],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            rate: Rate::read(spec, &SOME)?,
            size: spec.number(&SIZE, 0.0..=1_000_000.0)?,
        })
    }
}

impl Mutate for DeltaAbsolute {
    fn suits(&self, space: &Space) -> Result<(), String> {
        reals_only(space)
    }

    fn mutate(&self, space: &Space, genome: &mut Genome, rng: &mut Stream) {
        self.rate.move_genes(space, genome, rng, |value, _, rng| {
            value + uniform(rng, -self.size, self.size)
        });
    }
}
