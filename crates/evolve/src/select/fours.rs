//! `fours`: four at random in two pairs; the better of each pair are parents, and their children replace the worse.
//!
//! For p pairs of parents, 4 p different individuals are drawn, each equally likely. P(i-th best of n, from 0, is the parent of
//! a given duel) = 2 (n - 1 - i) / (n (n - 1)); of equals the lower place wins. Where there are fewer than 4 p, every four are
//! drawn anew; where there are fewer than four, with replacement.
//! Source: the document on 2048 by CGP. No parameters: with the replacement `losers(selected=4)`, which asks for as many children
//! as there are losers, it is the document's rule; other replacements take the parents and disregard the losers.

use spec::{Kind, Spec, SpecError};
use streams::{Stream, below, distinct};

use super::{Select, Selected};
use crate::operator::Operator;

/// Lets four compete two by two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fours;

impl Operator for Fours {
    const KIND: Kind = Kind {
        name: "fours",
        about: "of four at random, the better of each two are parents",
        more: "The worse of each two are the losers whom the replacement 'losers' replaces by the children (the document on 2048 by \
               CGP). How many fours: losers(selected=8) takes two.",
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

/// So many fours of n, all different if possible.
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
