//! `steady-state(children=2)`: a few children per generation; each replaces the worst individual if it is at least as good.
//!
//! Equivalently, the best N of N individuals and k children survive. Source: Whitley 1989 (GENITOR), Syswerda
//! 1991; a (mu + k) strategy. Parameter: `children`, 1 to 1000000 (2). A good child can be a parent at once; with the noise policy `keep`,
//! lucky individuals survive for long.

use spec::{Kind, Parameter, Spec, SpecError};

use super::{Replace, fittest};
use crate::individual::Individual;
use crate::operator::Operator;

const CHILDREN: Parameter = Parameter {
    name: "children",
    default: "2",
    help: "children per generation, 1 to 1000000",
};

/// Children replace the worst.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SteadyState {
    children: usize,
}

impl Operator for SteadyState {
    const KIND: Kind = Kind {
        name: "steady-state",
        about: "a few children replace the worst if they are at least as good",
        more: "The best N of N individuals and k children survive, of equals the child (Whitley 1989, Syswerda 1991). The best fitness never decreases.",
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
