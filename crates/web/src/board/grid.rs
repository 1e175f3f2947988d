//! The board of a game without a drawing of its own: labelled cells, and notes beside them.

use play::any::AnyPosition;
use serde::Serialize;
use utoipa::ToSchema;

/// Labelled cells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Grid {
    rows: usize,
    cols: usize,
    /// Row by row from the top.
    cells: Vec<Cell>,
    /// What stands beside the cells.
    notes: Vec<Note>,
}

/// A labelled cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct Cell {
    /// A few characters; none for an empty cell.
    label: String,
    /// What it is, as a number: cells that differ in kind differ in tone. 0 is an empty cell.
    tone: u8,
    /// The move that a click on this cell makes: the only one that changes this cell and no other.
    #[serde(rename = "move")]
    chosen: Option<String>,
}

/// A line beside the cells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct Note {
    name: &'static str,
    text: String,
}

pub(super) fn draw(position: &AnyPosition) -> Grid {
    let text = position.to_string();
    Grid {
        rows: 0,
        cols: 0,
        cells: Vec::new(),
        notes: vec![Note {
            name: "position",
            text,
        }],
    }
}
