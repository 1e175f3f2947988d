//! What the tree searches share: whose turn it is to gain, in which order, how far; and the player around them.
//!
//! Values are those of seat 0, who wants them high. Seat 1 wants them low, and so does chance: a search
//! without probabilities takes it for an opponent. It has only its likeliest acts (in 2048 a 2 on
//! any empty cell, never a 4), as in 2048-search. Depth counts moves and acts of chance alike.

use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Arc;

use games::{Game, Stream, Turn};

use crate::evaluate::{self, Evaluate};
use crate::player::{Cancelled, Interrupts, Player, Stop};
use spec::{Parameter, Spec, SpecError};

pub(crate) const DEPTH: Parameter = Parameter {
    name: "depth",
    default: "5",
    help: "plies to look ahead, moves and acts of chance alike, 1 to 100; the maximum if there is a time limit",
};
/// Positions visited between two looks at the clock and at whether the search is cancelled.
const LOOK: u64 = 1024;

/// A way to search a tree; `minimax`, `alphabeta` and `negamax` are the three.
pub trait Search<G: Game>: Send + Sync + Sized + 'static {
    /// The value of a position to this depth, for seat 0.
    fn value(tree: &mut Tree<G>, game: &G, position: &G::Position, depth: u32) -> f64;

    /// The best move to this depth.
    fn best(tree: &mut Tree<G>, game: &G, position: &G::Position, depth: u32) -> G::Move;

    /// The player of a spec with `depth`, `eval` and `weights`.
    fn player(game: &G, spec: &Spec) -> Result<TreePlayer<G, Self>, SpecError> {
        Ok(TreePlayer {
            tree: Tree::new(game, spec)?,
            search: PhantomData,
        })
    }
}

/// A player that searches a tree by `S`.
pub struct TreePlayer<G: Game, S> {
    tree: Tree<G>,
    search: PhantomData<S>,
}

impl<G: Game, S> Clone for TreePlayer<G, S> {
    fn clone(&self) -> Self {
        Self {
            tree: self.tree.clone(),
            search: PhantomData,
        }
    }
}

impl<G: Game, S: Search<G>> TreePlayer<G, S> {
    /// The value of a position to this depth, for seat 0.
    pub fn value(&mut self, game: &G, position: &G::Position, depth: u32) -> f64 {
        S::value(&mut self.tree, game, position, depth)
    }
}

impl<G: Game, S: Search<G>> Player<G> for TreePlayer<G, S> {
    fn choose(&mut self, game: &G, position: &G::Position, _: &mut Stream) -> G::Move {
        self.tree
            .deepen(|tree, depth| S::best(tree, game, position, depth))
    }

    fn judge(&mut self, game: &G, position: &G::Position, _: &mut Stream) -> Vec<(G::Move, f64)> {
        self.tree.deepen(|tree, depth| {
            judge(game, position, |next| S::value(tree, game, next, depth - 1))
        })
    }

    fn limit(&mut self, stop: Stop) {
        self.tree.limit.interrupts.limit = Some(stop);
    }

    fn cancel_when(&mut self, cancelled: &Cancelled) {
        self.tree.limit.interrupts.cancelled = Some(Arc::clone(cancelled));
    }

    fn nodes(&self) -> Option<u64> {
        Some(self.tree.nodes)
    }
}

/// Somebody who acts in a position: for seat 0, or against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Gains,
    Loses,
}

impl Side {
    /// A value that any other is better than, for this side.
    pub(crate) fn worst(self) -> f64 {
        match self {
            Self::Gains => f64::NEG_INFINITY,
            Self::Loses => f64::INFINITY,
        }
    }

    /// The better of two values for this side.
    pub(crate) fn better(self, one: f64, other: f64) -> f64 {
        match self {
            Self::Gains => one.max(other),
            Self::Loses => one.min(other),
        }
    }

    /// By which a value for seat 0 becomes one for this side.
    pub(crate) fn sign(self) -> f64 {
        match self {
            Self::Gains => 1.0,
            Self::Loses => -1.0,
        }
    }
}

