//! `single(times=1)`: random genes get other legal values until an active gene has changed.
//!
//! Source: single active gene mutation, Goldman and Punch 2013; 2048-cgp repeats it `times` times per child. Changes to inactive
//! genes on the way cause neutral drift. It needs no rate. An output always has another legal value, so the search for a gene always
//! ends. For programs.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::{Stream, below};

use super::Mutate;
use crate::cgp::{Active, grid_of};
use crate::genome::{Genome, Space};
use crate::operator::Operator;

const TIMES: Parameter = Parameter {
    name: "times",
    default: "1",
    help: "number of active genes that change, one after the other, 1 to 1000",
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
        more: "Goldman and Punch 2013; used in 2048-cgp. Every change is to another legal value, all equally likely. For programs.",
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
    // Changing inactive genes activates no node, so this stays valid until the end.
    let active = Active::of(grid, genome);
    let genes = grid.genes() as u32;
    loop {
        let gene = below(rng, genes) as usize;
        let legal = grid.legal(gene);
        let last = active.has_gene(grid, genome, gene) && legal.count > 1;
        let value = &mut genome.integers_mut()[gene];
        *value = legal.other(*value, rng);
        if last {
            return;
        }
    }
}
