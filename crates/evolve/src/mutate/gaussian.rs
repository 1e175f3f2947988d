//! `gaussian(rate=auto, sigma=0.1)`: some genes take a normally distributed step.
//!
//! x + sigma (high - low) z, z standard normal, low..high the gene's range. Source: Rechenberg 1973, Schwefel 1977. Parameters: `rate`,
//! 0 to 1, or `auto` (the default) for 1 / genes; `sigma`, 0 to 10 (0.1), as a share of the range. For real genes: mostly
//! small steps, occasionally large ones.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::{Stream, normal};

use super::{Mutate, RATE, Rate};
use crate::genome::{Genome, Space};
use crate::operator::{Operator, reals_only};

const SIGMA: Parameter = Parameter {
    name: "sigma",
    default: "0.1",
    help: "standard deviation of a step, as a share of the gene's range, 0 to 10",
};

/// Moves some genes by normally distributed steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gaussian {
    rate: Rate,
    sigma: f64,
}

impl Operator for Gaussian {
    const KIND: Kind = Kind {
        name: "gaussian",
        about: "some genes take a normally distributed step",
        more: "x + sigma (high - low) z, z standard normal (Rechenberg 1973, Schwefel 1977). For real genes.",
        parameters: &[RATE, SIGMA],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            rate: Rate::read(spec, &RATE)?,
            sigma: spec.number(&SIGMA, 0.0..=10.0)?,
        })
    }
}

impl Mutate for Gaussian {
    fn suits(&self, space: &Space) -> Result<(), String> {
        reals_only(space)
    }

    fn mutate(&self, space: &Space, genome: &mut Genome, rng: &mut Stream) {
        self.rate
            .move_genes(space, genome, rng, |value, range, rng| {
                value + self.sigma * (range.high - range.low) * normal(rng)
            });
    }
}
