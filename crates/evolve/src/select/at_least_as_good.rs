//! `at-least-as-good(share=0.2)`: the first parent at random from the best share, the second at random among those that are
//! at least as good as the first.
//!
//! P(first = i) = 1 / m for the m = share x n best (rounded, at least 1); P(second = j | i) = 1 / (number of those m with
//! f >= f(i)), so the second may be the first itself. Source: tetris-ga. Parameter: `share`, 0 to 1 (0.2). Its selection pressure is
//! higher than that of truncation with the same share.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::Stream;

use super::{Select, Selected, any_of, fittest_share};
use crate::operator::{Operator, share};

const SHARE: Parameter = Parameter {
    name: "share",
    default: "0.2",
    help: "share of the population that may be parents, 0 to 1; at least one",
};

/// Draws a parent and one at least as good.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AtLeastAsGood {
    share: f64,
}

impl Operator for AtLeastAsGood {
    const KIND: Kind = Kind {
        name: "at-least-as-good",
        about: "a parent at random from the best share, and one at least as good",
        more: "The second parent is drawn from those of the best share that are not worse than the first, which may be the \
               first itself (tetris-ga).",
        parameters: &[SHARE],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            share: share(spec, &SHARE)?,
        })
    }
}

impl Select for AtLeastAsGood {
    fn select(&self, fitness: &[f64], pairs: usize, rng: &mut Stream) -> Selected {
        let best = fittest_share(fitness, self.share);
        let pair = |_| {
            let first = any_of(&best, rng);
            let as_good = best.partition_point(|&other| fitness[other] >= fitness[first]);
            [first, any_of(&best[..as_good], rng)]
        };
        Selected {
            pairs: (0..pairs).map(pair).collect(),
            losers: Vec::new(),
        }
    }
}
