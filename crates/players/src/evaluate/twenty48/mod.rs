//! Evaluations of 2048: the heuristics of 2048-search and 2048-ga, and a strong one.

mod corner;
mod eight;
mod features;
pub(crate) mod lines;
pub(crate) mod patches;
mod plain;

use std::sync::Arc;

use games::Game;
use games::twenty48::{Position, Twenty48};

pub use corner::Corner;
pub(crate) use corner::NAMES as CORNER_NAMES;
pub use eight::{Eight, MEANINGS, NAMES};
pub use lines::Lines;
pub use patches::Patches;

use super::Evaluate;
use crate::player::Tunable;
use crate::twenty48::network::{self, BoardNetwork};
use spec::{Spec, SpecError};

/// What of this evaluation evolution can find.
pub(crate) fn tunable(chosen: &Spec) -> Tunable {
    match chosen.name() {
        "corner" => Tunable::weights(CORNER_NAMES),
        "eight" => Tunable::weights(NAMES),
        "lines" => Tunable::weights(lines::names()),
        _ => Tunable::Nothing,
    }
}

/// The evaluation that was chosen, with what `spec` sets; `None` if it is not one of 2048.
pub(super) fn build(
    game: &Twenty48,
    chosen: &Spec,
    spec: &Spec,
) -> Result<Option<Arc<dyn Evaluate<Twenty48>>>, SpecError> {
    Ok(Some(match chosen.name() {
        "network" => Arc::new(Expected(network::of_spec(game, chosen)?)),
        "empty" => Arc::new(plain::Empty),
        "score-v2" => Arc::new(plain::ScoreV2),
        "empty-v2" => Arc::new(plain::EmptyV2),
        "combined" => Arc::new(plain::Combined),
        "snake" => Arc::new(plain::Snake),
        "corner" => Arc::new(Corner::from_spec(spec)?),
        "eight" => Arc::new(Eight::from_spec(spec)?),
        "lines" => Arc::new(Lines::from_spec(spec)?),
        _ => return Ok(None),
    }))
}

/// The score so far and what a network expects from there on.
struct Expected(BoardNetwork);

impl Evaluate<Twenty48> for Expected {
    fn value(&self, game: &Twenty48, position: &Position) -> f64 {
        game.score(position) as f64 + f64::from(self.0.value(position.tiles()))
    }
}
