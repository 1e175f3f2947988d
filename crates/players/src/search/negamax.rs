//! `negamax`: alpha-beta that tries the moves that look best first.
//!
//! One rule for both sides, value = max of -value of what follows (Knuth and Moore 1975). Before a position's
//! successors are searched they are sorted by their static evaluation, so that good moves come early and more is
//! pruned. The value is minimax's; of equal moves another one may be played.

use games::{Game, Stream};

use super::tree::{DEPTH, Event, Search, Side, Tree, after, judge};
use crate::evaluate::{EVAL, WEIGHTS};
use crate::player::{Named, Player, PlayerFactory, Prepared, Stop};
use spec::{Kind, Spec, SpecError};

/// The player that orders moves and prunes.
#[derive(Clone)]
pub struct Negamax<G: Game> {
    tree: Tree<G>,
}

/// A successor: what led to it, the position, and its static value for the side that moved there.
type Successor<G> = (Event<G>, <G as Game>::Position, f64);

impl<G: Game> Negamax<G> {
    /// The negamax player of a spec with `depth`, `eval` and `weights`.
    pub fn new(game: &G, spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            tree: Tree::new(game, spec)?,
        })
    }

    /// The value of a position to this depth, for seat 0.
    pub fn value(&mut self, game: &G, position: &G::Position, depth: u32) -> f64 {
        let side = self.side(game, position);
        sign(side)
            * self.search(
                game,
                position,
                depth,
                side,
                f64::NEG_INFINITY,
                f64::INFINITY,
            )
    }

    fn side(&mut self, game: &G, position: &G::Position) -> Side {
        self.tree.enter(game, position, 1).unwrap_or(Side::Gains)
    }

    /// The value for `side`, which is to act; exact inside the window, else a bound on the same side of it.
    fn search(
        &mut self,
        game: &G,
        position: &G::Position,
        depth: u32,
        side: Side,
        low: f64,
        high: f64,
    ) -> f64 {
        if self.tree.enter(game, position, depth).is_none() {
            return sign(side) * self.tree.value(game, position);
        }
        let mut best = f64::NEG_INFINITY;
        for (_, next, _) in self.successors(game, position, depth, side) {
            best = best.max(self.after_move(game, &next, depth - 1, side, low.max(best), high));
            if best >= high {
                break;
            }
        }
        best
    }

    /// The value of a position for `mover`, who has just acted. The same side may be to act again: in
    /// Tetris chance draws more than once at the start.
    fn after_move(
        &mut self,
        game: &G,
        next: &G::Position,
        depth: u32,
        mover: Side,
        low: f64,
        high: f64,
    ) -> f64 {
        match self.tree.enter(game, next, depth) {
            None => sign(mover) * self.tree.value(game, next),
            Some(side) if side == mover => self.search(game, next, depth, side, low, high),
            Some(side) => -self.search(game, next, depth, side, -high, -low),
        }
    }

    /// Best-looking first; only worth its cost where something is searched below.
    fn successors(
        &mut self,
        game: &G,
        position: &G::Position,
        depth: u32,
        side: Side,
    ) -> Vec<Successor<G>> {
        let events = self.tree.events(game, position);
        let mut successors: Vec<Successor<G>> = events
            .into_iter()
            .map(|event| {
                let next = after(game, position, event);
                let value = if depth > 1 {
                    sign(side) * self.tree.value(game, &next)
                } else {
                    0.0
                };
                (event, next, value)
            })
            .collect();
        successors.sort_by(|a, b| b.2.total_cmp(&a.2));
        successors
    }

    /// The best move to this depth.
    fn best(&mut self, game: &G, position: &G::Position, depth: u32) -> G::Move {
        let side = self.side(game, position);
        let mut best: Option<(G::Move, f64)> = None;
        for (event, next, _) in self.successors(game, position, depth, side) {
            let low = best.map_or(f64::NEG_INFINITY, |(_, value)| value);
            let value = self.after_move(game, &next, depth - 1, side, low, f64::INFINITY);
            if let Event::Move(chosen) = event
                && (best.is_none() || value > low)
            {
                best = Some((chosen, value));
            }
        }
        best.expect("a player's turn has a move").0
    }
}

fn sign(side: Side) -> f64 {
    if side == Side::Gains { 1.0 } else { -1.0 }
}

impl<G: Game> Search<G> for Negamax<G> {
    fn tree(&mut self) -> &mut Tree<G> {
        &mut self.tree
    }
}

impl<G: Game> Player<G> for Negamax<G> {
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
pub(crate) struct NegamaxFactory;

impl Named for NegamaxFactory {
    const KIND: Kind = Kind {
        name: "negamax",
        about: "alpha-beta that tries the moves that look best first",
        more: "Successors are sorted by their static evaluation before they are searched. The value is minimax's; of equal moves \
               another one may be played.",
        parameters: &[DEPTH, EVAL, WEIGHTS],
    };
}

impl<G: Game> PlayerFactory<G> for NegamaxFactory {
    fn prepare(game: &G, spec: &Spec) -> Result<Prepared<G>, SpecError> {
        Ok(Prepared::copies(Negamax::new(game, spec)?))
    }
}
