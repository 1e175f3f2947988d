//! `greedy`: the move whose position has the best value, without looking further.

use std::sync::Arc;

use games::{Game, Stream};

use super::tree::judge;
use crate::evaluate::{self, EVAL, Evaluate, WEIGHTS};
use crate::player::{Named, Player, PlayerFactory, Prepared, best};
use spec::{Kind, Spec, SpecError};

/// The player that looks one move ahead.
#[derive(Clone)]
pub struct Greedy<G: Game> {
    evaluation: Arc<dyn Evaluate<G>>,
}

impl<G: Game> Player<G> for Greedy<G> {
    fn choose(&mut self, game: &G, position: &G::Position, rng: &mut Stream) -> G::Move {
        best(&self.judge(game, position, rng))
    }

    fn judge(&mut self, game: &G, position: &G::Position, _: &mut Stream) -> Vec<(G::Move, f64)> {
        judge(game, position, |next| self.evaluation.value(game, next))
    }
}

/// See the module.
pub(crate) struct GreedyFactory;

impl Named for GreedyFactory {
    const KIND: Kind = Kind {
        name: "greedy",
        about: "the move whose position has the best value",
        more: "Looks at the positions its moves lead to, before chance or the opponent act, and at nothing beyond. The first of \
               equal moves is played.",
        parameters: &[EVAL, WEIGHTS],
    };
}

impl<G: Game> PlayerFactory<G> for GreedyFactory {
    fn prepare(game: &G, spec: &Spec) -> Result<Prepared<G>, SpecError> {
        Ok(Prepared::copies(Greedy {
            evaluation: evaluate::of_spec(game, spec)?,
        }))
    }
}
