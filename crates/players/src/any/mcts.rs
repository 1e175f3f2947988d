//! `mcts`: Monte-Carlo search, flat or as a tree.
//!
//! `uct` (Kocsis and Szepesvári 2006): a tree grows by one position per iteration; on the way down the move of the
//! highest mean + c sqrt(ln N / n) is taken, chance draws by its probabilities, and from the new position a
//! playout goes to the end. Results are scaled to 0..1 by the best and worst seen in this search, so c
//! means the same in every game. The move tried most often is played. `flat` gives every move the same number of
//! playouts and takes the best mean.

use std::sync::Arc;

use games::{Game, Stream, Turn, below};

use crate::evaluate::{self, EVAL, Evaluate};
use crate::player::{Cancelled, Interrupts, Named, Player, PlayerFactory, Prepared, Stop, best};
use spec::{Kind, Parameter, Spec, SpecError};

const ITERATIONS: Parameter = Parameter {
    name: "iterations",
    default: "1000",
    help: "playouts per move, 1 to 100000000",
};
const KIND: Parameter = Parameter {
    name: "kind",
    default: "uct",
    help: "uct (a growing tree) or flat (the same share for every move)",
};
const ROLLOUT: Parameter = Parameter {
    name: "rollout",
    default: "random",
    help: "how playouts choose: random, or greedy (the best score at once)",
};
const EXPLORATION: Parameter = Parameter {
    name: "exploration",
    default: "0.7",
    help: "the constant c of uct, 0 to 100",
};

/// Without one, positions are worth what comes of a playout.
const LEAF_EVAL: Parameter = Parameter {
    default: "",
    help: "an evaluation that takes the place of playouts, e.g. network(file=NAME.network); without one, playouts",
    ..EVAL
};

/// How the playouts are shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Uct,
    Flat,
}

/// How a playout chooses its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rollout {
    Random,
    Greedy,
}

/// Makes Monte-Carlo players.
#[derive(Debug, Clone, Copy)]
pub struct Mcts;

/// The Monte-Carlo player.
struct Sampler<G> {
    iterations: u32,
    form: Form,
    rollout: Rollout,
    exploration: f64,
    /// What positions are worth, instead of a playout.
    eval: Option<Arc<dyn Evaluate<G>>>,
    interrupts: Interrupts,
}

impl<G> Clone for Sampler<G> {
    fn clone(&self) -> Self {
        Self {
            eval: self.eval.clone(),
            interrupts: self.interrupts.clone(),
            ..*self
        }
    }
}

/// Results of playouts through one position.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    visits: f64,
    sum: f64,
}

impl Tally {
    fn add(&mut self, result: f64) {
        self.visits += 1.0;
        self.sum += result;
    }

    fn mean(self) -> f64 {
        self.sum / self.visits
    }
}

/// A position in the tree. Its children stand in the order in which they were first reached.
struct Node<G: Game> {
    tally: Tally,
    untried: Vec<G::Move>,
    moves: Vec<(G::Move, usize)>,
    chances: Vec<(G::Chance, usize)>,
}

impl<G: Game> Node<G> {
    fn new(game: &G, position: &G::Position) -> Self {
        let mut untried = Vec::new();
        game.moves(position, &mut untried);
        Self {
            tally: Tally::default(),
            untried,
            moves: Vec::new(),
            chances: Vec::new(),
        }
    }
}

/// One search: its tree, and the results it has seen.
struct Search<'a, G: Game> {
    game: &'a G,
    player: &'a Sampler<G>,
    nodes: Vec<Node<G>>,
    lowest: f64,
    highest: f64,
}

impl<'a, G: Game> Search<'a, G> {
    fn new(game: &'a G, player: &'a Sampler<G>, root: &G::Position) -> Self {
        let nodes = vec![Node::new(game, root)];
        Self {
            game,
            player,
            nodes,
            lowest: f64::INFINITY,
            highest: f64::NEG_INFINITY,
        }
    }

    /// One iteration: down the tree to a new position, a playout, and back up.
    fn iterate(&mut self, root: &G::Position, rng: &mut Stream) {
        let mut position = root.clone();
        let mut path = vec![0];
        let mut at = 0;
        while let Some((next, is_new)) = self.descend(at, &mut position, rng) {
            path.push(next);
            at = next;
            if is_new {
                break;
            }
        }
        let result = self.player.result(self.game, &mut position, rng);
        self.lowest = self.lowest.min(result);
        self.highest = self.highest.max(result);
        path.into_iter()
            .for_each(|node| self.nodes[node].tally.add(result));
    }

