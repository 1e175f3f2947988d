//! What the tree searches share: whose turn it is to gain, in which order, and how far.
//!
//! Values are those of seat 0, who wants them high. Seat 1 wants them low, and so does chance: a search
//! without probabilities takes it for an opponent. It has only its likeliest acts (in 2048 a 2 on
//! any empty cell, never a 4), as the document on search has it. Depth counts moves and acts of chance alike.

use std::any::Any;
use std::sync::Arc;

use games::twenty48::{Direction, Twenty48};
use games::{Game, Turn};

use crate::evaluate::{self, Evaluate};
use crate::player::Stop;
use spec::{Parameter, Spec, SpecError};

pub(super) const DEPTH: Parameter = Parameter {
    name: "depth",
    default: "5",
    help: "how many plies to look ahead, moves and acts of chance alike, 1 to 100; with a time limit the most",
};
/// So many positions are visited between two looks at the clock.
const LOOK: u64 = 1024;

/// Somebody who acts in a position: for seat 0, or against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Gains,
    Loses,
}

/// One thing that can happen in a position.
pub(super) enum Event<G: Game> {
    Move(G::Move),
    Chance(G::Chance),
}

impl<G: Game> Clone for Event<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Event<G> {}

/// A search with its depth and evaluation fixed, and what it has cost so far.
#[derive(Clone)]
pub(super) struct Tree<G: Game> {
    pub(super) depth: u32,
    evaluation: Arc<dyn Evaluate<G>>,
    /// The order in which moves are tried where it is not the game's own.
    order: Vec<G::Move>,
    /// Positions visited.
    pub(super) nodes: u64,
    moves: Vec<G::Move>,
    chances: Vec<(G::Chance, f64)>,
    limit: Limit,
}

/// Who may stop a search, and whether he has.
#[derive(Clone, Default)]
struct Limit {
    stop: Option<Stop>,
    /// The first depth is always completed, so that there is an answer.
    is_on: bool,
    /// What is found from now on does not count.
    is_reached: bool,
}

impl<G: Game> Tree<G> {
    pub(super) fn new(game: &G, spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            depth: spec.number(&DEPTH, 1..=100)?,
            evaluation: evaluate::of_spec(game, spec)?,
            order: document_order(game),
            nodes: 0,
            moves: Vec::new(),
            chances: Vec::new(),
            limit: Limit::default(),
        })
    }

    /// From now on, stop as soon as `stop` says so.
    pub(super) fn limit(&mut self, stop: Stop) {
        self.limit.stop = Some(stop);
    }

    /// Who acts, or `None` where the search ends; counts the node.
    pub(super) fn enter(&mut self, game: &G, position: &G::Position, depth: u32) -> Option<Side> {
        self.nodes += 1;
        if self.limit.is_on && self.nodes.is_multiple_of(LOOK) {
            self.limit.is_reached |= self.limit.stop.as_ref().is_some_and(|stop| stop());
        }
        match game.turn(position) {
            _ if depth == 0 || self.limit.is_reached => None,
            Turn::Over => None,
            Turn::Player(0) => Some(Side::Gains),
            Turn::Player(_) | Turn::Chance => Some(Side::Loses),
        }
    }

    pub(super) fn value(&self, game: &G, position: &G::Position) -> f64 {
        self.evaluation.value(game, position)
    }

    /// What can happen in a position, in the order of the search.
    pub(super) fn events(&mut self, game: &G, position: &G::Position) -> Vec<Event<G>> {
        if game.turn(position) == Turn::Chance {
            game.chances(position, &mut self.chances);
            let likeliest = self
                .chances
                .iter()
                .map(|&(_, share)| share)
                .fold(0.0, f64::max);
            // Shares of equal chances may differ in the last bit.
            let kept = self
                .chances
                .iter()
                .filter(|&&(_, share)| share > 0.999_999 * likeliest);
            kept.map(|&(chance, _)| Event::Chance(chance)).collect()
        } else {
            game.moves(position, &mut self.moves);
            let order = &self.order;
            self.moves
                .sort_by_key(|chosen| order.iter().position(|known| known == chosen));
            self.moves
                .iter()
                .map(|&chosen| Event::Move(chosen))
                .collect()
        }
    }
}

/// A search over a tree, which can be told to stop.
pub(super) trait Search<G: Game> {
    /// The tree.
    fn tree(&mut self) -> &mut Tree<G>;

    /// What is found at the full depth. Where somebody may stop the search it deepens step by step, and the last complete depth decides.
    fn deepen<A>(&mut self, mut search: impl FnMut(&mut Self, u32) -> A) -> A {
        let Tree { depth, limit, .. } = self.tree();
        let (first, full) = (limit.stop.as_ref().map_or(*depth, |_| 1), *depth);
        let mut answer = search(self, first);
        self.tree().limit.is_on = true;
        for depth in first + 1..=full {
            let deeper = search(self, depth);
            if self.tree().limit.is_reached {
                break;
            }
            answer = deeper;
        }
        let Limit {
            is_on, is_reached, ..
        } = &mut self.tree().limit;
        (*is_on, *is_reached) = (false, false);
        answer
    }
}

/// The position after an event.
pub(super) fn after<G: Game>(game: &G, position: &G::Position, event: Event<G>) -> G::Position {
    let mut next = position.clone();
    match event {
        Event::Move(chosen) => game.play_unchecked(&mut next, chosen),
        Event::Chance(chance) => game.happen(&mut next, chance),
    }
    next
}

/// Values of the moves from the view of whoever is to move, in the game's order.
pub(super) fn judge<G: Game>(
    game: &G,
    position: &G::Position,
    mut value: impl FnMut(&G::Position) -> f64,
) -> Vec<(G::Move, f64)> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let sign = if game.turn(position) == Turn::Player(0) {
        1.0
    } else {
        -1.0
    };
    let judged = moves.into_iter().map(|chosen| {
        let next = after(game, position, Event::Move(chosen));
        (chosen, sign * value(&next))
    });
    judged.collect()
}

/// The document on 2048 by search tries down, right, up, left; the first of equals is played.
fn document_order<G: Game>(game: &G) -> Vec<G::Move> {
    let special: &dyn Any = game;
    if !special.is::<Twenty48>() {
        return Vec::new();
    }
    let order = vec![
        Direction::Down,
        Direction::Right,
        Direction::Up,
        Direction::Left,
    ];
    let any: Box<dyn Any> = Box::new(order);
    *any.downcast().expect("moves of 2048 are directions")
}
