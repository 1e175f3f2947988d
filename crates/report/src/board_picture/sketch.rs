//! Any game: a grid of labelled cells, with lines of text for notes.

use games::{Cell, Sketch};
use play::any::AnyPosition;

use super::{Drawing, ground};
use crate::escaped;

/// Side of a cell, the gap between two, and the height of a line of text.
const CELL: u32 = 56;
const GAP: u32 = 4;
const LINE: u32 = 24;
/// Maximum width of a character.
const CHARACTER: u32 = 10;
const GROUND: &str = "#4e5258";
const EMPTY: &str = "#a5a9af";
const LIGHT: &str = "#ffffff";

/// Colours of the kinds of cells, all readable with dark text; they differ in lightness as well as in hue.
const TONES: [&str; 8] = [
    "#eeeeee", "#ffd787", "#87d7ff", "#ffaf87", "#afd787", "#d7afff", "#ffafd7", "#c6c6c6",
];

/// The picture of a position of a game without its own drawing.
pub(super) fn drawing(position: &AnyPosition) -> Drawing {
    let sketch = position.sketch();
    let notes: Vec<String> = sketch.notes.iter().map(note).collect();
    let longest = notes.iter().map(|note| note.chars().count() as u32).max();
    let side = |cells: usize| GAP + cells as u32 * (CELL + GAP);
    let width = side(sketch.cols).max(longest.unwrap_or(0) * CHARACTER + 2 * GAP);
    let height = side(sketch.rows) + notes.len() as u32 * LINE;
    let mut shapes = ground(width, height, GROUND);
    shapes += "<g font-family=\"sans-serif\" font-weight=\"bold\" text-anchor=\"middle\">";
    for (place, cell) in sketch.cells.iter().enumerate() {
        shapes += &square(&sketch, place, cell);
    }
    shapes += "</g>";
    for (line, note) in (1..).zip(&notes) {
        let y = side(sketch.rows) + line * LINE - LINE / 3;
        shapes += &format!(
            "<text x=\"{GAP}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"16\" fill=\"{LIGHT}\">{note}</text>"
        );
    }
    Drawing {
        title: escaped(&format!("{}: {position}", position.game())),
        width,
        height,
        shapes,
    }
}

fn note((name, text): &(&'static str, String)) -> String {
    escaped(&format!("{name}: {text}"))
}

fn square(sketch: &Sketch, place: usize, cell: &Cell) -> String {
    let at = |number: usize| GAP + number as u32 * (CELL + GAP);
    let (x, y) = (at(place % sketch.cols), at(place / sketch.cols));
    let colour = match cell.tone {
        0 => EMPTY,
        tone => TONES[(usize::from(tone) - 1) % TONES.len()],
    };
    let size = match cell.label.chars().count() {
        0..=2 => 24,
        3..=4 => 16,
        _ => 11,
    };
    let (middle, base) = (x + CELL / 2, y + CELL / 2 + size / 3);
    let label = escaped(&cell.label);
    format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" rx=\"4\" fill=\"{colour}\"/>\
         <text x=\"{middle}\" y=\"{base}\" font-size=\"{size}\" fill=\"#111111\">{label}</text>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board_picture::contrast;

    #[test]
    fn labels_and_notes_can_be_read() {
        for tone in TONES.iter().chain([&EMPTY]) {
            assert!(contrast(tone, "#111111") >= 4.5, "{tone}");
        }
        assert!(contrast(GROUND, LIGHT) >= 4.5);
    }
}
