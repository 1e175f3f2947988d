//! `perfect`: plays Connect-N by the exact score, so it wins as quickly and loses as slowly as possible.

use games::Stream;
use games::connect::{Bits, Column, Connect, Position};

use super::answer::{Budget, Config};
use super::{Judgement, Solver};
use crate::player::{Player, Stop};

/// The perfect player. Of several best moves it takes the most central.
///
/// With a limit it plays the best found so far when the limit is reached, and then may err.
#[derive(Clone)]
pub struct Perfect {
    nodes: Option<u64>,
    stop: Option<Stop>,
    table: u32,
    solver: Option<Solver>,
}

impl Perfect {
    /// A player that searches at most that many nodes a move (no limit: `None`) and whose table keeps
    /// at most 2^`table` positions.
    #[must_use]
    pub fn new(nodes: Option<u64>, table: u32) -> Self {
        Self {
            nodes,
            stop: None,
            table,
            solver: None,
        }
    }

    /// Lets the solver for this game answer within the limits.
    fn ask<B: Bits, T>(
        &mut self,
        game: &Connect<B>,
        question: impl FnOnce(&mut Solver, &Budget<'_>) -> T,
    ) -> T {
        let config = Config {
            table: self.table,
            // A proof is a proof wherever it comes from; but what is found within a limit would come
            // to depend on the moves before, and the same position must get the same answer.
            remember: self.nodes.is_none() && self.stop.is_none(),
        };
        let solver = match self.solver.take() {
            Some(solver) if solver.rules() == game.rules() && solver.config() == config => solver,
            _ => Solver::new(game.rules(), config),
        };
        let budget = Budget {
            nodes: self.nodes,
            stop: self.stop.as_ref().map(|stop| &**stop as &dyn Fn() -> bool),
        };
        question(self.solver.insert(solver), &budget)
    }
}

impl Default for Perfect {
    fn default() -> Self {
        Self::new(None, Config::default().table)
    }
}

impl std::fmt::Debug for Perfect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Perfect")
            .field("nodes", &self.nodes)
            .field("table", &self.table)
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
        let Judgement { moves, .. } =
            self.ask(game, |solver, budget| solver.judge_moves(position, budget));
        let proved = moves
            .iter()
            .filter_map(|known| Some((known.column, f64::from(known.score()?))));
        proved.collect()
    }

    fn limit(&mut self, stop: Stop) {
        self.stop = Some(stop);
    }
}
