//! Individuals: a genome, where it comes from, and what is known of its worth.

use serde::{Deserialize, Serialize};

use crate::genome::Genome;

/// What observations of a noisy worth tell (Welford's running mean and variance).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Number of observations.
    pub games: u32,
    /// Their mean.
    pub mean: f64,
    squares: f64,
    /// The least of them.
    pub min: f64,
    /// The greatest of them.
    pub max: f64,
}

impl Evidence {
    /// Adds an observation.
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

    /// Standard deviation of an observation; `None` for fewer than two.
    #[must_use]
    pub fn sd(&self) -> Option<f64> {
        (self.games > 1).then(|| (self.squares / f64::from(self.games - 1)).sqrt())
    }
}

/// How an individual came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Drawn at random, at the beginning or as an immigrant.
    Random,
    /// Came from outside: another island, or an earlier run.
    Guest,
    /// A copy of a parent, maybe mutated.
    Copied,
    /// A child of two parents.
    Crossed,
    /// Drawn from a distribution that the algorithm adapts.
    Sampled,
    /// A point of a grid.
    Listed,
}

/// A genome with its history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Individual {
    /// Its number, never given twice in a run.
    pub id: u64,
    /// What it inherits.
    pub genome: Genome,
    /// How it came to be.
    pub origin: Origin,
    /// Ids of its parents.
    pub parents: Vec<u64>,
    /// Whether it was mutated when it was born.
    pub mutated: bool,
    /// The generation it was born in; 0 is the first.
    pub born: u32,
    /// What is known of its worth.
    pub evidence: Evidence,
}

impl Individual {
    /// The mean of its scores; not meaningful before there are any.
    #[must_use]
    pub fn fitness(&self) -> f64 {
        self.evidence.mean
    }
}

/// Places of the individuals, the fittest first; of equals the one that was born later first (a child is preferred to a parent, so
/// that neutral changes can drift), then the lower place.
pub(crate) fn ranking(individuals: &[Individual]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..individuals.len()).collect();
    places.sort_by(|&a, &b| {
        let (x, y) = (&individuals[a], &individuals[b]);
        y.fitness()
            .total_cmp(&x.fitness())
            .then(y.born.cmp(&x.born))
    });
    places
}
