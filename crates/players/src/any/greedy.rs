//! `greedy`: the move whose position has the best value, without looking further.

use std::sync::Arc;

use games::{Game, Stream};

use crate::evaluate::{self, EVAL, Evaluate, WEIGHTS};
use crate::player::{Named, Player, PlayerFactory, Prepared, best};
use crate::tree::judge;
use spec::{Kind, Spec, SpecError};

/// Makes the players that look one move ahead.
#[derive(Debug, Clone, Copy)]
pub struct Greedy;

#[derive(Clone)]
struct OneMove<G: Game> {
    evaluation: Arc<dyn Evaluate<G>>,
}

impl<G: Game> Player<G> for OneMove<G> {
    fn choose(&mut self, game: &G, position: &G::Position, rng: &mut Stream) -> G::Move {
        best(&self.judge(game, position, rng))
    }

    fn judge(&mut self, game: &G, position: &G::Position, _: &mut Stream) -> Vec<(G::Move, f64)> {
        judge(game, position, |next| self.evaluation.value(game, next))
    }
}

impl Named for Greedy {
    const KIND: Kind = Kind {
        name: "greedy",
        about: "plays the move that leads to the best position, one move ahead",
        more: "Looks at the positions its moves lead to, before chance or the opponent act, and at nothing beyond. The first of \
               equal moves is played.",
        parameters: &[EVAL, WEIGHTS],
    };
}

impl<G: Game> PlayerFactory<G> for Greedy {
    fn prepare(game: &G, spec: &Spec) -> Result<Prepared<G>, SpecError> {
        Ok(Prepared::copies(OneMove {
            evaluation: evaluate::of_spec(game, spec)?,
        }))
    }
}
