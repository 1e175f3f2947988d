//! What a network looks at, as text.

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
}
