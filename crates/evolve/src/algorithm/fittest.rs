//! The fittest one so far, for algorithms that keep no more.

use serde::{Deserialize, Serialize};

use crate::individual::Individual;

/// A population of one, or of none before the first generation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Fittest(Option<Individual>);

impl Fittest {
    /// The best newcomer takes its place if it is at least as good; of equal newcomers the first.
    pub(super) fn update(&mut self, newcomers: Vec<Individual>) {
        let better = |best: Individual, other: Individual| {
            if other.fitness() > best.fitness() {
                other
            } else {
                best
            }
        };
        let Some(best) = newcomers.into_iter().reduce(better) else {
            return;
        };
        if self
            .0
            .as_ref()
            .is_none_or(|old| best.fitness() >= old.fitness())
        {
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
