//! The fittest individual so far, for algorithms that keep no others.

use serde::{Deserialize, Serialize};

use crate::individual::{Individual, fittest};

/// A population of one, or of none before the first generation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Fittest(Option<Individual>);

impl Fittest {
    /// Replaces it by the best of `offspring` if that is at least as good; the first of equals.
    pub(super) fn update(&mut self, offspring: Vec<Individual>) {
        let old = self
            .0
            .as_ref()
            .map_or(f64::NEG_INFINITY, Individual::fitness);
        if let Some(best) = fittest(offspring.into_iter()).filter(|best| best.fitness() >= old) {
            self.0 = Some(best);
        }
    }

    pub(super) fn as_slice(&self) -> &[Individual] {
        self.0.as_slice()
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [Individual] {
        self.0.as_mut_slice()
    }
}
