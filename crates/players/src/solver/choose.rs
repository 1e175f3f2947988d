//! The move to play: first one that holds the verdict, then, as far as the budget goes, one of the best score.

use games::connect::Column;

use super::answer::Budget;
use super::bounds::Between;
use super::node::Node;
use super::root::{Candidate, Root};
use super::search::{Search, Stopped};
use super::shape::Shape;
use super::solve::next_target;

impl<S: Shape, const MOST: usize> Search<S, MOST> {
    /// The first of the moves (at least one) that keeps the score of the node, and this score. If the search
    /// is stopped, the bounds of the moves tell how far it came.
    pub(super) fn choose(
        &mut self,
        node: &Node<S::Word>,
        candidates: &mut [Candidate<S::Word>],
        budget: &Budget<'_>,
    ) -> Result<(Column, i32), Stopped> {
        let known = self.known_at_root(node);
        for candidate in &mut *candidates {
            // No move is better than the position.
            candidate.known = candidate.known.at_most(known.upper);
        }
        if budget.is_limited() {
            self.short_games_first(node, candidates, budget);
        }
        // If no move wins and none draws, all hold what there is to hold.
        let _ =
            self.one_reaches(candidates, 1, budget)? || self.one_reaches(candidates, 0, budget)?;
        let budget = match budget.refine {
            Some(nodes) => budget.at_most(self.nodes + nodes),
            None => *budget,
        };
        self.refine(candidates, known, &budget)
    }

    fn known_at_root(&self, node: &Node<S::Word>) -> Between {
        match self.root(node) {
            Root::Known(score) => Between {
                lower: score,
                upper: score,
            },
            Root::Open(node) => self.known(&node),
        }
    }

    /// Bisects the score of the node, of which something is known, by questions about its moves.
    fn refine(
        &mut self,
        candidates: &mut [Candidate<S::Word>],
        known: Between,
        budget: &Budget<'_>,
    ) -> Result<(Column, i32), Stopped> {
        let mut between = best_of(candidates).at_least(known.lower);
        while between.lower < between.upper {
            let target = next_target(between);
            self.one_reaches(candidates, target, budget)?;
            between = best_of(candidates).at_least(known.lower);
        }
        for candidate in candidates {
            if self.reaches(candidate, between.lower, budget)? {
                return Ok((candidate.column, between.lower));
            }
        }
        unreachable!("the score of a position is that of its best move")
    }

    /// Is the score of any move at least `target`? Nothing is searched if that is known of one.
    fn one_reaches(
        &mut self,
        candidates: &mut [Candidate<S::Word>],
        target: i32,
        budget: &Budget<'_>,
    ) -> Result<bool, Stopped> {
        if best_of(candidates).lower >= target {
            return Ok(true);
        }
        for candidate in candidates {
            if self.reaches(candidate, target, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// What follows from the moves for the score of their position.
fn best_of<W>(candidates: &[Candidate<W>]) -> Between {
    let widest = Between {
        lower: i32::MIN,
        upper: i32::MIN,
    };
    candidates
        .iter()
        .fold(widest, |best, Candidate { known, .. }| Between {
            lower: best.lower.max(known.lower),
            upper: best.upper.max(known.upper),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place of the best-looking of moves between these bounds.
    fn best(bounds: &[(i32, i32)]) -> Option<u8> {
        let candidates: Vec<Candidate<u64>> = (0..)
            .zip(bounds)
            .map(|(place, &(lower, upper))| Candidate {
                column: Column(place),
                known: Between { lower, upper },
                after: Root::Known(0),
            })
            .collect();
        super::super::best_looking(&candidates).map(|Column(place)| place)
    }

    #[test]
    fn what_is_held_for_certain_looks_best() {
        assert_eq!(best(&[(-5, 18), (0, 0), (-18, 18)]), Some(1), "a draw");
        assert_eq!(best(&[(0, 9), (1, 2), (-18, 18)]), Some(1), "a win");
        assert_eq!(best(&[(1, 9), (3, 3), (2, 18)]), Some(1), "the quickest");
        assert_eq!(best(&[(0, 0), (0, 3)]), Some(1), "it may even win");
    }

    #[test]
    fn a_proved_loss_looks_worst() {
        assert_eq!(best(&[(-7, -7), (-18, 3)]), Some(1));
        assert_eq!(best(&[(-7, -7), (-18, 0), (-1, -1)]), Some(1));
        assert_eq!(best(&[(-18, 0), (-18, 1)]), Some(1), "it may win");
        assert_eq!(best(&[(-7, -7), (-9, -1), (-3, -2)]), Some(2), "slowest");
        assert_eq!(best(&[(-5, 5), (-5, 5)]), Some(0), "the first of equals");
        assert_eq!(best(&[]), None);
    }
}
