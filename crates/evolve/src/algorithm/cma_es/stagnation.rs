//! When a search stagnates and should be restarted (Hansen 2016, appendix B.3).
//!
//! - No difference: the best scores of the last 10 + 30 n / population generations, and all of the last one, are within 1e-12.
//! - No progress: over at least 120 + 30 n / population generations, or the last fifth of all, neither the best nor the median score
//!   of a generation has improved: the median over the last 30 % of them is not above that over the first 30 %.

use serde::{Deserialize, Serialize};

use crate::median_high;

const NO_DIFFERENCE: f64 = 1e-12;

/// Scores of the generations since the last start.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Stagnation {
    /// Best and median score of every generation.
    scores: Vec<[f64; 2]>,
}

impl Stagnation {
    /// Adds a generation's best, median and worst score; returns whether to restart.
    pub(super) fn add(&mut self, best_and_median: [f64; 2], worst: f64, patience: usize) -> bool {
        self.scores.push(best_and_median);
        self.is_flat(worst, patience) || self.is_without_progress(patience)
    }

    fn is_flat(&self, worst: f64, patience: usize) -> bool {
        let Some(begin) = self.scores.len().checked_sub(patience) else {
            return false;
        };
        let bests = self.scores[begin..].iter().map(|[best, _]| *best);
        let most = bests.clone().fold(worst, f64::max);
        most - bests.fold(worst, f64::min) <= NO_DIFFERENCE
    }

    fn is_without_progress(&self, patience: usize) -> bool {
        let window = (110 + patience).max(self.scores.len() / 5);
        let Some(begin) = self.scores.len().checked_sub(window) else {
            return false;
        };
        let scores = &self.scores[begin..];
        let part = window * 3 / 10;
        (0..2)
            .all(|which| median(&scores[window - part..], which) <= median(&scores[..part], which))
    }
}

fn median(scores: &[[f64; 2]], which: usize) -> f64 {
    median_high(scores.iter().map(|both| both[which]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generations_until_restart(score: impl Fn(usize) -> f64) -> Option<usize> {
        let mut stagnation = Stagnation::default();
        (0..1000).find(|&generation| {
            let best = score(generation);
            stagnation.add([best, best - 1.0], best - 2.0, 20)
        })
    }

    #[test]
    fn noise_without_progress_leads_to_a_restart() {
        assert_eq!(
            generations_until_restart(|generation| generation as f64),
            None
        );
        let noise = |generation: usize| (generation % 7) as f64;
        assert_eq!(generations_until_restart(noise), Some(129));
    }

    #[test]
    fn a_plateau_leads_to_a_restart() {
        let mut stagnation = Stagnation::default();
        let stops = (0..100).find(|_| stagnation.add([3.0, 3.0], 3.0, 20));
        assert_eq!(stops, Some(19));
    }
}
