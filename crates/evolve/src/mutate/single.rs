//! `single(times=1)`: random genes get other legal values, until one of the phenotype has changed.
//!
//! Source: single active gene mutation, Goldman and Punch 2013; the document on 2048 by Cartesian genetic programming, which
//! repeats it `times` times a child. The genes of inactive nodes that change on the way are what neutral drift lives on. It needs
//! no rate. An output can always name something else, so there is always a gene to be found. For programs.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::{Stream, below};

use super::Mutate;
use crate::cgp::{Active, grid_of};
use crate::genome::{Genome, Space};
use crate::operator::Operator;

const TIMES: Parameter = Parameter {
    name: "times",
    default: "1",
    help: "so many active genes are changed, one after the other; from 1 to 1000",
};

/// Changes genes until an active one has changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Single {
    times: u32,
}

impl Operator for Single {
    const KIND: Kind = Kind {
        name: "single",
        about: "random genes of a program change until an active one has changed",
        more: "Goldman and Punch 2013; from the document on 2048 by CGP. Every change is to another legal value, all equally likely. For programs.",
        parameters: &[TIMES],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        let times = spec.number(&TIMES, 1..=1000)?;
        Ok(Self { times })
    }
}

impl Mutate for Single {
    fn suits(&self, space: &Space) -> Result<(), String> {
        grid_of(space).map(|_| ())
    }

    fn mutate(&self, space: &Space, genome: &mut Genome, rng: &mut Stream) {
        (0..self.times).for_each(|_| change_active(space, genome, rng));
    }
}

fn change_active(space: &Space, genome: &mut Genome, rng: &mut Stream) {
    let grid = grid_of(space).expect("the operator suits the space");
    // What happens to inactive genes makes no node active, so this holds until the end.
    let active = Active::of(grid, genome);
    loop {
        let gene = below(rng, grid.genes() as u32) as usize;
        let last = active.has_gene(grid, genome, gene) && grid.values(gene) > 1;
        space.change(genome, gene, rng);
        if last {
            return;
        }
    }
}
