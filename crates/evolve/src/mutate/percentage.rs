//! `percentage(share=0.01)`: a share of all genes get other legal values, at least one gene.
//!
//! The genes are different ones, drawn at random from those that can be more than one thing. Source: Miller and Thomson 2000; the
//! document on 2048 by Cartesian genetic programming. For programs.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::{Stream, distinct};

use super::Mutate;
use crate::cgp::grid_of;
use crate::genome::{Genome, Space};
use crate::operator::{Operator, share};

const SHARE: Parameter = Parameter {
    name: "share",
    default: "0.01",
    help: "how many of all genes are changed, rounded, but at least one gene; from 0 to 1",
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
        more: "Miller and Thomson 2000; from the document on 2048 by CGP. Every change is to another legal value, all equally likely. For programs.",
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
