//! Answers from single questions: bisection of a score, the scores of all moves.

use super::answer::{Budget, Order};
use super::bounds::Between;
use super::node::Node;
use super::root::{Candidate, Root};
use super::search::{Search, Stopped};
use super::shape::Shape;

/// With a limited budget, at most this many nodes (and at most a quarter of them) go into looking for
/// short wins and losses before the whole game is searched.
const NODES_FOR_SHORT_GAMES: u64 = 200_000;

/// Hears what is known of the moves, and how many nodes were searched for it.
pub(super) type Tell<'a, S> = dyn FnMut(&[Candidate<<S as Shape>::Word>], u64) + 'a;

impl<S: Shape, const MOST: usize> Search<S, MOST> {
    /// Narrows the bounds of a node's score until they meet.
    pub(super) fn narrow(
        &mut self,
        node: &Node<S::Word>,
        between: &mut Between,
        budget: &Budget<'_>,
    ) -> Result<i32, Stopped> {
        while between.lower < between.upper {
            let target = next_target(*between);
            let found = self.at_least(node, target, budget)?;
            *between = narrowed(*between, target, found);
        }
        Ok(between.lower)
    }

    /// Narrows the bounds of every move until they meet, and tells whatever becomes known.
    pub(super) fn judge(
        &mut self,
        node: &Node<S::Word>,
        candidates: &mut [Candidate<S::Word>],
        order: Order,
        budget: &Budget<'_>,
        tell: &mut Tell<'_, S>,
    ) -> Result<(), Stopped> {
        tell(candidates, self.nodes);
        if order == Order::VerdictsFirst || budget.is_limited() {
            self.short_games_first(node, candidates, budget);
        }
        for &target in order.first_targets() {
            for place in 0..candidates.len() {
                self.reaches(&mut candidates[place], target, budget)?;
                tell(candidates, self.nodes);
            }
        }
        for place in 0..candidates.len() {
            while candidates[place].known.lower < candidates[place].known.upper {
                // The opponent's next question, asked by the player to move.
                let target = 1 - next_target(candidates[place].known.turned());
                self.reaches(&mut candidates[place], target, budget)?;
                tell(candidates, self.nodes);
            }
        }
        Ok(())
    }

    /// Is the score of a move at least `target`? Whatever is found out is noted.
    pub(super) fn reaches(
        &mut self,
        Candidate { known, after, .. }: &mut Candidate<S::Word>,
        target: i32,
        budget: &Budget<'_>,
    ) -> Result<bool, Stopped> {
        if let Root::Open(after) = after
            && (known.lower < target && target <= known.upper)
        {
            let found = -self.at_least(after, 1 - target, budget)?;
            *known = narrowed(*known, target, found);
        }
        Ok(known.lower >= target)
    }

    /// Looks for ever longer wins and losses, as far as a part of the budget goes: if the rest does
    /// not suffice for a proof, at least nothing near is overlooked.
    pub(super) fn short_games_first(
        &mut self,
        node: &Node<S::Word>,
        candidates: &mut [Candidate<S::Word>],
        budget: &Budget<'_>,
    ) {
        let part = budget.nodes.map_or(NODES_FOR_SHORT_GAMES, |most| {
            (most / 4).min(NODES_FOR_SHORT_GAMES)
        });
        // A part that runs out does not end the search: what was noted until then is what counts.
        let _ = self.ever_longer(node, candidates, &budget.at_most(self.nodes + part));
    }

    fn ever_longer(
        &mut self,
        node: &Node<S::Word>,
        candidates: &mut [Candidate<S::Word>],
        budget: &Budget<'_>,
    ) -> Result<(), Stopped> {
        for moves in 2..=self.left(node) {
            let score = self.win_in(node, moves);
            let target = if moves % 2 == 0 { 1 - score } else { score };
            let mut won = false;
            for candidate in &mut *candidates {
                won |= self.reaches(candidate, target, budget)? && target > 0;
            }
            if won {
                break;
            }
        }
        Ok(())
    }
}

/// What is known after a question about `target` was answered by `found`. Bounds never cross: a verdict
/// is asked for between narrower bounds than those of the answer.
fn narrowed(known: Between, target: i32, found: i32) -> Between {
    if found >= target {
        known.at_least(found.min(known.upper))
    } else {
        known.at_most(found.max(known.lower))
    }
}

/// The score to ask about next: half way, but rather nearer to 0. Questions about far scores are cheap
/// when the answer is no, and those about near ones split what is left more evenly.
pub(super) fn next_target(Between { lower, upper }: Between) -> i32 {
    let middle = lower + (upper - lower) / 2;
    let middle = if middle <= 0 && lower / 2 < middle {
        lower / 2
    } else if middle >= 0 && upper / 2 > middle {
        upper / 2
    } else {
        middle
    };
    middle + 1
}