    /// One step down, and whether the position reached is new to the tree; `None` at the end of the game.
    fn descend(
        &mut self,
        at: usize,
        position: &mut G::Position,
        rng: &mut Stream,
    ) -> Option<(usize, bool)> {
        match self.game.turn(position) {
            Turn::Over => None,
            Turn::Chance => {
                let chance = self.game.draw(position, rng);
                let known = self.nodes[at]
                    .chances
                    .iter()
                    .find(|(known, _)| *known == chance);
                Some(known.map(|&(_, child)| (child, false)).unwrap_or_else(|| {
                    let child = self.grow(position);
                    self.nodes[at].chances.push((chance, child));
                    (child, true)
                }))
            }
            Turn::Player(_) if !self.nodes[at].untried.is_empty() => {
                let place = below(rng, self.nodes[at].untried.len() as u32) as usize;
                let chosen = self.nodes[at].untried.swap_remove(place);
                self.game.play_unchecked(position, chosen);
                let child = self.grow(position);
                self.nodes[at].moves.push((chosen, child));
                Some((child, true))
            }
            Turn::Player(seat) => {
                let (chosen, child) = self.most_promising(at, seat);
                self.game.play_unchecked(position, chosen);
                Some((child, false))
            }
        }
    }

    fn grow(&mut self, position: &G::Position) -> usize {
        self.nodes.push(Node::new(self.game, position));
        self.nodes.len() - 1
    }

    /// The move with the highest upper confidence bound.
    fn most_promising(&self, at: usize, seat: u8) -> (G::Move, usize) {
        let node = &self.nodes[at];
        // libm and not std: the same logarithm on every machine.
        let spread = self.player.exploration * libm::log(node.tally.visits).sqrt();
        let bounds: Vec<((G::Move, usize), f64)> = node
            .moves
            .iter()
            .map(|&(chosen, child)| {
                let tally = self.nodes[child].tally;
                (
                    (chosen, child),
                    self.scaled(tally.mean(), seat) + spread / tally.visits.sqrt(),
                )
            })
            .collect();
        best(&bounds)
    }

    /// A mean result between 0 and 1, from the view of a seat.
    fn scaled(&self, mean: f64, seat: u8) -> f64 {
        let range = self.highest - self.lowest;
        let share = if range > 0.0 {
            (mean - self.lowest) / range
        } else {
            0.5
        };
        if seat == 0 { share } else { 1.0 - share }
    }
}

/// Plays to the end by the best score at once; among equals at random.
fn greedy_playout<G: Game>(game: &G, position: &mut G::Position, rng: &mut Stream) {
    let mut moves = Vec::new();
    loop {
        match game.turn(position) {
            Turn::Over => return,
            Turn::Chance => {
                game.draw(position, rng);
            }
            Turn::Player(seat) => {
                game.moves(position, &mut moves);
                let gain = |chosen: G::Move| {
                    let mut next = position.clone();
                    game.play_unchecked(&mut next, chosen);
                    if seat == 0 {
                        game.score(&next)
                    } else {
                        -game.score(&next)
                    }
                };
                let highest = moves.iter().map(|&chosen| gain(chosen)).max();
                moves.retain(|&chosen| Some(gain(chosen)) == highest);
                let chosen = moves[below(rng, moves.len() as u32) as usize];
                game.play_unchecked(position, chosen);
            }
        }
    }
}

impl<G: Game> Sampler<G> {
    fn new(game: &G, spec: &Spec) -> Result<Self, SpecError> {
        let eval = match spec.value(&LEAF_EVAL) {
            "" => None,
            _ => Some(evaluate::build(game, spec, &LEAF_EVAL)?),
        };
        Ok(Self {
            eval,
            iterations: spec.number(&ITERATIONS, 1..=100_000_000)?,
            form: spec.choice(&KIND, &[("uct", Form::Uct), ("flat", Form::Flat)])?,
            rollout: spec.choice(
                &ROLLOUT,
                &[("random", Rollout::Random), ("greedy", Rollout::Greedy)],
            )?,
            exploration: spec.number(&EXPLORATION, 0.0..=100.0)?,
            interrupts: Interrupts::default(),
        })
    }

