//! `arithmetic(weight=random)`: the children lie on the line between their parents.
//!
//! With weight w: w a + (1 - w) b and (1 - w) a + w b, the same w for all genes. Source: Michalewicz 1992; described in tetris-ga.
//! Parameter: `weight`, 0 to 1, or `random` (the default): uniform in 0..1, drawn for every pair. A fixed 0.5 makes both children
//! equal. For real genes. The population can only contract, so combine it with a mutation.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::{Stream, unit};

use super::{Cross, gene_by_gene};
use crate::genome::{Genome, Space};
use crate::operator::{Operator, reals_only, share_or};

const WEIGHT: Parameter = Parameter {
    name: "weight",
    default: "random",
    help: "the first parent's weight in the first child, 0 to 1; random is drawn for every pair",
};

/// Mixes parents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arithmetic {
    /// None: random for every pair.
    weight: Option<f64>,
}

impl Operator for Arithmetic {
    const KIND: Kind = Kind {
        name: "arithmetic",
        about: "children on the line between their parents",
        more: "w a + (1 - w) b and (1 - w) a + w b, the same w for all genes (Michalewicz 1992). For real genes.",
        parameters: &[WEIGHT],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            weight: share_or(spec, &WEIGHT, "random")?,
        })
    }
}

impl Cross for Arithmetic {
    fn suits(&self, space: &Space) -> Result<(), String> {
        reals_only(space)
    }

    fn cross(&self, space: &Space, parents: [&Genome; 2], rng: &mut Stream) -> [Genome; 2] {
        let w = self.weight.unwrap_or_else(|| unit(rng));
        gene_by_gene(space, parents, |a, b| {
            [w * a + (1.0 - w) * b, (1.0 - w) * a + w * b]
        })
    }
}
