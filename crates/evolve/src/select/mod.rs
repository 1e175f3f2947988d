//! Selections: who becomes a parent. One file each.
//!
//! A selection sees the fitness of every individual (more is better) and gives pairs of places. The same individual may be
//! both parents where its rule does not forbid it.

use streams::{Stream, below};

use crate::operator::operators;

/// Chooses parents.
pub trait Select {
    /// So many pairs of parents. `fitness` has at least one entry, and none is NaN.
    fn select(&self, fitness: &[f64], pairs: usize, rng: &mut Stream) -> Selected;

    /// Whether it says whom the children replace.
    fn names_losers(&self) -> bool {
        false
    }
}

/// Who was chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selected {
    /// Parents, two by two.
    pub pairs: Vec<[usize; 2]>,
    /// Whom the children of each pair replace, where the selection decides that; else empty.
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
        fours::Fours,
        random::Random,
    }
}

/// Pairs drawn one parent at a time, each independently.
fn independently(pairs: usize, mut parent: impl FnMut() -> usize) -> Selected {
    Selected {
        pairs: (0..pairs).map(|_| [parent(), parent()]).collect(),
        losers: Vec::new(),
    }
}

/// Places from the fittest to the least fit; of equals the lower place first.
fn fittest_first(fitness: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..fitness.len()).collect();
    places.sort_by(|&a, &b| fitness[b].total_cmp(&fitness[a]));
    places
}

/// The places of the fittest share of all, rounded and at least one; the fittest first.
fn fittest_share(fitness: &[f64], share: f64) -> Vec<usize> {
    let count = (share * fitness.len() as f64).round() as usize;
    let mut places = fittest_first(fitness);
    places.truncate(count.max(1));
    places
}

/// One of them, each equally likely.
fn any_of(places: &[usize], rng: &mut Stream) -> usize {
    places[below(rng, places.len() as u32) as usize]
}

/// Running sums of the shares of a roulette wheel. Fitness below zero counts from the least one on; if all shares are
/// zero, they are equal.
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

/// The place of the wheel at `share` (0..1) of its circumference.
fn stop_at(wheel: &[f64], share: f64) -> usize {
    let total = wheel[wheel.len() - 1];
    wheel
        .partition_point(|&sum| sum <= share * total)
        .min(wheel.len() - 1)
}