    /// What comes of a position: the score at the end of a playout, or the evaluation.
    fn result(&self, game: &G, position: &mut G::Position, rng: &mut Stream) -> f64 {
        match (&self.eval, self.rollout) {
            (Some(eval), _) if game.turn(position) != Turn::Over => eval.value(game, position),
            (Some(_), _) => game.score(position) as f64,
            (None, Rollout::Random) => {
                game.playout(position, rng);
                game.score(position) as f64
            }
            (None, Rollout::Greedy) => {
                greedy_playout(game, position, rng);
                game.score(position) as f64
            }
        }
    }

    /// Every move with the playouts through it.
    fn tallies(&self, game: &G, position: &G::Position, rng: &mut Stream) -> Vec<(G::Move, Tally)> {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        match self.form {
            Form::Flat => self.flat(game, position, &moves, rng),
            Form::Uct => {
                let mut search = Search::new(game, self, position);
                for iteration in 0..self.iterations {
                    if self.is_stopped(iteration) {
                        break;
                    }
                    search.iterate(position, rng);
                }
                let root = &search.nodes[0];
                let tally = |chosen| root.moves.iter().find(|(tried, _)| *tried == chosen);
                moves
                    .into_iter()
                    .map(|chosen| {
                        let child = tally(chosen);
                        (
                            chosen,
                            child.map_or(Tally::default(), |&(_, child)| search.nodes[child].tally),
                        )
                    })
                    .collect()
            }
        }
    }

    /// Is the search to stop? Checked every few playouts, and not before the first ones.
    fn is_stopped(&self, iteration: u32) -> bool {
        iteration > 0 && iteration.is_multiple_of(16) && self.interrupts.is_due()
    }

    fn flat(
        &self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
        rng: &mut Stream,
    ) -> Vec<(G::Move, Tally)> {
        let mut tallies: Vec<(G::Move, Tally)> = moves
            .iter()
            .map(|&chosen| (chosen, Tally::default()))
            .collect();
        for iteration in 0..self.iterations {
            if self.is_stopped(iteration) {
                break;
            }
            let (chosen, tally) = &mut tallies[iteration as usize % moves.len()];
            let mut next = position.clone();
            game.play_unchecked(&mut next, *chosen);
            tally.add(self.result(game, &mut next, rng));
        }
        tallies
    }
}

impl<G: Game> Player<G> for Sampler<G> {
    fn limit(&mut self, stop: Stop) {
        self.interrupts.limit = Some(stop);
    }

    fn cancel_when(&mut self, cancelled: &Cancelled) {
        self.interrupts.cancelled = Some(Arc::clone(cancelled));
    }

    fn choose(&mut self, game: &G, position: &G::Position, rng: &mut Stream) -> G::Move {
        let tallies = self.tallies(game, position, rng);
        let worth = |tally: Tally| match self.form {
            Form::Uct => tally.visits,
            Form::Flat if tally.visits == 0.0 => f64::NEG_INFINITY,
            Form::Flat if game.turn(position) == Turn::Player(0) => tally.mean(),
            Form::Flat => -tally.mean(),
        };
        let judged: Vec<(G::Move, f64)> = tallies
            .into_iter()
            .map(|(chosen, tally)| (chosen, worth(tally)))
            .collect();
        best(&judged)
    }

    fn judge(&mut self, game: &G, position: &G::Position, rng: &mut Stream) -> Vec<(G::Move, f64)> {
        let sign = if game.turn(position) == Turn::Player(0) {
            1.0
        } else {
            -1.0
        };
        let tried = self
            .tallies(game, position, rng)
            .into_iter()
            .filter(|(_, tally)| tally.visits > 0.0);
        tried
            .map(|(chosen, tally)| (chosen, sign * tally.mean()))
            .collect()
    }
}

impl Named for Mcts {
    const KIND: Kind = Kind {
        name: "mcts",
        about: "Monte-Carlo search: plays many games to the end and takes the move that did best",
        more: "uct grows a tree towards the moves that look promising and plays the one it tried most often; flat gives every move \
               the same number of playouts. Works in every game.",
        parameters: &[ITERATIONS, KIND, ROLLOUT, EXPLORATION, LEAF_EVAL],
    };
    const DRAWS: bool = true;
}

impl<G: Game> PlayerFactory<G> for Mcts {
    fn prepare(game: &G, spec: &Spec) -> Result<Prepared<G>, SpecError> {
        Ok(Prepared::copies(Sampler::new(game, spec)?))
    }
}
