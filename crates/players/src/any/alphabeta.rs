//! `alphabeta`: the values of minimax without looking at what cannot matter (Knuth and Moore 1975).
//!
//! A line of play is left as soon as somebody has a better choice earlier on. With the same order of moves the
//! move chosen is minimax's, too: a later move replaces an earlier one only by a strictly better value.

use std::ops::ControlFlow;

use games::Game;

use crate::evaluate::{EVAL, WEIGHTS};
use crate::player::{Named, PlayerFactory, Prepared};
use crate::tree::{DEPTH, Event, Search, Side, Tree};
use spec::{Kind, Spec, SpecError};

/// The search that prunes.
pub struct AlphaBeta;

/// Values that still matter: seat 0 already has `low`, the others already have `high`.
#[derive(Debug, Clone, Copy)]
struct Window {
    low: f64,
    high: f64,
}

impl Window {
    const OPEN: Self = Self {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };

    /// A side has this value for certain.
    fn narrow(&mut self, side: Side, value: f64) {
        match side {
            Side::Gains => self.low = self.low.max(value),
            Side::Loses => self.high = self.high.min(value),
        }
    }
}

/// The exact value if it lies inside the window, else a value on the same side of it.
fn search<G: Game>(
    tree: &mut Tree<G>,
    game: &G,
    position: &G::Position,
    depth: u32,
    mut window: Window,
) -> f64 {
    let Some(side) = tree.enter(game, position, depth) else {
        return tree.evaluate(game, position);
    };
    let mut best = side.worst();
    tree.each_event(game, position, |tree, _, next| {
        best = side.better(best, search(tree, game, next, depth - 1, window));
        window.narrow(side, best);
        if window.low >= window.high {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    best
}

impl<G: Game> Search<G> for AlphaBeta {
    fn value(tree: &mut Tree<G>, game: &G, position: &G::Position, depth: u32) -> f64 {
        search(tree, game, position, depth, Window::OPEN)
    }

    fn best(tree: &mut Tree<G>, game: &G, position: &G::Position, depth: u32) -> G::Move {
        let side = tree.enter(game, position, depth).unwrap_or(Side::Loses);
        let mut window = Window::OPEN;
        let mut best = None;
        tree.each_event(game, position, |tree, event, next| {
            let value = search(tree, game, next, depth - 1, window);
            let better = match side {
                Side::Gains => value > window.low,
                Side::Loses => value < window.high,
            };
            if let Event::Move(chosen) = event
                && (better || best.is_none())
            {
                best = Some(chosen);
                window.narrow(side, value);
            }
            ControlFlow::Continue(())
        });
        best.expect("a player's turn has a move")
    }
}

impl Named for AlphaBeta {
    const KIND: Kind = Kind {
        name: "alphabeta",
        about: "plays as minimax does, in a fraction of the time",
        more: "Leaves a line of play as soon as somebody has a better choice earlier on, which changes neither the value nor \
               the move.",
        parameters: &[DEPTH, EVAL, WEIGHTS],
    };
}

impl<G: Game> PlayerFactory<G> for AlphaBeta {
    fn prepare(game: &G, spec: &Spec) -> Result<Prepared<G>, SpecError> {
        Ok(Prepared::copies(Self::player(game, spec)?))
    }
}
