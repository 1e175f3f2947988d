//! `hill-climbing`: goes uphill from the position by random new tiles, several times; the climb that ends highest
//! decides.
//!
//! A climb makes the move whose board has the highest evaluation, lets chance add a tile, and continues while the
//! evaluation does not fall, at most `depth` moves. The first move of the best of `restarts` climbs is played.

use std::sync::Arc;

use games::twenty48::{Direction, Position, Twenty48};
use games::{Game, Stream, Turn, below};

use crate::evaluate::{self, EVAL, Evaluate, WEIGHTS};
use crate::player::{Cancelled, Interrupts, Named, Player, PlayerFactory, Prepared, Stop};
use spec::{Kind, Parameter, Spec, SpecError};

const DEPTH: Parameter = Parameter {
    name: "depth",
    default: "10",
    help: "maximum number of moves of a climb, 1 to 1000",
};
const RESTARTS: Parameter = Parameter {
    name: "restarts",
    default: "20",
    help: "climbs per move, each with other new tiles, 1 to 100000",
};
const CLIMBED: Parameter = Parameter {
    name: EVAL.name,
    default: "combined",
    help: "the evaluation to climb",
};

/// The player that climbs.
#[derive(Clone)]
pub struct HillClimbing {
    depth: u32,
    restarts: u32,
    evaluation: Arc<dyn Evaluate<Twenty48>>,
    interrupts: Interrupts,
}

impl HillClimbing {
    /// One climb that begins with a given move: the highest value it reached.
    fn climb(
        &self,
        game: &Twenty48,
        mut position: Position,
        first: Direction,
        rng: &mut Stream,
    ) -> f64 {
        game.play_unchecked(&mut position, first);
        let mut height = self.evaluation.value(game, &position);
        for _ in 1..self.depth {
            if game.turn(&position) == Turn::Chance {
                game.draw(&mut position, rng);
            }
            let Some((next, value)) = self.uphill(game, &position) else {
                break;
            };
            if value < height {
                break;
            }
            (position, height) = (next, value);
        }
        height
    }

    /// The highest board that one move leads to.
    fn uphill(&self, game: &Twenty48, position: &Position) -> Option<(Position, f64)> {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let boards = moves.into_iter().map(|direction| {
            let mut next = *position;
            game.play_unchecked(&mut next, direction);
            (next, self.evaluation.value(game, &next))
        });
        boards.reduce(|best, other| if other.1 > best.1 { other } else { best })
    }
}

impl Player<Twenty48> for HillClimbing {
    fn choose(&mut self, game: &Twenty48, position: &Position, rng: &mut Stream) -> Direction {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let mut best = (moves[0], f64::NEG_INFINITY);
        for _ in 0..self.restarts {
            let first = moves[below(rng, moves.len() as u32) as usize];
            let height = self.climb(game, *position, first, rng);
            if height > best.1 {
                best = (first, height);
            }
            if self.interrupts.is_due() {
                break;
            }
        }
        best.0
    }

    fn limit(&mut self, stop: Stop) {
        self.interrupts.limit = Some(stop);
    }

    fn cancel_when(&mut self, cancelled: &Cancelled) {
        self.interrupts.cancelled = Some(Arc::clone(cancelled));
    }
}

impl Named for HillClimbing {
    const KIND: Kind = Kind {
        name: "hill-climbing",
        about: "climbs the evaluation several times with random new tiles; the highest climb decides",
        more: "A climb continues while the evaluation does not fall, at most depth moves; each starts with a random move.",
        parameters: &[DEPTH, RESTARTS, CLIMBED, WEIGHTS],
    };
}

impl PlayerFactory<Twenty48> for HillClimbing {
    fn prepare(game: &Twenty48, spec: &Spec) -> Result<Prepared<Twenty48>, SpecError> {
        Ok(Prepared::copies(Self {
            depth: spec.number(&DEPTH, 1..=1000)?,
            restarts: spec.number(&RESTARTS, 1..=100_000)?,
            evaluation: evaluate::build(game, spec, &CLIMBED)?,
            interrupts: Interrupts::default(),
        }))
    }
}
