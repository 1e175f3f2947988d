//! The objectives `kept` and `likely`: candidates are asked about positions of Connect-N whose worth the solver knows, as in studies of kind
//! `verdicts`. By `kept` their move counts, by `likely` what they think of all moves, which says more of every position.
//!
//! To solve positions takes longer than to ask about them. So all candidates are asked about the same ones in all generations, and they
//! are solved once.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex};

use evolve::{Candidate, Scores};
use games::AnyGame;
use players::Spec;

use crate::evolution::encoding::Encoding;
use crate::evolution::fitness::Objective;
use play::decisive::{Decisive, Finder, Source, kept, likely};
use play::playing::{PlayError, Workers};

/// Random moves before a position: from 8 to 30 on the usual board. With fewer, or with so few on a larger board, most of the time would go into
/// solving.
fn plies(longest_game: u32) -> RangeInclusive<u32> {
    // In the last position there is one move.
    let most = longest_game.saturating_sub(2);
    let first = longest_game.saturating_sub(34).max(8);
    let last = longest_game.saturating_sub(12).max(30);
    first.min(most)..=last.min(most)
}

/// Positions that have been found, by the seed that decides them.
#[derive(Debug, Clone, Default)]
pub struct Positions {
    found: Arc<Mutex<BTreeMap<u64, Found>>>,
}

#[derive(Debug, Default)]
struct Found {
    positions: Vec<Decisive>,
    /// The number of the next random position.
    next: u64,
}

/// What has been found can be found again: it makes no difference.
impl PartialEq for Positions {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The rules, if candidates can be asked about positions of the game.
pub(super) fn suits(game: &AnyGame) -> bool {
    longest_game(game).is_some()
}

fn longest_game(game: &AnyGame) -> Option<u32> {
    match game {
        AnyGame::Connect(game) => Some(game.rules().longest_game()),
        AnyGame::WideConnect(game) => Some(game.rules().longest_game()),
        _ => None,
    }
}

/// What candidates are asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    /// About how many positions each.
    pub each: u32,
    /// What counts in a position.
    pub objective: Objective,
}

impl Positions {
    /// Asks candidates about so many positions each, from the one on that they have not been asked about.
    pub(super) fn score(
        &self,
        encoding: &Encoding,
        candidates: &[Candidate],
        Asked { each, objective }: Asked,
        seed: u64,
        workers: &Workers,
        finished: &(dyn Fn() + Sync),
    ) -> Result<Vec<Scores>, PlayError> {
        let before = candidates.iter().map(|candidate| candidate.games_before);
        let most = before.max().unwrap_or(0) as usize + each as usize;
        self.with(encoding.game(), most, seed, workers, |positions| {
            let score = |candidate: &Candidate| {
                let first = (candidate.games_before as usize).min(positions.len());
                let last = (first + each as usize).min(positions.len());
                let spec = encoding.spec(&candidate.genome);
                let (game, positions) = (encoding.game(), &positions[first..last]);
                let scores: Vec<f64> = match objective {
                    Objective::Likely => likely(game, &spec, positions, seed, workers)?,
                    _ => {
                        let kept = kept(game, &spec, positions, seed, workers)?.into_iter();
                        kept.map(|kept| f64::from(u8::from(kept))).collect()
                    }
                };
                scores.iter().for_each(|_| finished());
                Ok(told(candidate, scores))
            };
            candidates.iter().map(score).collect()
        })
    }

    /// Of how many positions of a seed the player keeps the worth, and of how many it was asked.
    pub(crate) fn kept_by(
        &self,
        game: &AnyGame,
        player: &Spec,
        count: u64,
        seed: u64,
        workers: &Workers,
    ) -> Result<(u64, u64), PlayError> {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        self.with(game, count, seed, workers, |positions| {
            let kept = kept(game, player, positions, seed, workers)?;
            let right = kept.iter().filter(|&&kept| kept).count();
            Ok((right as u64, kept.len() as u64))
        })
    }

    /// Hands on the first positions of a seed, as many as wanted or as there are.
    fn with<T>(
        &self,
        game: &AnyGame,
        wanted: usize,
        seed: u64,
        workers: &Workers,
        then: impl FnOnce(&[Decisive]) -> Result<T, PlayError>,
    ) -> Result<T, PlayError> {
        // Not under the lock, which runs of other seeds may want meanwhile.
        let lock = || self.found.lock().expect("mutex poisoned");
        let mut found = lock().remove(&seed).unwrap_or_default();
        let result = found
            .extend(game, wanted, seed, workers)
            .and_then(|()| then(&found.positions[..wanted.min(found.positions.len())]));
        lock().insert(seed, found);
        result
    }
}

/// A board without positions to ask about leaves all candidates equal.
fn told(candidate: &Candidate, scores: Vec<f64>) -> Scores {
    Scores {
        id: candidate.id,
        scores: match scores.is_empty() {
            true => vec![0.0],
            false => scores,
        },
    }
}

impl Found {
    fn extend(
        &mut self,
        game: &AnyGame,
        wanted: usize,
        seed: u64,
        workers: &Workers,
    ) -> Result<(), PlayError> {
        if self.positions.len() >= wanted {
            return Ok(());
        }
        let plies = plies(longest_game(game).unwrap_or(0));
        let mut finder = Finder::new(game, Source { plies, seed }, self.next);
        while self.positions.len() < wanted {
            let more = finder.find(workers)?;
            if more.is_empty() {
                break;
            }
            self.positions.extend(more);
            self.next = finder.next();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_early_where_they_are_quickly_solved() {
        let of_cells = [(42, 8..=30), (56, 22..=44), (20, 8..=18), (9, 7..=7)];
        for (cells, expected) in of_cells {
            assert_eq!(plies(cells), expected, "{cells} cells");
        }
    }
}
