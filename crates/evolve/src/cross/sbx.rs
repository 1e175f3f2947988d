//! `sbx(eta=15)`: simulated binary crossover: children are distributed as by one-point crossover of binary numbers.
//!
//! ((1 + B) a + (1 - B) b) / 2 and ((1 - B) a + (1 + B) b) / 2 with the spread B = (2 u)^(1 / (eta + 1)) for u < 1/2, else
//! (1 / (2 (1 - u)))^(1 / (eta + 1)), u uniform in 0..1; each gene is crossed with probability 1/2, else kept.
//! Source: Deb and Agrawal 1995. Parameter: `eta`, 0 to 1000 (15): the larger, the closer children are to their parents. For real
//! genes; the mean of both children is that of their parents.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::{Stream, chance, unit};

use super::{Cross, gene_by_gene};
use crate::genome::{Genome, Space};
use crate::operator::{Operator, reals_only};

const ETA: Parameter = Parameter {
    name: "eta",
    default: "15",
    help: "the larger, the closer children are to their parents, 0 to 1000",
};

/// Spreads children around their parents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sbx {
    eta: f64,
}

impl Operator for Sbx {
    const KIND: Kind = Kind {
        name: "sbx",
        about: "simulated binary crossover: each child close to one parent",
        more: "Half of the genes are spread by B around their mean, P(B < b) = b^(eta + 1) / 2 for b < 1, 1 - b^-(eta + 1) / 2 else \
               (Deb and Agrawal 1995). For real genes.",
        parameters: &[ETA],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            eta: spec.number(&ETA, 0.0..=1000.0)?,
        })
    }
}

impl Sbx {
    fn spread(self, rng: &mut Stream) -> f64 {
        let u = unit(rng);
        let base = if u < 0.5 {
            2.0 * u
        } else {
            1.0 / (2.0 * (1.0 - u))
        };
        libm::pow(base, 1.0 / (self.eta + 1.0))
    }
}

impl Cross for Sbx {
    fn suits(&self, space: &Space) -> Result<(), String> {
        reals_only(space)
    }

    fn cross(&self, space: &Space, parents: [&Genome; 2], rng: &mut Stream) -> [Genome; 2] {
        gene_by_gene(space, parents, |a, b| {
            if !chance(rng, 0.5) {
                return [a, b];
            }
            let near = 0.5 * (1.0 + self.spread(rng));
            let far = 1.0 - near;
            [near * a + far * b, far * a + near * b]
        })
    }
}
