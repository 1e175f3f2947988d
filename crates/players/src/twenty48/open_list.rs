//! `astar`, `astar-full`, `best-first` and `ida-star`: searches that minimise, as 2048-search has them.
//!
//! A node is a board on which the player is to move; a successor is a move followed by a new 2. Every move costs 1, so
//! g is the number of moves, and h is the evaluation, which the search *minimises*: with `score` or `empty` it
//! looks for bad boards (which is why A* in 2048-search plays worse than random); `score-v2` and
//! `empty-v2` turn them round. When a node of the wanted depth is taken from the open list, the first move of its path
//! is played. If the open list runs empty before, the deepest node with the lowest f decides.
//!
//! - `astar` takes the lowest f = g + h; its successor has one random 2. With `reading=no-op` it has, below the root, successors
//!   for moves that change nothing, too: a board without a legal move then stays as it is and no longer ends a path. That is our guess
//!   at what the program of 2048-search did, the best of some 16 that were tried; its text does not say so.
//! - `astar-full` has a successor for every place of the 2 (suggested in 2048-search as future work).
//! - `best-first` takes the lowest h.
//! - `ida-star` goes depth first, leaves what is above a bound on f, and raises the bound to the lowest f left.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

use games::twenty48::{Direction, Position, Spawn, Twenty48};
use games::{Game, Stream, Turn, below};

use crate::evaluate::{self, EVAL, Evaluate, WEIGHTS};
use crate::player::{Cancelled, Interrupts, Named, Player, PlayerFactory, Prepared, Stop};
use spec::{Kind, Parameter, Spec, SpecError};

const DEPTH: Parameter = Parameter {
    name: "depth",
    default: "5",
    help: "length of the path to find, in moves, 1 to 60",
};
const NODES: Parameter = Parameter {
    name: "nodes",
    default: "1000000",
    help: "maximum number of boards per move, then the best so far is taken, 1 to 100000000",
};
/// An evaluation that is low where a board is good.
const MINIMISED: Parameter = Parameter {
    name: EVAL.name,
    default: "score-v2",
    help: "the evaluation that is minimised",
};

const READING: Parameter = Parameter {
    name: "reading",
    default: "legal",
    help: "moves that are followed below the first one: legal (those that change the board) or no-op (all four: our guess at the \
           published program)",
};

const READINGS: [(&str, Moves); 2] = [("legal", Moves::Legal), ("no-op", Moves::All)];

/// Boards visited between two looks at the clock.
const LOOK: u32 = 256;

/// What these searches share.
#[derive(Clone)]
struct Setting {
    depth: u32,
    most_nodes: u32,
    evaluation: Arc<dyn Evaluate<Twenty48>>,
    interrupts: Interrupts,
}

impl Setting {
    fn new(game: &Twenty48, spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            depth: spec.number(&DEPTH, 1..=60)?,
            most_nodes: spec.number(&NODES, 1..=100_000_000)?,
            evaluation: evaluate::build(game, spec, &MINIMISED)?,
            interrupts: Interrupts::default(),
        })
    }

    /// The budget after another board; 0 once the caller says stop, which is checked now and then.
    fn spend(&self, budget: u32) -> u32 {
        let left = budget.saturating_sub(1);
        if left.is_multiple_of(LOOK) && self.interrupts.is_due() {
            return 0;
        }
        left
    }
}

/// Whether the new 2 of a successor comes to a random place or to every one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Places {
    Random,
    All,
}

/// Which moves have a successor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moves {
    Legal,
    /// Those that change nothing, too.
    All,
}

/// What the open list is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    CostAndValue,
    Value,
}

/// A board on the open list; the lowest rank comes first, of equals the one that was found first.
struct Node {
    rank: f64,
    number: u32,
    moves: u32,
    first: Option<Direction>,
    position: Position,
}

