//! `eight`: no look-ahead, the board of the highest value by the eight weights P1..P8.
//!
//! `as-described` is what 2048-ga describes: it compares the boards that its moves lead to, before
//! the new tile comes. `as-published` is what its program did: it evaluates the *current* board once for every
//! direction. All directions then have the same value, so the weights do not matter and it plays at random. Of
//! equals any is played.

use games::twenty48::{Direction, Position, Twenty48};
use games::{Game, Stream, below};
use spec::{Kind, Parameter, Spec, SpecError};

use crate::evaluate::WEIGHTS;
use crate::evaluate::twenty48::{Eight, NAMES};
use crate::player::{Named, Player, PlayerFactory, Prepared, Tunable};

/// Makes the players of eight weights.
#[derive(Debug, Clone, Copy)]
pub struct EightWeights;

/// Which board is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    AsDescribed,
    AsPublished,
}

const READING: Parameter = Parameter {
    name: "reading",
    default: "as-described",
    help: "as-described (the board after the move) or as-published (the board before it: plays at random)",
};

impl Named for EightWeights {
    const KIND: Kind = Kind {
        name: "eight",
        about: "plays the move whose board is best by the eight weights P1..P8, without looking ahead",
        more: "Value = P2 x empty cells + P3 x score + the sorted cell values, each times 1 + 0.1 x place x P1; a cell's value is \
               P4 x tile + P5 x neighbours + P6 x empty neighbours + P7 x smallest + P8 x largest difference to a neighbour. \
               The program published with 2048-ga evaluated the board before the move instead, which is the same for \
               every direction: as-published shows what that does.",
        parameters: &[READING, WEIGHTS],
    };
}

impl PlayerFactory<Twenty48> for EightWeights {
    fn tunable(_: &Twenty48, _: &Spec) -> Result<Tunable, SpecError> {
        Ok(Tunable::weights(NAMES))
    }

    fn prepare(_: &Twenty48, spec: &Spec) -> Result<Prepared<Twenty48>, SpecError> {
        let readings = [
            ("as-described", Reading::AsDescribed),
            ("as-published", Reading::AsPublished),
        ];
        Ok(Prepared::copies(OneLook {
            evaluation: Eight::from_spec(spec)?,
            reading: spec.choice(&READING, &readings)?,
        }))
    }
}

#[derive(Clone)]
struct OneLook {
    evaluation: Eight,
    reading: Reading,
}

impl OneLook {
    fn value(&self, game: &Twenty48, position: &Position) -> f64 {
        let score = game.score(position) as f64;
        self.evaluation.of(position.tiles(), score)
    }

    /// Calls `each` with the value of every legal move: of the board after it, or this one for all of them.
    #[inline]
    fn each(
        &self,
        game: &Twenty48,
        position: &Position,
        one_for_all: Option<f64>,
        mut each: impl FnMut(Direction, f64),
    ) {
        for direction in Direction::ALL {
            let mut after = *position;
            game.play_unchecked(&mut after, direction);
            if after.tiles() != position.tiles() || game.may_pass() {
                each(
                    direction,
                    one_for_all.unwrap_or_else(|| self.value(game, &after)),
                );
            }
        }
    }
}

impl Player<Twenty48> for OneLook {
    fn choose(&mut self, game: &Twenty48, position: &Position, rng: &mut Stream) -> Direction {
        let (mut best, mut highest, mut equals) = (Direction::Up, f64::NEG_INFINITY, 0);
        // As published all directions have the same value, whatever it is.
        let one_for_all = (self.reading == Reading::AsPublished).then_some(0.0);
        self.each(game, position, one_for_all, |direction, value| {
            if value > highest {
                (best, highest, equals) = (direction, value, 1);
            } else if value == highest {
                // The last of n equals replaces the one before with probability 1/n: all are equally likely.
                equals += 1;
                if below(rng, equals) == 0 {
                    best = direction;
                }
            }
        });
        best
    }

    fn judge(
        &mut self,
        game: &Twenty48,
        position: &Position,
        _: &mut Stream,
    ) -> Vec<(Direction, f64)> {
        let before = || self.value(game, position);
        let one_for_all = (self.reading == Reading::AsPublished).then(before);
        let mut judged = Vec::with_capacity(4);
        self.each(game, position, one_for_all, |direction, value| {
            judged.push((direction, value));
        });
        judged
    }
}
