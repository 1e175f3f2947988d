//! `truncation(share=0.5)`: both parents at random from the best share.
//!
//! P(i) = 1 / m for the m = share x n best (rounded, at least 1), with replacement; 0 for the others.
//! Source: Mühlenbein and Schlierkamp-Voosen 1993; described in tetris-ga and 2048-cgp. Parameter: `share`, 0 to 1 (0.5). Of equals
//! at the cut the lower index is taken. For high, even selection pressure.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::Stream;

use super::{Select, Selected, any_of, fittest_share, independently};
use crate::operator::{Operator, share};

const SHARE: Parameter = Parameter {
    name: "share",
    default: "0.5",
    help: "share of the population that may be parents, 0 to 1; at least one",
};

/// Draws parents from the best share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Truncation {
    share: f64,
}

impl Operator for Truncation {
    const KIND: Kind = Kind {
        name: "truncation",
        about: "both parents at random from the best share",
        more: "All of the best share are equally likely, with replacement; the others are never parents (Mühlenbein and \
               Schlierkamp-Voosen 1993).",
        parameters: &[SHARE],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            share: share(spec, &SHARE)?,
        })
    }
}

impl Select for Truncation {
    fn select(&self, fitness: &[f64], pairs: usize, rng: &mut Stream) -> Selected {
        let best = fittest_share(fitness, self.share);
        independently(pairs, || any_of(&best, rng))
    }
}
