//! `roulette`: fitness-proportional selection, P(i) = f(i) / sum of all f.
//!
//! Source: Holland 1975; used in 2048-ga. Drawn with replacement. If any fitness is negative, all are shifted so that the lowest is
//! zero. Its selection pressure is low when all are nearly equal; use rank or tournament then.

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
        more: "P(i) = f(i) / sum of f, with replacement (Holland 1975). If any fitness is negative, all are shifted so that the lowest is zero.",
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
