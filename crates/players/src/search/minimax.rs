//! `minimax`: looks at every line of play to a fixed depth.
//!
//! As in the document on 2048 by search: the player's moves maximise, the machine's tile (always a 2)
//! minimises, depth counts both, and at depth 0 or at the end of the game the evaluation's value is taken.
//! In a game for two the opponent minimises. The first of equal moves is played.

use games::{Game, Stream};

use super::tree::{DEPTH, Event, Search, Side, Tree, after, judge};
use crate::evaluate::{EVAL, WEIGHTS};
use crate::player::{Named, Player, PlayerFactory, Prepared, Stop};
use spec::{Kind, Spec, SpecError};

/// The player that searches without pruning.
#[derive(Clone)]
pub struct Minimax<G: Game> {
    tree: Tree<G>,
}

impl<G: Game> Minimax<G> {
    /// The minimax player of a spec with `depth`, `eval` and `weights`.
    pub fn new(game: &G, spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            tree: Tree::new(game, spec)?,
        })
    }

    /// The value of a position to this depth.
    pub fn value(&mut self, game: &G, position: &G::Position, depth: u32) -> f64 {
        let Some(side) = self.tree.enter(game, position, depth) else {
            return self.tree.value(game, position);
        };
        let events = self.tree.events(game, position);
        let values = events
            .into_iter()
            .map(|event| self.value(game, &after(game, position, event), depth - 1));
        match side {
            Side::Gains => values.fold(f64::NEG_INFINITY, f64::max),
            Side::Loses => values.fold(f64::INFINITY, f64::min),
        }
    }

    /// The best move to this depth.
    fn best(&mut self, game: &G, position: &G::Position, depth: u32) -> G::Move {
        let side = self.tree.enter(game, position, depth);
        let mut best: Option<(G::Move, f64)> = None;
        for event in self.tree.events(game, position) {
            let value = self.value(game, &after(game, position, event), depth - 1);
            let gain = if side == Some(Side::Gains) {
                value
            } else {
                -value
            };
            if let Event::Move(chosen) = event
                && best.is_none_or(|(_, highest)| gain > highest)
            {
                best = Some((chosen, gain));
            }
        }
        best.expect("a player's turn has a move").0
    }
}

impl<G: Game> Search<G> for Minimax<G> {
    fn tree(&mut self) -> &mut Tree<G> {
        &mut self.tree
    }
}

impl<G: Game> Player<G> for Minimax<G> {
    fn choose(&mut self, game: &G, position: &G::Position, _: &mut Stream) -> G::Move {
        self.deepen(|search, depth| search.best(game, position, depth))
    }

    fn judge(&mut self, game: &G, position: &G::Position, _: &mut Stream) -> Vec<(G::Move, f64)> {
        self.deepen(|search, depth| {
            judge(game, position, |next| search.value(game, next, depth - 1))
        })
    }

    fn limit(&mut self, stop: Stop) {
        self.tree.limit(stop);
    }

    fn nodes(&self) -> Option<u64> {
        Some(self.tree.nodes)
    }
}

/// See the module.
pub(crate) struct MinimaxFactory;

impl Named for MinimaxFactory {
    const KIND: Kind = Kind {
        name: "minimax",
        about: "looks at every line of play to a fixed depth",
        more: "The player's moves maximise the evaluation, the opponent's minimise it. Chance counts as an opponent \
               that has only its likeliest acts: in 2048 a 2 on any empty cell. The first of equal moves is played; in 2048 they \
               are tried in the order down, right, up, left.",
        parameters: &[DEPTH, EVAL, WEIGHTS],
    };
}

impl<G: Game> PlayerFactory<G> for MinimaxFactory {
    fn prepare(game: &G, spec: &Spec) -> Result<Prepared<G>, SpecError> {
        Ok(Prepared::copies(Minimax::new(game, spec)?))
    }
}
