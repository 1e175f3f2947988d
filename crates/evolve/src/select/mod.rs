//! Selections: how parents are chosen. One file each.
//!
//! A selection maps the fitness of every individual (more is better) to pairs of indices. Both parents may be the same individual
//! unless the selection forbids it.

use streams::{Stream, below};

use crate::operator::operators;

/// Chooses parents.
pub trait Select {
    /// Chooses this many pairs of parents. `fitness` has at least one entry, and none is NaN.
    fn select(&self, fitness: &[f64], pairs: usize, rng: &mut Stream) -> Selected;

    /// Whether it names the individuals that the children replace.
    fn names_losers(&self) -> bool {
        false
    }
}

/// The chosen individuals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selected {
    /// Pairs of parents: indices of individuals, and from their number on those of the children of the pairs before, two each.
    pub pairs: Vec<[usize; 2]>,
    /// The individuals that the children of each pair replace, if the selection names them; else empty.
    pub losers: Vec<[usize; 2]>,
}

operators! {
    "selection",
    /// Any selection.
    AnySelection: Select {
        roulette::Roulette,
        sus::Sus,
        rank::Rank,
        tournament::Tournament,
        truncation::Truncation,
        better_half::BetterHalf,
        at_least_as_good::AtLeastAsGood,
        elite_and_children::EliteAndChildren,
        best_with::BestWith,
        fours::Fours,
        random::Random,
    }
}

/// Pairs of independently drawn parents.
fn independently(pairs: usize, mut parent: impl FnMut() -> usize) -> Selected {
    Selected {
        pairs: (0..pairs).map(|_| [parent(), parent()]).collect(),
        losers: Vec::new(),
    }
}

/// Indices from the fittest to the least fit; of equals the lower index first.
fn fittest_first(fitness: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..fitness.len()).collect();
    places.sort_by(|&a, &b| fitness[b].total_cmp(&fitness[a]));
    places
}

/// Indices of the fittest share, rounded to at least one; the fittest first.
fn fittest_share(fitness: &[f64], share: f64) -> Vec<usize> {
    let count = (share * fitness.len() as f64).round() as usize;
    let mut places = fittest_first(fitness);
    places.truncate(count.max(1));
    places
}

/// A random index of the list, each equally likely.
fn any_of(places: &[usize], rng: &mut Stream) -> usize {
    places[below(rng, places.len() as u32) as usize]
}

/// Cumulative shares of a roulette wheel. If any fitness is negative, all are shifted so that the lowest is zero; if all shares
/// are zero, they become equal.
fn wheel(fitness: &[f64]) -> Vec<f64> {
    let least = fitness.iter().copied().fold(0.0, f64::min);
    let mut sum = 0.0;
    let mut sums: Vec<f64> = fitness
        .iter()
        .map(|fitness| {
            sum += fitness - least;
            sum
        })
        .collect();
    if sum <= 0.0 {
        sums = (1..=fitness.len()).map(|place| place as f64).collect();
    }
    sums
}

/// The index at `share` (0..1) of the wheel's circumference.
fn stop_at(wheel: &[f64], share: f64) -> usize {
    let total = wheel[wheel.len() - 1];
    wheel
        .partition_point(|&sum| sum <= share * total)
        .min(wheel.len() - 1)
}
