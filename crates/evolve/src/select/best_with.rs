//! `best-with(other=worst)`: the best are crossed with the worst, or with those of the middle.
//!
//! Of the individuals sorted by fitness, pair k (from 0) is the k-th best with the k-th worst, or with the k-th from the middle (place
//! n / 2) on; after n / 2 pairs it begins again. Nothing is drawn; of equals the lower index ranks higher. Source: named in 2048-cgp, which
//! did not try them. Parameter: `other`, worst or middle (worst). With few pairs, as in `steady-state`, the best always breed; with as
//! many as a generation needs, everybody does.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::Stream;

use super::{Select, Selected, fittest_first};
use crate::operator::Operator;

const OTHER: Parameter = Parameter {
    name: "other",
    default: "worst",
    help: "whom the best are crossed with: worst or middle",
};

/// Crosses the best with others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BestWith {
    other: Other,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Other {
    Worst,
    Middle,
}

impl Operator for BestWith {
    const KIND: Kind = Kind {
        name: "best-with",
        about: "the best with the worst, or with those of the middle",
        more: "Pair k of the sorted population is the k-th best with the k-th worst, or with the k-th from the middle on. Nothing is drawn. \
               Named in 2048-cgp; for replacements with few children, such as steady-state.",
        parameters: &[OTHER],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        let others = [("worst", Other::Worst), ("middle", Other::Middle)];
        Ok(Self {
            other: spec.choice(&OTHER, &others)?,
        })
    }
}

impl Select for BestWith {
    fn select(&self, fitness: &[f64], pairs: usize, _: &mut Stream) -> Selected {
        let places = fittest_first(fitness);
        let middle = places.len() / 2;
        let pair = |pair: usize| {
            let best = pair % middle.max(1);
            let other = match self.other {
                Other::Worst => places.len() - 1 - best,
                Other::Middle => middle + best,
            };
            [places[best], places[other]]
        };
        Selected {
            pairs: (0..pairs).map(pair).collect(),
            losers: Vec::new(),
        }
    }
}
