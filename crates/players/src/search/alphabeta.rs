//! `alphabeta`: the values of minimax without looking at what cannot matter (Knuth and Moore 1975).
//!
//! A line of play is left as soon as somebody has a better choice earlier on. With the same order of moves the
//! move chosen is minimax's, too: a later move replaces an earlier one only by a strictly better value.

use games::{Game, Stream};

use super::tree::{DEPTH, Event, Search, Side, Tree, after, judge};
use crate::evaluate::{EVAL, WEIGHTS};
use crate::player::{Named, Player, PlayerFactory, Prepared, Stop};
use spec::{Kind, Spec, SpecError};

/// The player that prunes.
#[derive(Clone)]
pub struct AlphaBeta<G: Game> {
    tree: Tree<G>,
}

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
}

impl<G: Game> AlphaBeta<G> {
    /// The alpha-beta player of a spec with `depth`, `eval` and `weights`.
    pub fn new(game: &G, spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            tree: Tree::new(game, spec)?,
        })
    }

    /// The value of a position to this depth.
    pub fn value(&mut self, game: &G, position: &G::Position, depth: u32) -> f64 {
        self.search(game, position, depth, Window::OPEN)
    }

    /// The exact value if it lies inside the window, else a value on the same side of it.
    fn search(&mut self, game: &G, position: &G::Position, depth: u32, mut window: Window) -> f64 {
        let Some(side) = self.tree.enter(game, position, depth) else {
            return self.tree.value(game, position);
        };
        let mut best = if side == Side::Gains {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
        for event in self.tree.events(game, position) {
            let value = self.search(game, &after(game, position, event), depth - 1, window);
            match side {
                Side::Gains => {
                    best = best.max(value);
                    window.low = window.low.max(best);
                }
                Side::Loses => {
                    best = best.min(value);
                    window.high = window.high.min(best);
                }
            }
            if window.low >= window.high {
                break;
            }
        }
        best
    }

    /// The best move to this depth.
    fn best(&mut self, game: &G, position: &G::Position, depth: u32) -> G::Move {
        let side = self.tree.enter(game, position, depth);
        let mut window = Window::OPEN;
        let mut best = None;
        for event in self.tree.events(game, position) {
            let value = self.search(game, &after(game, position, event), depth - 1, window);
            let better = if side == Some(Side::Gains) {
                value > window.low
            } else {
                value < window.high
            };
            if let Event::Move(chosen) = event
                && (better || best.is_none())
            {
                best = Some(chosen);
                match side {
                    Some(Side::Gains) => window.low = value,
                    _ => window.high = value,
                }
            }
        }
        best.expect("a player's turn has a move")
    }
}

impl<G: Game> Search<G> for AlphaBeta<G> {
    fn tree(&mut self) -> &mut Tree<G> {
        &mut self.tree
    }
}

impl<G: Game> Player<G> for AlphaBeta<G> {
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
pub(crate) struct AlphaBetaFactory;

impl Named for AlphaBetaFactory {
    const KIND: Kind = Kind {
        name: "alphabeta",
        about: "plays as minimax does, in a fraction of the time",
        more: "Leaves a line of play as soon as somebody has a better choice earlier on, which changes neither the value nor \
               the move.",
        parameters: &[DEPTH, EVAL, WEIGHTS],
    };
}

impl<G: Game> PlayerFactory<G> for AlphaBetaFactory {
    fn prepare(game: &G, spec: &Spec) -> Result<Prepared<G>, SpecError> {
        Ok(Prepared::copies(AlphaBeta::new(game, spec)?))
    }
}
