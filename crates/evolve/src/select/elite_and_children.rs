//! `elite-and-children(elite=0.05)`: parents come from the elite and from the children that were bred before in the same generation.
//!
//! The list begins as the e best (share x n, rounded, at least 1), the fittest first, and grows by two children a pair. P(first = i) = 1 / length;
//! the second is drawn from those before the first in the list, and is the first itself at its head. Source: the listing of tetris-ga, which
//! cuts its list to the elite before it draws parents; its text has them from the best 20 % (`at-least-as-good`). Parameter: `elite`, 0 to 1
//! (0.05). Pressure is high: everyone descends from the elite.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::{Stream, below};

use super::{Select, Selected, fittest_share};
use crate::operator::{Operator, share};

const ELITE: Parameter = Parameter {
    name: "elite",
    default: "0.05",
    help: "share of the population that the first parents come from, 0 to 1; at least one",
};

/// Draws parents from the elite and its children.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EliteAndChildren {
    elite: f64,
}

impl Operator for EliteAndChildren {
    const KIND: Kind = Kind {
        name: "elite-and-children",
        about: "parents from the elite and from the children bred before in the same generation",
        more: "As in the listing of tetris-ga: the second parent stands before the first in the list of the elite, the fittest first, \
               and the children so far. In the history such a child names the parents of its parent.",
        parameters: &[ELITE],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            elite: share(spec, &ELITE)?,
        })
    }
}

impl Select for EliteAndChildren {
    fn select(&self, fitness: &[f64], pairs: usize, rng: &mut Stream) -> Selected {
        let elite = fittest_share(fitness, self.elite);
        let place = |index: usize| {
            let child = |number| fitness.len() + number;
            elite
                .get(index)
                .copied()
                .unwrap_or_else(|| child(index - elite.len()))
        };
        let pair = |number: usize| {
            let first = below(rng, (elite.len() + 2 * number) as u32);
            let second = below(rng, first.max(1));
            [first, second].map(|index| place(index as usize))
        };
        Selected {
            pairs: (0..pairs).map(pair).collect(),
            losers: Vec::new(),
        }
    }
}
