//! `rank`: linear ranking, parents by their rank in fitness.
//!
//! P(i) = (s - 2 (s - 1) i / (n - 1)) / n for the i-th best of n, i = 0 the best; with replacement.
//! Source: Baker 1985. Parameter: `pressure` s, 1 to 2 (1.5): the probability of the best relative to the average; that of the
//! worst is 2 - s. Of equals the lower index ranks higher. Independent of the scale of fitness: use it where roulette has too little
//! selection pressure or one outlier dominates.

use spec::{Kind, Parameter, Spec, SpecError};
use streams::{Stream, unit};

use super::{Select, Selected, fittest_first, independently, stop_at, wheel};
use crate::operator::Operator;

const PRESSURE: Parameter = Parameter {
    name: "pressure",
    default: "1.5",
    help: "probability of the best relative to the average, 1 to 2",
};

/// Draws parents by their rank.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rank {
    pressure: f64,
}

impl Operator for Rank {
    const KIND: Kind = Kind {
        name: "rank",
        about: "parents by their rank in fitness",
        more: "P(i) = (s - 2 (s - 1) i / (n - 1)) / n for the i-th best of n, from 0, with pressure s (linear ranking, Baker \
               1985). Only the order counts, not the scale of fitness.",
        parameters: &[PRESSURE],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            pressure: spec.number(&PRESSURE, 1.0..=2.0)?,
        })
    }
}

impl Rank {
    /// Shares of n ranks, the best first.
    fn shares(self, n: usize) -> Vec<f64> {
        // For a single individual any divisor will do.
        let last = (n - 1).max(1) as f64;
        let slope = 2.0 * (self.pressure - 1.0) / last;
        (0..n)
            .map(|rank| self.pressure - slope * rank as f64)
            .collect()
    }
}

impl Select for Rank {
    fn select(&self, fitness: &[f64], pairs: usize, rng: &mut Stream) -> Selected {
        let places = fittest_first(fitness);
        let wheel = wheel(&self.shares(places.len()));
        independently(pairs, || places[stop_at(&wheel, unit(rng))])
    }
}
