//! The board of a game without a drawing of its own: labelled cells, and notes beside them.

use std::collections::BTreeMap;

use games::Sketch;
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
    let sketch = position.sketch();
    let mut moves = moves_by_cell(position, &sketch);
    let cells = sketch.cells.into_iter().zip(0..);
    let notes = sketch.notes.into_iter();
    Grid {
        rows: sketch.rows,
        cols: sketch.cols,
        cells: cells
            .map(|(cell, place)| Cell {
                label: cell.label,
                tone: cell.tone,
                chosen: moves.remove(&place).flatten(),
            })
            .collect(),
        notes: notes.map(|(name, text)| Note { name, text }).collect(),
    }
}

/// The move of every cell that some move changes alone; none if several moves do.
fn moves_by_cell(position: &AnyPosition, before: &Sketch) -> BTreeMap<usize, Option<String>> {
    let mut moves = BTreeMap::new();
    for chosen in position.moves() {
        if let Some(place) = only_change(position, before, &chosen) {
            let is_known = moves.contains_key(&place);
            moves.insert(place, (!is_known).then_some(chosen));
        }
    }
    moves
}

/// The cell that a move changes, if it changes one only.
fn only_change(position: &AnyPosition, before: &Sketch, chosen: &str) -> Option<usize> {
    let mut after = position.clone();
    after.play(chosen).ok()?;
    let after = after.sketch();
    let pairs = before.cells.iter().zip(&after.cells).enumerate();
    let mut changes = pairs.filter(|(_, (old, new))| old != new);
    let (place, _) = changes.next()?;
    changes.next().is_none().then_some(place)
}
