//! `better-half`: both parents at random from the better half.
//!
//! P(i) = 1 / m for the m = n / 2 best (rounded up), with replacement; 0 for the others. Source: "selection 1" of connect-n.
//! No parameters: it is `truncation(share=0.5)` under the name of the original, for studies that reproduce it.

use spec::{Kind, Spec, SpecError};
use streams::Stream;

use super::{Select, Selected, any_of, fittest_share, independently};
use crate::operator::Operator;

/// Draws parents from the better half.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BetterHalf;

impl Operator for BetterHalf {
    const KIND: Kind = Kind {
        name: "better-half",
        about: "both parents at random from the better half",
        more: "The first selection of connect-n; the same as truncation(share=0.5).",
        parameters: &[],
    };

    fn read(_: &Spec) -> Result<Self, SpecError> {
        Ok(Self)
    }
}

impl Select for BetterHalf {
    fn select(&self, fitness: &[f64], pairs: usize, rng: &mut Stream) -> Selected {
        let half = fittest_share(fitness, 0.5);
        independently(pairs, || any_of(&half, rng))
    }
}
