//! `best`: as many children as parents, and of both together the best half lives on; the best never gets worse.
//!
//! Source: the document on 2048 by a genetic algorithm ("of the 2N, the best N live on"); a (mu + mu) strategy. Of equals the child.

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
        about: "of N parents and N children the best N",
        more: "The best never gets worse. Of equals the child lives on.",
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
