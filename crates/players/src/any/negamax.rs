//! `negamax`: alpha-beta that tries the moves that look best first.
//!
//! One rule for both sides, value = max of -value of what follows (Knuth and Moore 1975). Before a position's
//! successors are searched they are sorted by their static evaluation, so that good moves come early and more is
//! pruned. The value is minimax's; of equal moves another one may be played.

use std::ops::ControlFlow;

use games::Game;

use crate::evaluate::{EVAL, WEIGHTS};
use crate::player::{Named, PlayerFactory, Prepared};
use crate::tree::{DEPTH, Event, Search, Side, Tree};
use spec::{Kind, Spec, SpecError};

/// The search that orders moves and prunes.
pub struct Negamax;

/// What a search is about: how deep, for whom, and between which values it matters.
#[derive(Clone, Copy)]
struct Task {
    depth: u32,
    side: Side,
    low: f64,
    high: f64,
}

/// The value for the task's side, which is to act; exact inside the window, else a bound on the same side of it.
fn search<G: Game>(tree: &mut Tree<G>, game: &G, position: &G::Position, task: Task) -> f64 {
    let Task { side, high, .. } = task;
    if tree.enter(game, position, task.depth).is_none() {
        return side.sign() * tree.evaluate(game, position);
    }
    let mut best = f64::NEG_INFINITY;
    each_successor(tree, game, position, task, |tree, _, next| {
        let low = task.low.max(best);
        best = best.max(after_move(tree, game, next, Task { low, ..task }));
        if best >= high {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    best
}

/// The value of a position for the task's side, which has just acted. The same side may be to act again: in
/// Tetris chance draws more than once at the start.
fn after_move<G: Game>(tree: &mut Tree<G>, game: &G, next: &G::Position, task: Task) -> f64 {
    let depth = task.depth - 1;
    match tree.enter(game, next, depth) {
        None => task.side.sign() * tree.evaluate(game, next),
        Some(side) if side == task.side => search(tree, game, next, Task { depth, ..task }),
        Some(side) => {
            let (low, high) = (-task.high, -task.low);
            let task = Task {
                depth,
                side,
                low,
                high,
            };
            -search(tree, game, next, task)
        }
    }
}

/// Best-looking first; only worth its cost where something is searched below.
fn each_successor<G: Game>(
    tree: &mut Tree<G>,
    game: &G,
    position: &G::Position,
    task: Task,
    each: impl FnMut(&mut Tree<G>, Event<G>, &G::Position) -> ControlFlow<()>,
) {
    if task.depth > 1 {
        tree.each_event_best_first(game, position, task.side, each);
    } else {
        tree.each_event(game, position, each);
    }
}

/// The search of a position with any value.
fn whole<G: Game>(tree: &mut Tree<G>, game: &G, position: &G::Position, depth: u32) -> Task {
    Task {
        depth,
        side: tree.enter(game, position, 1).unwrap_or(Side::Gains),
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    }
}

impl<G: Game> Search<G> for Negamax {
    fn value(tree: &mut Tree<G>, game: &G, position: &G::Position, depth: u32) -> f64 {
        let task = whole(tree, game, position, depth);
        task.side.sign() * search(tree, game, position, task)
    }

    fn best(tree: &mut Tree<G>, game: &G, position: &G::Position, depth: u32) -> G::Move {
        let task = whole(tree, game, position, depth);
        let mut best: Option<(G::Move, f64)> = None;
        each_successor(tree, game, position, task, |tree, event, next| {
            let low = best.map_or(f64::NEG_INFINITY, |(_, value)| value);
            let value = after_move(tree, game, next, Task { low, ..task });
            if let Event::Move(chosen) = event
                && (best.is_none() || value > low)
            {
                best = Some((chosen, value));
            }
            ControlFlow::Continue(())
        });
        best.expect("a player's turn has a move").0
    }
}

impl Named for Negamax {
    const KIND: Kind = Kind {
        name: "negamax",
        about: "alpha-beta that tries the moves that look best first",
        more: "Successors are sorted by their static evaluation before they are searched. The value is minimax's; of equal moves \
               another one may be played.",
        parameters: &[DEPTH, EVAL, WEIGHTS],
    };
}

impl<G: Game> PlayerFactory<G> for Negamax {
    fn prepare(game: &G, spec: &Spec) -> Result<Prepared<G>, SpecError> {
        Ok(Prepared::copies(Self::player(game, spec)?))
    }
}
