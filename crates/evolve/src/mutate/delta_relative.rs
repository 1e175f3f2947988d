//! `delta-relative(rate=0.02, size=0.5)`: some genes grow or shrink by a share of their value.
//!
//! x (1 + u), u uniform in -size..size. Source: the delta mutation of tetris-ga, relative to the gene. Parameters: `rate`,
//! 0 to 1 (0.02), or `auto` for 1 / genes; `size`, 0 to 1 (0.5). For real genes of different scales; a gene keeps its
//! sign, and 0 stays 0, so combine it with an operator that changes signs.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::{Stream, uniform};

use super::{Mutate, RATE, Rate};
use crate::genome::{Genome, Space};
use crate::operator::{Operator, reals_only, share};

const SOME: Parameter = Parameter {
    default: "0.02",
    ..RATE
};
const SIZE: Parameter = Parameter {
    name: "size",
    default: "0.5",
    help: "the largest step, as a share of the gene's value, 0 to 1",
};

/// Multiplies some genes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeltaRelative {
    rate: Rate,
    size: f64,
}

impl Operator for DeltaRelative {
    const KIND: Kind = Kind {
        name: "delta-relative",
        about: "some genes grow or shrink by a share of their value",
        more: "x (1 + u), u uniform in -size..size. A gene keeps its sign. For real genes.",
        parameters: &[SOME, SIZE],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            rate: Rate::read(spec, &SOME)?,
            size: share(spec, &SIZE)?,
        })
    }
}

impl Mutate for DeltaRelative {
    fn suits(&self, space: &Space) -> Result<(), String> {
        reals_only(space)
    }

    fn mutate(&self, space: &Space, genome: &mut Genome, rng: &mut Stream) {
        self.rate.move_genes(space, genome, rng, |value, _, rng| {
            value * (1.0 + uniform(rng, -self.size, self.size))
        });
    }
}
