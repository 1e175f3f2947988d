//! `two-point`: the children exchange everything between two random cuts.
//!
//! The cuts are two distinct ones of the n - 1 places between n genes, all pairs equally likely; if there are fewer than two, it is
//! `one-point`. Source: De Jong 1975; described in tetris-ga. No parameters. For any genome; unlike `one-point` it does not always
//! separate the first gene from the last.

use spec::{Kind, Spec, SpecError};
use streams::{Stream, below};

use super::{Cross, OnePoint, exchange_tails};
use crate::genome::{Genome, Space};
use crate::operator::Operator;

/// Exchanges what lies between two cuts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoPoint;

impl Operator for TwoPoint {
    const KIND: Kind = Kind {
        name: "two-point",
        about: "the children exchange everything between two random cuts",
        more: "All pairs of distinct cuts between genes are equally likely (De Jong 1975). For any genome.",
        parameters: &[],
    };

    fn read(_: &Spec) -> Result<Self, SpecError> {
        Ok(Self)
    }
}

impl Cross for TwoPoint {
    fn cross(&self, space: &Space, parents: [&Genome; 2], rng: &mut Stream) -> [Genome; 2] {
        let cuts = parents[0].genes().saturating_sub(1) as u32;
        if cuts < 2 {
            return OnePoint.cross(space, parents, rng);
        }
        let first = below(rng, cuts);
        let second = (first + 1 + below(rng, cuts - 1)) % cuts;
        let [a, b] = exchange_tails(parents, 1 + first as usize);
        exchange_tails([&a, &b], 1 + second as usize)
    }
}
