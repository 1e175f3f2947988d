//! `blend(alpha=0.5)`: every gene is drawn from its parents' interval, widened on both sides (BLX-alpha).
//!
//! Uniform in min(a, b) - alpha d .. max(a, b) + alpha d with d = |a - b|; both children are drawn independently.
//! Source: Eshelman and Schaffer 1993. Parameter: `alpha`, 0 to 10 (0.5). For real genes. With 0.5 children fall outside
//! their parents' interval as often as inside, so the population does not contract by itself.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::{Stream, uniform};

use super::{Cross, gene_by_gene};
use crate::genome::{Genome, Space};
use crate::operator::{Operator, reals_only};

const ALPHA: Parameter = Parameter {
    name: "alpha",
    default: "0.5",
    help: "how far the interval is widened on each side, as a multiple of its length, 0 to 10",
};

/// Draws children around their parents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blend {
    alpha: f64,
}

impl Operator for Blend {
    const KIND: Kind = Kind {
        name: "blend",
        about: "every gene drawn from its parents' interval, widened",
        more: "Uniform in min(a, b) - alpha d .. max(a, b) + alpha d, d = |a - b| (BLX-alpha, Eshelman and Schaffer 1993). For \
               real genes.",
        parameters: &[ALPHA],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            alpha: spec.number(&ALPHA, 0.0..=10.0)?,
        })
    }
}

impl Cross for Blend {
    fn suits(&self, space: &Space) -> Result<(), String> {
        reals_only(space)
    }

    fn cross(&self, space: &Space, parents: [&Genome; 2], rng: &mut Stream) -> [Genome; 2] {
        gene_by_gene(space, parents, |a, b| {
            let beyond = self.alpha * (a - b).abs();
            let (low, high) = (a.min(b) - beyond, a.max(b) + beyond);
            [uniform(rng, low, high), uniform(rng, low, high)]
        })
    }
}
