//! `perfect`: plays Connect-N by the exact score, so it wins as quickly and loses as slowly as possible.

use std::sync::Arc;

use games::Stream;
use games::connect::{Bits, Column, Connect, Position};

use super::answer::{Budget, Config, Order};
use super::{Judgement, Solver};
use crate::player::{Cancelled, Interrupts, Player, Stop};

/// How much work a move may be; by default there is no limit.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Most nodes to search a move. With such a limit it may err.
    pub nodes: Option<u64>,
    /// Most nodes to search, once win, draw or loss is proved, for the quickest win or the slowest loss.
    pub refine: Option<u64>,
    /// Binary logarithm of the number of positions that the table keeps at most.
    pub table: u32,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            nodes: None,
            refine: None,
            table: Config::default().table,
        }
    }
}

/// The perfect player. Of several best moves it takes the most central.
///
/// With a limit of nodes or time it plays the best found so far when the limit is reached, and then may err. With a limit
/// of refinement it never errs, but may win later or lose sooner than necessary.
#[derive(Clone, Default)]
pub struct Perfect {
    effort: Effort,
    interrupts: Interrupts,
    solver: Option<Solver>,
}

impl Perfect {
    /// A player that works so hard.
    #[must_use]
    pub fn new(effort: Effort) -> Self {
        Self {
            effort,
            ..Self::default()
        }
    }

    /// Lets the solver for this game answer within the limits.
    fn ask<B: Bits, T>(
        &mut self,
        game: &Connect<B>,
        question: impl FnOnce(&mut Solver, &Budget<'_>) -> T,
    ) -> T {
        let Effort {
            nodes,
            refine,
            table,
        } = self.effort;
        let config = Config {
            table,
            // A proof is a proof wherever it comes from; but what is found within a limit would come
            // to depend on the moves before, and the same position must get the same answer.
            remember: nodes.is_none() && refine.is_none() && self.interrupts.limit.is_none(),
            book: true,
        };
        let solver = match self.solver.take() {
            Some(solver) if solver.rules() == game.rules() && solver.config() == config => solver,
            _ => Solver::new(game.rules(), config),
        };
        let budget = Budget {
            nodes,
            refine,
            stop: self
                .interrupts
                .limit
                .as_ref()
                .map(|stop| &**stop as &dyn Fn() -> bool),
            cancelled: self.interrupts.cancelled.as_deref(),
        };
        question(self.solver.insert(solver), &budget)
    }
}

impl std::fmt::Debug for Perfect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Perfect")
            .field("effort", &self.effort)
            .finish_non_exhaustive()
    }
}

impl<B: Bits> Player<Connect<B>> for Perfect {
    fn choose(&mut self, game: &Connect<B>, position: &Position<B>, _: &mut Stream) -> Column {
        let best = self.ask(game, |solver, budget| solver.best_move(position, budget));
        best.map_or(Column(0), |best| best.column)
    }

    /// The scores of the moves, as far as they are proved: a guess would look like a score.
    fn judge(
        &mut self,
        game: &Connect<B>,
        position: &Position<B>,
        _: &mut Stream,
    ) -> Vec<(Column, f64)> {
        let Judgement { moves, .. } = self.ask(game, |solver, budget| {
            solver.judge_moves(position, Order::ScoreByScore, budget, &mut |_, _| {})
        });
        let proved = moves
            .iter()
            .filter_map(|known| Some((known.column, f64::from(known.score()?))));
        proved.collect()
    }

    fn limit(&mut self, stop: Stop) {
        self.interrupts.limit = Some(stop);
    }

    fn cancel_when(&mut self, cancelled: &Cancelled) {
        self.interrupts.cancelled = Some(Arc::clone(cancelled));
    }
}
