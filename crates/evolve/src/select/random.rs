//! `random`: every individual is equally likely to be a parent.
//!
//! P(i) = 1 / n, with replacement. No parameters. For algorithms whose selection pressure comes from the replacement, such as
//! `best`, and as a baseline.

use spec::{Kind, Spec, SpecError};
use streams::{Stream, below};

use super::{Select, Selected, independently};
use crate::operator::Operator;

/// Draws parents regardless of fitness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Random;

impl Operator for Random {
    const KIND: Kind = Kind {
        name: "random",
        about: "every individual is equally likely to be a parent",
        more: "With replacement. All selection pressure comes from the replacement.",
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
