//! `minimax`: looks at every line of play to a fixed depth.
//!
//! As in 2048-search: the player's moves maximise, the machine's tile (always a 2) minimises, depth counts both,
//! and at depth 0 or at the end of the game the evaluation's value is taken. In a game for two the opponent
//! minimises. The first of equal moves is played.

use std::ops::ControlFlow;

use games::Game;

use crate::evaluate::{EVAL, WEIGHTS};
use crate::player::{Named, PlayerFactory, Prepared};
use crate::tree::{DEPTH, Event, Search, Side, Tree};
use spec::{Kind, Spec, SpecError};

/// The search without pruning.
pub struct Minimax;

impl<G: Game> Search<G> for Minimax {
    fn value(tree: &mut Tree<G>, game: &G, position: &G::Position, depth: u32) -> f64 {
        let Some(side) = tree.enter(game, position, depth) else {
            return tree.evaluate(game, position);
        };
        let mut best = side.worst();
        tree.each_event(game, position, |tree, _, next| {
            best = side.better(best, Self::value(tree, game, next, depth - 1));
            ControlFlow::Continue(())
        });
        best
    }

    fn best(tree: &mut Tree<G>, game: &G, position: &G::Position, depth: u32) -> G::Move {
        let side = tree.enter(game, position, depth).unwrap_or(Side::Loses);
        let mut best: Option<(G::Move, f64)> = None;
        tree.each_event(game, position, |tree, event, next| {
            let gain = side.sign() * Self::value(tree, game, next, depth - 1);
            if let Event::Move(chosen) = event
                && best.is_none_or(|(_, highest)| gain > highest)
            {
                best = Some((chosen, gain));
            }
            ControlFlow::Continue(())
        });
        best.expect("a player's turn has a move").0
    }
}

impl Named for Minimax {
    const KIND: Kind = Kind {
        name: "minimax",
        about: "looks at every line of play to a fixed depth",
        more: "The player's moves maximise the evaluation, the opponent's minimise it. Chance counts as an opponent \
               that has only its likeliest acts: in 2048 a 2 on any empty cell. The first of equal moves is played; in 2048 they \
               are tried in the order down, right, up, left.",
        parameters: &[DEPTH, EVAL, WEIGHTS],
    };
}

impl<G: Game> PlayerFactory<G> for Minimax {
    fn prepare(game: &G, spec: &Spec) -> Result<Prepared<G>, SpecError> {
        Ok(Prepared::copies(Self::player(game, spec)?))
    }
}
