//! `tournament(size=2)`: every parent is the fittest of a few drawn at random.
//!
//! P(i-th best of n) = ((n - i)^k - (n - i - 1)^k) / n^k for i = 0 the best, k = size; drawn with replacement; of equals
//! the one drawn first wins. Source: Brindle 1981, Goldberg and Deb 1991; described in tetris-ga. Parameter: `size`, 1 to 1000 (2): the
//! larger, the higher the selection pressure; 1 is uniform. Independent of the scale of fitness: a good first choice.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::{Stream, below};

use super::{Select, Selected, independently};
use crate::operator::Operator;

const SIZE: Parameter = Parameter {
    name: "size",
    default: "2",
    help: "individuals per tournament, 1 to 1000",
};

/// Draws a few individuals per parent and takes the fittest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tournament {
    size: u32,
}

impl Operator for Tournament {
    const KIND: Kind = Kind {
        name: "tournament",
        about: "every parent is the fittest of a few drawn at random",
        more: "Drawn with replacement; P(i-th best of n, from 0) = ((n - i)^k - (n - i - 1)^k) / n^k with size k (Goldberg and \
               Deb 1991). Only comparisons count, not the scale of fitness.",
        parameters: &[SIZE],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            size: spec.number(&SIZE, 1..=1000)?,
        })
    }
}

impl Select for Tournament {
    fn select(&self, fitness: &[f64], pairs: usize, rng: &mut Stream) -> Selected {
        let mut anyone = || below(rng, fitness.len() as u32) as usize;
        independently(pairs, || {
            let first = anyone();
            (1..self.size).fold(first, |best, _| {
                let rival = anyone();
                if fitness[rival] > fitness[best] {
                    rival
                } else {
                    best
                }
            })
        })
    }
}
