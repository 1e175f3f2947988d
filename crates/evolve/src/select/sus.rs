//! `sus`: stochastic universal sampling, one spin of the roulette wheel for all parents.
//!
//! P(i) = f(i) / sum of f as in roulette, but with equally spaced pointers: with N parents, an individual with expectation
//! e = N P(i) is chosen floor(e) or ceil(e) times. The parents are then shuffled into pairs. Source: Baker 1987; described in
//! tetris-ga. No parameters. Like roulette, with less variance.

use spec::{Kind, Spec, SpecError};
use streams::{Stream, shuffle, unit};

use super::{Select, Selected, independently, stop_at, wheel};
use crate::operator::Operator;

/// Draws all parents with one spin of the wheel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sus;

impl Operator for Sus {
    const KIND: Kind = Kind {
        name: "sus",
        about: "stochastic universal sampling: roulette with equally spaced pointers",
        more: "One spin gives all parents, so every individual gets its expected share rounded up or down (Baker 1987). If any \
               fitness is negative, all are shifted so that the lowest is zero.",
        parameters: &[],
    };

    fn read(_: &Spec) -> Result<Self, SpecError> {
        Ok(Self)
    }
}

impl Select for Sus {
    fn select(&self, fitness: &[f64], pairs: usize, rng: &mut Stream) -> Selected {
        let wheel = wheel(fitness);
        let pointers = 2 * pairs;
        let spin = unit(rng);
        let mut parents: Vec<usize> = (0..pointers)
            .map(|pointer| stop_at(&wheel, (pointer as f64 + spin) / pointers as f64))
            .collect();
        shuffle(rng, &mut parents);
        let mut parents = parents.into_iter();
        independently(pairs, || parents.next().expect("two per pair"))
    }
}
