//! `polynomial(rate=auto, eta=20)`: some genes take a polynomially distributed step.
//!
//! x + d (high - low) with d = (2 u)^(1 / (eta + 1)) - 1 for u < 1/2, else 1 - (2 (1 - u))^(1 / (eta + 1)), u uniform in 0..1, so that d
//! has the density (eta + 1) (1 - |d|)^eta / 2 on -1..1. Source: Deb and Goyal 1996. Parameters: `rate`, 0 to 1, or `auto` (the
//! default) for 1 / genes; `eta`, 0 to 1000 (20): the larger, the smaller the steps. For real genes; usually combined with `sbx`.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::{Stream, unit};

use super::{Mutate, RATE, Rate};
use crate::genome::{Genome, Space};
use crate::operator::{Operator, reals_only};

const ETA: Parameter = Parameter {
    name: "eta",
    default: "20",
    help: "the larger, the smaller the steps, 0 to 1000",
};

/// Moves some genes by polynomially distributed steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polynomial {
    rate: Rate,
    eta: f64,
}

impl Operator for Polynomial {
    const KIND: Kind = Kind {
        name: "polynomial",
        about: "some genes take a polynomially distributed step, mostly small, at most the width of the range",
        more: "x + d (high - low), d of density (eta + 1) (1 - |d|)^eta / 2 on -1..1 (Deb and Goyal 1996). For real genes.",
        parameters: &[RATE, ETA],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            rate: Rate::read(spec, &RATE)?,
            eta: spec.number(&ETA, 0.0..=1000.0)?,
        })
    }
}

impl Polynomial {
    /// A step as a share of the range.
    fn step(self, rng: &mut Stream) -> f64 {
        let root = |base: f64| libm::pow(base, 1.0 / (self.eta + 1.0));
        let u = unit(rng);
        if u < 0.5 {
            root(2.0 * u) - 1.0
        } else {
            1.0 - root(2.0 * (1.0 - u))
        }
    }
}

impl Mutate for Polynomial {
    fn suits(&self, space: &Space) -> Result<(), String> {
        reals_only(space)
    }

    fn mutate(&self, space: &Space, genome: &mut Genome, rng: &mut Stream) {
        self.rate
            .move_genes(space, genome, rng, |value, range, rng| {
                value + self.step(rng) * (range.high - range.low)
            });
    }
}
