//! Individuals: a genome, its origin, and its scores so far.

use std::borrow::Borrow;

use serde::{Deserialize, Serialize};

use crate::genome::Genome;

/// Statistics of noisy scores (Welford's running mean and variance).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Number of scores.
    pub games: u32,
    /// Their mean.
    pub mean: f64,
    squares: f64,
    /// The lowest score.
    pub min: f64,
    /// The highest score.
    pub max: f64,
}

impl Evidence {
    /// Adds a score.
    pub fn add(&mut self, score: f64) {
        if self.games == 0 {
            (self.min, self.max) = (score, score);
        }
        self.games += 1;
        let off = score - self.mean;
        self.mean += off / f64::from(self.games);
        self.squares += off * (score - self.mean);
        self.min = self.min.min(score);
        self.max = self.max.max(score);
    }

    /// Standard deviation of the scores; `None` for fewer than two.
    #[must_use]
    pub fn sd(&self) -> Option<f64> {
        (self.games > 1).then(|| (self.squares / f64::from(self.games - 1)).sqrt())
    }
}

/// How an individual was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Drawn at random, in the first population or as an immigrant.
    Random,
    /// Injected from outside: another island, or an earlier run.
    Guest,
    /// A copy of a parent, possibly mutated.
    Copied,
    /// A child of two parents.
    Crossed,
    /// Sampled from the algorithm's distribution.
    Sampled,
    /// A point of a grid.
    Listed,
}

impl Origin {
    /// Its name, as it is written to files.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Guest => "guest",
            Self::Copied => "copied",
            Self::Crossed => "crossed",
            Self::Sampled => "sampled",
            Self::Listed => "listed",
        }
    }
}

/// A genome with its origin and its scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Individual {
    /// Unique within a run.
    pub id: u64,
    /// Its genes.
    pub genome: Genome,
    /// How it was made.
    pub origin: Origin,
    /// Ids of its parents.
    pub parents: Vec<u64>,
    /// Whether it was mutated when it was made.
    pub mutated: bool,
    /// The generation in which it was made; 0 is the first.
    pub born: u32,
    /// Its scores so far.
    pub evidence: Evidence,
}

impl Individual {
    /// The mean of its scores; meaningless before the first.
    #[must_use]
    pub fn fitness(&self) -> f64 {
        self.evidence.mean
    }
}

/// The fittest of some individuals, the first of equals.
pub(crate) fn fittest<T: Borrow<Individual>>(individuals: impl Iterator<Item = T>) -> Option<T> {
    individuals.reduce(|best, other| {
        if other.borrow().fitness() > best.borrow().fitness() {
            other
        } else {
            best
        }
    })
}

/// Indices of the individuals, the fittest first; of equals the younger one first (a child is preferred to its parent, which allows
/// neutral drift), then the lower index.
pub(crate) fn ranking(individuals: &[Individual]) -> Vec<usize> {
    // One number says it all, so that no comparison is a branch.
    let mut keys: Vec<u128> = individuals
        .iter()
        .zip(0_u32..)
        .map(|(one, place)| {
            let fitness = !ascending(one.fitness());
            u128::from(fitness) << 64 | u128::from(!one.born) << 32 | u128::from(place)
        })
        .collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| key as u32 as usize).collect()
}

/// The bits of a number in the order of [`f64::total_cmp`].
fn ascending(number: f64) -> u64 {
    let bits = number.to_bits();
    let is_negative = bits >> 63 == 1;
    if is_negative { !bits } else { bits | 1 << 63 }
}
