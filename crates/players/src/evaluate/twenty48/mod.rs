//! Evaluations of 2048: the heuristics of 2048-search and 2048-ga, and a strong one.

mod corner;
mod eight;
mod plain;

use std::sync::Arc;

use games::twenty48::Twenty48;

pub use corner::Corner;
pub use eight::{Eight, MEANINGS, NAMES};

use super::Evaluate;
use spec::{Spec, SpecError};

/// The evaluation of this name; `None` if it is not one of 2048.
pub(super) fn build(
    name: &str,
    spec: &Spec,
) -> Result<Option<Arc<dyn Evaluate<Twenty48>>>, SpecError> {
    Ok(Some(match name {
        "empty" => Arc::new(plain::Empty),
        "score-v2" => Arc::new(plain::ScoreV2),
        "empty-v2" => Arc::new(plain::EmptyV2),
        "combined" => Arc::new(plain::Combined),
        "snake" => Arc::new(plain::Snake),
        "corner" => Arc::new(Corner::new()),
        "eight" => Arc::new(Eight::from_spec(spec)?),
        _ => return Ok(None),
    }))
}
