//! `fours`: four at random in two pairs; the better of each pair are parents, and their children replace the worse.
//!
//! For p pairs of parents, 4 p different individuals are drawn, each equally likely. P(i-th best of n, from 0, is the parent of
//! a given duel) = 2 (n - 1 - i) / (n (n - 1)); of equals the lower index wins. If there are fewer than 4 p, every group of
//! four is drawn independently; if there are fewer than four, with replacement. Source: 2048-cgp. No parameters: with the
//! replacement `losers(selected=4)`, which makes as many children as there are losers, it is the rule of that work; other replacements
//! use the parents and ignore the losers.

use spec::{Kind, Spec, SpecError};
use streams::{Stream, below, distinct};

use super::{Select, Selected};
use crate::operator::Operator;

/// Draws four individuals that compete in two pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fours;

impl Operator for Fours {
    const KIND: Kind = Kind {
        name: "fours",
        about: "of four at random, the better of each two are parents",
        more: "The worse of each two are the losers that the replacement 'losers' replaces by the children (2048-cgp). \
               losers(selected=8) draws two groups of four.",
        parameters: &[],
    };

    fn read(_: &Spec) -> Result<Self, SpecError> {
        Ok(Self)
    }
}

impl Select for Fours {
    fn select(&self, fitness: &[f64], pairs: usize, rng: &mut Stream) -> Selected {
        let drawn = draw(fitness.len(), pairs, rng);
        let (fours, _) = drawn.as_chunks::<4>();
        let (pairs, losers) = fours
            .iter()
            .map(|&[a, b, c, d]| {
                let [winner, loser] = duel(fitness, a, b);
                let [other_winner, other_loser] = duel(fitness, c, d);
                ([winner, other_winner], [loser, other_loser])
            })
            .unzip();
        Selected { pairs, losers }
    }

    fn names_losers(&self) -> bool {
        true
    }
}

/// Groups of four out of n, all distinct if possible.
fn draw(n: usize, fours: usize, rng: &mut Stream) -> Vec<usize> {
    if 4 * fours <= n {
        distinct(rng, n, 4 * fours)
    } else if n >= 4 {
        (0..fours).flat_map(|_| distinct(rng, n, 4)).collect()
    } else {
        (0..4 * fours)
            .map(|_| below(rng, n as u32) as usize)
            .collect()
    }
}

/// The winner, then the loser.
fn duel(fitness: &[f64], a: usize, b: usize) -> [usize; 2] {
    let (first, second) = (a.min(b), a.max(b));
    if fitness[first] >= fitness[second] {
        [first, second]
    } else {
        [second, first]
    }
}
