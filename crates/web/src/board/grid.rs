//! The board of a game without a drawing of its own: labelled cells, and lines of text beside them.

use play::any::AnyPosition;
use serde::Serialize;
use utoipa::ToSchema;

/// Labelled cells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Grid {
    /// What stands beside the cells.
    lines: Vec<String>,
}

pub(super) fn draw(position: &AnyPosition) -> Grid {
    Grid {
        lines: vec![position.to_string()],
    }
}
