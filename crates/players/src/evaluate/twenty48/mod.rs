//! Evaluations of 2048: the documents' heuristics and a strong one.

mod corner;
mod eight;
mod plain;

use games::twenty48::Twenty48;

pub use corner::Corner;
pub use eight::{Eight, NAMES};

use super::Evaluate;
use spec::{Spec, SpecError};

/// The evaluation of this name; `None` if it is not one of 2048.
pub(super) fn build(
    name: &str,
    spec: &Spec,
) -> Result<Option<Box<dyn Evaluate<Twenty48>>>, SpecError> {
    Ok(Some(match name {
        "empty" => Box::new(plain::Empty),
        "score-v2" => Box::new(plain::ScoreV2),
        "empty-v2" => Box::new(plain::EmptyV2),
        "combined" => Box::new(plain::Combined),
        "snake" => Box::new(plain::Snake),
        "corner" => Box::new(Corner::new()),
        "eight" => Box::new(Eight::from_spec(spec)?),
        _ => return Ok(None),
    }))
}
