//! `uniform`: every gene goes one way or the other, half and half; the second child gets what the first did not.
//!
//! Source: Ackley 1987, Syswerda 1989; the document on 2048 by a genetic algorithm. For any genome.

use spec::{Kind, Spec, SpecError};
use streams::Stream;

use super::Cross;
use crate::genome::{Bits, Genome, Space};
use crate::operator::Operator;

/// Exchanges every gene with probability one half.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uniform;

impl Operator for Uniform {
    const KIND: Kind = Kind {
        name: "uniform",
        about: "every gene goes one way or the other, half and half",
        more: "Two complementary children (Ackley 1987, Syswerda 1989). For any genome.",
        parameters: &[],
    };

    fn read(_: &Spec) -> Result<Self, SpecError> {
        Ok(Self)
    }
}

impl Cross for Uniform {
    fn cross(&self, _: &Space, [a, b]: [&Genome; 2], rng: &mut Stream) -> [Genome; 2] {
        a.exchange(b, &Bits::random(a.genes(), rng))
    }
}
