//! `roulette`: fitness-proportional selection, P(i) = f(i) / sum of all f.
//!
//! Source: Holland 1975; the document on 2048 by a genetic algorithm. Drawn with replacement, so the same individual may come
//! twice. Fitness below zero is counted from the least one on, so that no share is negative. It presses weakly when all are nearly
//! equal: then rank or tournament tell them apart.

use spec::{Kind, Spec, SpecError};
use streams::{Stream, unit};

use super::{Select, Selected, independently, stop_at, wheel};
use crate::operator::Operator;

/// Draws parents in proportion to their fitness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Roulette;

impl Operator for Roulette {
    const KIND: Kind = Kind {
        name: "roulette",
        about: "parents in proportion to their fitness",
        more: "P(i) = f(i) / sum of f, with replacement (Holland 1975). Fitness below zero counts from the least one on.",
        parameters: &[],
    };

    fn read(_: &Spec) -> Result<Self, SpecError> {
        Ok(Self)
    }
}

impl Select for Roulette {
    fn select(&self, fitness: &[f64], pairs: usize, rng: &mut Stream) -> Selected {
        let wheel = wheel(fitness);
        independently(pairs, || stop_at(&wheel, unit(rng)))
    }
}
