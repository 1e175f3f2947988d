//! What a network looks at, as text.

use super::Tuples;

/// Tuples and stages of a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// A named set of tuples, or a list of their cells.
    pub tuples: String,
    /// Tiles that begin another stage, ascending; every stage has tables of its own.
    pub stages: Vec<u64>,
}

/// Why a shape does not fit a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ShapeError(pub(super) String);

impl Shape {
    /// A network of one stage.
    #[must_use]
    pub fn of(tuples: &str) -> Self {
        Self {
            tuples: tuples.to_owned(),
            stages: Vec::new(),
        }
    }

    /// The same with its tuples listed, whatever they were named by.
    pub fn listed(&self, rows: u8, cols: u8) -> Result<Self, ShapeError> {
        Ok(Self {
            tuples: Tuples::read(&self.tuples, rows, cols)?.to_string(),
            stages: self.stages.clone(),
        })
    }
}
