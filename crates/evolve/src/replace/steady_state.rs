//! `steady-state(children=2)`: a few children a generation; each takes the place of the worst if it is at least as good.
//!
//! One after another or all together is the same: of N old ones and k children the best N live on. Source: Whitley 1989 (GENITOR), Syswerda
//! 1991; a (mu + k) strategy. Parameter: `children`, 1 to 1000000 (2). A good child is a parent at once; with `keep` as noise, lucky
//! ones stay for long.

use spec::{Kind, Parameter, Spec, SpecError};

use super::{Replace, fittest};
use crate::individual::Individual;
use crate::operator::Operator;

const CHILDREN: Parameter = Parameter {
    name: "children",
    default: "2",
    help: "children a generation, 1 to 1000000",
};

/// Children in place of the worst.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SteadyState {
    children: usize,
}

impl Operator for SteadyState {
    const KIND: Kind = Kind {
        name: "steady-state",
        about: "a few children take the places of the worst if they are at least as good",
        more: "Of N and k children the best N live on, of equals the child (Whitley 1989, Syswerda 1991). The best never gets worse.",
        parameters: &[CHILDREN],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            children: spec.number(&CHILDREN, 1..=1_000_000)?,
        })
    }
}

impl Replace for SteadyState {
    fn children(&self, _: usize) -> usize {
        self.children
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