impl Ord for Node {
    fn cmp(&self, other: &Self) -> Ordering {
        // A heap gives the greatest first.
        other
            .rank
            .total_cmp(&self.rank)
            .then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Node {}

/// Boards after a move and a new 2, each with the move.
fn successors(
    game: &Twenty48,
    position: &Position,
    moves: Moves,
    places: Places,
    rng: &mut Stream,
) -> Vec<(Direction, Position)> {
    let mut result = Vec::new();
    if moves == Moves::Legal && game.turn(position) != Turn::Player(0) {
        return result;
    }
    for direction in Direction::SEARCH {
        let mut moved = *position;
        game.play_unchecked(&mut moved, direction);
        if moves == Moves::Legal && moved.tiles() == position.tiles() && !game.may_pass() {
            continue;
        }
        let empty: Vec<u8> = (0..)
            .zip(moved.tiles().exponents())
            .filter(|&(_, e)| e == 0)
            .map(|(cell, _)| cell)
            .collect();
        if empty.is_empty() {
            if moves == Moves::All {
                result.push((direction, *position));
            }
            continue;
        }
        let chosen = match places {
            Places::All => &empty[..],
            Places::Random => {
                let place = below(rng, empty.len() as u32) as usize;
                &empty[place..=place]
            }
        };
        for &cell in chosen {
            let mut next = moved;
            game.happen(&mut next, Spawn { cell, exponent: 1 });
            result.push((direction, next));
        }
    }
    result
}

/// The first legal move, when the search found nothing.
fn any_move(game: &Twenty48, position: &Position) -> Direction {
    let mut moves = Vec::new();
    game.moves_to_search(position, &mut moves);
    moves[0]
}

/// Takes boards from an open list until one of the wanted depth comes up.
#[derive(Clone)]
struct OpenList {
    setting: Setting,
    /// Those below the root, where only legal ones count.
    moves: Moves,
    places: Places,
    order: Order,
}

impl OpenList {
    fn search(&self, game: &Twenty48, position: &Position, rng: &mut Stream) -> Direction {
        let mut open = BinaryHeap::new();
        open.push(Node {
            rank: 0.0,
            number: 0,
            moves: 0,
            first: None,
            position: *position,
        });
        let (mut found, mut budget) = (0, self.setting.most_nodes);
        let mut deepest: Option<(u32, Direction)> = None;
        while let Some(node) = open.pop() {
            if let Some(first) = node.first {
                if node.moves == self.setting.depth || budget == 0 {
                    return first;
                }
                if deepest.is_none_or(|(moves, _)| node.moves > moves) {
                    deepest = Some((node.moves, first));
                }
            }
            let moves = match node.first {
                Some(_) => self.moves,
                None => Moves::Legal,
            };
            for (direction, next) in successors(game, &node.position, moves, self.places, rng) {
                found += 1;
                budget = self.setting.spend(budget);
                open.push(self.node(
                    game,
                    next,
                    node.moves + 1,
                    node.first.unwrap_or(direction),
                    found,
                ));
            }
        }
        deepest.map_or_else(|| any_move(game, position), |(_, first)| first)
    }

    fn node(
        &self,
        game: &Twenty48,
        position: Position,
        moves: u32,
        first: Direction,
        number: u32,
    ) -> Node {
        let value = self.setting.evaluation.value(game, &position);
        let rank = match self.order {
            Order::CostAndValue => f64::from(moves) + value,
            Order::Value => value,
        };
        Node {
            rank,
            number,
            moves,
            first: Some(first),
            position,
        }
    }
}

impl Player<Twenty48> for OpenList {
    fn choose(&mut self, game: &Twenty48, position: &Position, rng: &mut Stream) -> Direction {
        self.search(game, position, rng)
    }

    fn limit(&mut self, stop: Stop) {
        self.setting.interrupts.limit = Some(stop);
    }

    fn cancel_when(&mut self, cancelled: &Cancelled) {
        self.setting.interrupts.cancelled = Some(Arc::clone(cancelled));
    }
}

macro_rules! open_list_player {
    ($(#[$doc:meta])* $name:ident, $spec_name:literal, $parameters:expr, $places:expr, $order:expr, $about:literal, $more:literal) => {
        $(#[$doc])*
        pub struct $name;

        impl Named for $name {
            const KIND: Kind = Kind {
                name: $spec_name,
                about: $about,
                more: $more,
                parameters: $parameters,
            };
        }

        impl PlayerFactory<Twenty48> for $name {
            fn prepare(game: &Twenty48, spec: &Spec) -> Result<Prepared<Twenty48>, SpecError> {
                Ok(Prepared::copies(OpenList {
                    setting: Setting::new(game, spec)?,
                    moves: spec.choice(&READING, &READINGS)?,
                    places: $places,
                    order: $order,
                }))
            }
        }
    };
}

open_list_player! {
    /// A* with one random new tile per move.
    AStar, "astar", &[DEPTH, MINIMISED, WEIGHTS, READING, NODES], Places::Random, Order::CostAndValue,
    "A* to a path of a given length; minimises moves + evaluation",
    "As in 2048-search: each successor is a move and one random 2. With score or empty it minimises \
     what one would like to have, and plays badly; score-v2 and empty-v2 reverse them. \
     With reading=no-op moves that change nothing are followed, too (not the first one): our guess at what the program of \
     2048-search did, since its figures come near the published ones; its text does not say so."
}
open_list_player! {
    /// A* with every place of the new tile.
    AStarFull, "astar-full", &[DEPTH, MINIMISED, WEIGHTS, NODES], Places::All, Order::CostAndValue,
    "A* with a successor for every place of the new tile",
    "Suggested in 2048-search as future work: successors for all places of the random tile, so nothing is left to chance."
}
open_list_player! {
    /// The lowest evaluation first.
    BestFirst, "best-first", &[DEPTH, MINIMISED, WEIGHTS, NODES], Places::Random, Order::Value,
    "always expands the board with the lowest evaluation",
    "As astar, but the number of moves does not count: greedy best-first search."
}

/// Depth first within a growing bound.
#[derive(Clone)]
pub struct IdaStar {
    setting: Setting,
}

/// What a search within a bound came to.
enum Within {
    Reached,
    /// The lowest f above the bound; infinite when there was none.
    LowestAbove(f64),
}

impl IdaStar {
    fn dive(
        &self,
        game: &Twenty48,
        position: &Position,
        moves: u32,
        bound: f64,
        budget: &mut u32,
        rng: &mut Stream,
    ) -> Within {
        if moves == self.setting.depth {
            return Within::Reached;
        }
        let mut lowest = f64::INFINITY;
        for (_, next) in successors(game, position, Moves::Legal, Places::Random, rng) {
            *budget = self.setting.spend(*budget);
            let f = f64::from(moves + 1) + self.setting.evaluation.value(game, &next);
            if f > bound || *budget == 0 {
                lowest = lowest.min(f);
                continue;
            }
            match self.dive(game, &next, moves + 1, bound, budget, rng) {
                Within::Reached => return Within::Reached,
                Within::LowestAbove(above) => lowest = lowest.min(above),
            }
        }
        Within::LowestAbove(lowest)
    }
}

impl Player<Twenty48> for IdaStar {
    fn choose(&mut self, game: &Twenty48, position: &Position, rng: &mut Stream) -> Direction {
        let mut budget = self.setting.most_nodes;
        let mut bound = self.setting.evaluation.value(game, position);
        let mut promising = any_move(game, position);
        while budget > 0 && bound.is_finite() {
            let mut lowest = f64::INFINITY;
            for (direction, next) in successors(game, position, Moves::Legal, Places::Random, rng) {
                budget = self.setting.spend(budget);
                let f = 1.0 + self.setting.evaluation.value(game, &next);
                let within = if f > bound {
                    Within::LowestAbove(f)
                } else {
                    self.dive(game, &next, 1, bound, &mut budget, rng)
                };
                match within {
                    Within::Reached => return direction,
                    Within::LowestAbove(above) if above < lowest => {
                        lowest = above;
                        promising = direction;
                    }
                    Within::LowestAbove(_) => {}
                }
            }
            bound = lowest;
        }
        promising
    }

    fn limit(&mut self, stop: Stop) {
        self.setting.interrupts.limit = Some(stop);
    }

    fn cancel_when(&mut self, cancelled: &Cancelled) {
        self.setting.interrupts.cancelled = Some(Arc::clone(cancelled));
    }
}

impl Named for IdaStar {
    const KIND: Kind = Kind {
        name: "ida-star",
        about: "depth first within a bound on moves + evaluation that is raised step by step",
        more: "As astar, without an open list: a path that rises above the bound is left, and the bound is raised to the lowest \
               value that was left out. The new tiles are drawn afresh in every round.",
        parameters: &[DEPTH, MINIMISED, WEIGHTS, NODES],
    };
}

impl PlayerFactory<Twenty48> for IdaStar {
    fn prepare(game: &Twenty48, spec: &Spec) -> Result<Prepared<Twenty48>, SpecError> {
        Ok(Prepared::copies(Self {
            setting: Setting::new(game, spec)?,
        }))
    }
}
