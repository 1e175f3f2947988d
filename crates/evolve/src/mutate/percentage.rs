//! `percentage(share=0.01)`: a share of all genes, at least one, get other legal values.
//!
//! The genes are distinct, drawn at random from those with more than one legal value. Source: Miller and Thomson 2000; used in
//! 2048-cgp. For programs.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::{Stream, distinct};

use super::Mutate;
use crate::cgp::grid_of;
use crate::genome::{Genome, Space};
use crate::operator::{Operator, share};

const SHARE: Parameter = Parameter {
    name: "share",
    default: "0.01",
    help: "share of the genes that change, 0 to 1, rounded to at least one gene",
};

/// Changes a share of the genes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Percentage {
    share: f64,
}

impl Operator for Percentage {
    const KIND: Kind = Kind {
        name: "percentage",
        about: "a share of a program's genes change",
        more: "Miller and Thomson 2000; used in 2048-cgp. Every change is to another legal value, all equally likely. For programs.",
        parameters: &[SHARE],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        let share = share(spec, &SHARE)?;
        Ok(Self { share })
    }
}

impl Mutate for Percentage {
    fn suits(&self, space: &Space) -> Result<(), String> {
        grid_of(space).map(|_| ())
    }

    fn mutate(&self, space: &Space, genome: &mut Genome, rng: &mut Stream) {
        let grid = grid_of(space).expect("the operator suits the space");
        let free: Vec<usize> = (0..grid.genes())
            .filter(|&gene| grid.values(gene) > 1)
            .collect();
        let count = (self.share * grid.genes() as f64).round() as usize;
        for place in distinct(rng, free.len(), count.clamp(1, free.len())) {
            space.change(genome, free[place], rng);
        }
    }
}
