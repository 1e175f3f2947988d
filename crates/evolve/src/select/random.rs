//! `random`: everybody is equally likely to be a parent.
//!
//! P(i) = 1 / n, with replacement. No parameters. For algorithms that press by replacement alone, as `best` does, and for
//! showing what a selection is worth.

use spec::{Kind, Spec, SpecError};
use streams::{Stream, below};

use super::{Select, Selected, independently};
use crate::operator::Operator;

/// Draws parents without looking at their fitness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Random;

impl Operator for Random {
    const KIND: Kind = Kind {
        name: "random",
        about: "everybody is equally likely to be a parent",
        more: "With replacement. All pressure is left to the replacement.",
        parameters: &[],
    };

    fn read(_: &Spec) -> Result<Self, SpecError> {
        Ok(Self)
    }
}

impl Select for Random {
    fn select(&self, fitness: &[f64], pairs: usize, rng: &mut Stream) -> Selected {
        independently(pairs, || below(rng, fitness.len() as u32) as usize)
    }
}
