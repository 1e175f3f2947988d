//! `one-point`: the children exchange everything from a random cut on.
//!
//! The cut is one of the n - 1 places between n genes, each equally likely; a single gene is not cut. Source: Holland 1975; used
//! in tetris-ga and connect-n. No parameters. For any genome; it keeps adjacent genes together.

use spec::{Kind, Spec, SpecError};
use streams::{Stream, below};

use super::{Cross, exchange_tails};
use crate::genome::{Genome, Space};
use crate::operator::Operator;

/// Exchanges tails.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnePoint;

impl Operator for OnePoint {
    const KIND: Kind = Kind {
        name: "one-point",
        about: "the children exchange everything from a random cut on",
        more: "All cuts between two genes are equally likely (Holland 1975). For any genome.",
        parameters: &[],
    };

    fn read(_: &Spec) -> Result<Self, SpecError> {
        Ok(Self)
    }
}

impl Cross for OnePoint {
    fn cross(&self, _: &Space, parents: [&Genome; 2], rng: &mut Stream) -> [Genome; 2] {
        let cuts = parents[0].genes().saturating_sub(1) as u32;
        if cuts == 0 {
            return parents.map(Genome::clone);
        }
        exchange_tails(parents, 1 + below(rng, cuts) as usize)
    }
}
