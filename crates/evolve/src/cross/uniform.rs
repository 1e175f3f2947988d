//! `uniform`: every gene comes from either parent with equal probability; the second child gets the other one.
//!
//! Source: Ackley 1987, Syswerda 1989; used in 2048-ga. For any genome.

use rand_core::Rng;
use spec::{Kind, Spec, SpecError};
use streams::Stream;

use super::Cross;
use crate::genome::{Bits, Genome, Space};
use crate::operator::Operator;

/// Exchanges every gene with probability 1/2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uniform;

impl Operator for Uniform {
    const KIND: Kind = Kind {
        name: "uniform",
        about: "every gene from either parent with equal probability",
        more: "Two complementary children (Ackley 1987, Syswerda 1989). For any genome.",
        parameters: &[],
    };

    fn read(_: &Spec) -> Result<Self, SpecError> {
        Ok(Self)
    }
}

impl Cross for Uniform {
    fn cross(&self, _: &Space, [a, b]: [&Genome; 2], rng: &mut Stream) -> [Genome; 2] {
        match (a, b) {
            // Without a row for the mask.
            (Genome::Bits(a), Genome::Bits(b)) => {
                a.exchange_at(b, |_| rng.next_u64()).map(Genome::Bits)
            }
            _ => a.exchange(b, &Bits::random(a.genes(), rng)),
        }
    }
}
