//! `best`: as many children as parents; the best half of both survives, so the best fitness never decreases.
//!
//! Source: 2048-ga; a (mu + mu) strategy. Of equals the child survives.

use spec::{Kind, Spec, SpecError};

use super::{Replace, fittest};
use crate::individual::Individual;
use crate::operator::Operator;

/// The best of parents and children.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best;

impl Operator for Best {
    const KIND: Kind = Kind {
        name: "best",
        about: "the best N of N parents and N children",
        more: "The best fitness never decreases. Of equals the child survives.",
        parameters: &[],
    };

    fn read(_: &Spec) -> Result<Self, SpecError> {
        Ok(Self)
    }
}

impl Replace for Best {
    fn children(&self, population: usize) -> usize {
        population
    }

    fn replace(
        &self,
        old: Vec<Individual>,
        children: Vec<Individual>,
        _: &[usize],
    ) -> Vec<Individual> {
        fittest(old, children)
    }
}