/// One thing that can happen in a position.
pub(crate) enum Event<G: Game> {
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
pub struct Tree<G: Game> {
    depth: u32,
    evaluation: Arc<dyn Evaluate<G>>,
    /// Positions visited.
    nodes: u64,
    /// What can happen in the positions on the way to the current one, each with a value to sort by. One list for all of them, so
    /// that no position needs memory of its own.
    events: Vec<(Event<G>, f64)>,
    moves: Vec<G::Move>,
    chances: Vec<(G::Chance, f64)>,
    limit: Limit,
}

/// Whether a search may be stopped, and whether it has been.
#[derive(Clone, Default)]
struct Limit {
    interrupts: Interrupts,
    /// The first depth is always completed, so that there is an answer; only cancelling ends it.
    is_on: bool,
    /// What is found from now on does not count.
    is_reached: bool,
}

impl Limit {
    #[cold]
    fn look(&mut self) {
        self.is_reached |= match self.is_on {
            true => self.interrupts.is_due(),
            false => self.interrupts.is_cancelled(),
        };
    }
}

impl<G: Game> Tree<G> {
    fn new(game: &G, spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            depth: spec.number(&DEPTH, 1..=100)?,
            evaluation: evaluate::of_spec(game, spec)?,
            nodes: 0,
            events: Vec::new(),
            moves: Vec::new(),
            chances: Vec::new(),
            limit: Limit::default(),
        })
    }

    /// What is found at the full depth. With a limit the search deepens step by step, and the last complete depth decides.
    fn deepen<A>(&mut self, mut search: impl FnMut(&mut Self, u32) -> A) -> A {
        let first = self
            .limit
            .interrupts
            .limit
            .as_ref()
            .map_or(self.depth, |_| 1);
        let mut answer = search(self, first);
        self.limit.is_on = true;
        for depth in first + 1..=self.depth {
            let deeper = search(self, depth);
            if self.limit.is_reached {
                break;
            }
            answer = deeper;
        }
        (self.limit.is_on, self.limit.is_reached) = (false, false);
        answer
    }

    /// Who acts, or `None` where the search ends; counts the node.
    #[inline]
    pub(crate) fn enter(&mut self, game: &G, position: &G::Position, depth: u32) -> Option<Side> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) {
            self.limit.look();
        }
        match game.turn(position) {
            _ if depth == 0 || self.limit.is_reached => None,
            Turn::Over => None,
            Turn::Player(0) => Some(Side::Gains),
            Turn::Player(_) | Turn::Chance => Some(Side::Loses),
        }
    }

    pub(crate) fn evaluate(&self, game: &G, position: &G::Position) -> f64 {
        self.evaluation.value(game, position)
    }

    /// Calls `each` with everything that can happen in a position, in the order of the search, and with what it leads to, until it
    /// breaks.
    pub(crate) fn each_event(
        &mut self,
        game: &G,
        position: &G::Position,
        each: impl FnMut(&mut Self, Event<G>, &G::Position) -> ControlFlow<()>,
    ) {
        let first = self.events.len();
        self.push_events(game, position);
        self.follow_events(first, game, position, each);
    }

    /// As [`each_event`](Self::each_event), but first comes what looks best to the side that acts.
    pub(crate) fn each_event_best_first(
        &mut self,
        game: &G,
        position: &G::Position,
        side: Side,
        each: impl FnMut(&mut Self, Event<G>, &G::Position) -> ControlFlow<()>,
    ) {
        let first = self.events.len();
        self.push_events(game, position);
        for (event, value) in &mut self.events[first..] {
            let next = after(game, position, *event);
            *value = side.sign() * self.evaluation.value(game, &next);
        }
        self.events[first..].sort_by(|a, b| b.1.total_cmp(&a.1));
        self.follow_events(first, game, position, each);
    }

    /// Follows the events from the place `first` on, and takes them off the list.
    fn follow_events(
        &mut self,
        first: usize,
        game: &G,
        position: &G::Position,
        mut each: impl FnMut(&mut Self, Event<G>, &G::Position) -> ControlFlow<()>,
    ) {
        for place in first..self.events.len() {
            let (event, _) = self.events[place];
            if each(self, event, &after(game, position, event)).is_break() {
                break;
            }
        }
        self.events.truncate(first);
    }

    fn push_events(&mut self, game: &G, position: &G::Position) {
        if game.turn(position) == Turn::Chance {
            game.chances(position, &mut self.chances);
            let shares = self.chances.iter().map(|&(_, share)| share);
            let likeliest = shares.fold(0.0, f64::max);
            // Shares of equal chances may differ in the last bit.
            let kept = self
                .chances
                .iter()
                .filter(|&&(_, share)| share > 0.999_999 * likeliest);
            self.events
                .extend(kept.map(|&(chance, _)| (Event::Chance(chance), 0.0)));
        } else {
            game.moves_to_search(position, &mut self.moves);
            let moves = self.moves.iter();
            self.events
                .extend(moves.map(|&chosen| (Event::Move(chosen), 0.0)));
        }
    }
}

/// The position after an event.
fn after<G: Game>(game: &G, position: &G::Position, event: Event<G>) -> G::Position {
    let mut next = position.clone();
    match event {
        Event::Move(chosen) => game.play_unchecked(&mut next, chosen),
        Event::Chance(chance) => game.happen(&mut next, chance),
    }
    next
}

/// Values of the moves for the player to move, in the game's order.
pub(crate) fn judge<G: Game>(
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
