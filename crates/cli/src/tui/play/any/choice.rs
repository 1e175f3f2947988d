//! The choice of a move: by typing its text, or by pointing at it.

use play::any::AnyPosition;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::tui::keys::Way;
use crate::tui::paint::sketch::changes;
use crate::tui::stage::PANEL;

/// Lines of the list of moves.
const MOST_LINES: usize = 6;

/// A legal move.
#[derive(Debug)]
struct Candidate {
    text: String,
    /// The cells of the sketch that it would change.
    cells: Vec<usize>,
    /// The middle of these cells, row and column.
    place: Option<(f64, f64)>,
}

/// The legal moves of a position, one of which is pointed at.
#[derive(Debug, Default)]
pub(super) struct Choice {
    candidates: Vec<Candidate>,
    at: usize,
    typed: String,
}

/// What a letter did.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// No move is written so.
    Nothing,
    /// It is the beginning of a move.
    Part,
    /// It completed a move, which is pointed at now, and is the beginning of no other.
    Whole,
}

impl Choice {
    /// All moves of a position, pointing at the one that is nearest to that of the `last` choice.
    pub(super) fn new(position: &AnyPosition, last: &Self) -> Self {
        let sketch = position.sketch();
        let candidate = |text: String| {
            let mut next = position.clone();
            next.play(&text).expect("the move is legal");
            let cells = changes(&sketch, &next.sketch());
            let place = middle(&cells, sketch.cols);
            Candidate { text, cells, place }
        };
        let candidates: Vec<_> = position.moves().into_iter().map(candidate).collect();
        let here = last.candidates.get(last.at).and_then(|last| last.place);
        let distance = |at: &usize| match (here, candidates[*at].place) {
            (Some((row, col)), Some((other_row, other_col))) => {
                (row - other_row).hypot(col - other_col)
            }
            _ => f64::INFINITY,
        };
        let nearest = (0..candidates.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        Self {
            at: nearest.unwrap_or(0),
            candidates,
            typed: String::new(),
        }
    }

    fn chosen(&self) -> Option<&Candidate> {
        self.candidates.get(self.at)
    }

    /// The move that is pointed at.
    pub(super) fn text(&self) -> Option<&str> {
        self.chosen().map(|chosen| chosen.text.as_str())
    }

    /// The cells that it would change.
    pub(super) fn cells(&self) -> &[usize] {
        self.chosen().map_or(&[], |chosen| &chosen.cells)
    }

    /// Moves that change one cell each, by that cell.
    pub(super) fn by_cell(&self) -> Vec<(usize, String)> {
        let single = |candidate: &Candidate| match candidate.cells[..] {
            [cell] => Some((cell, candidate.text.clone())),
            _ => None,
        };
        self.candidates.iter().filter_map(single).collect()
    }

    /// Points at the nearest move that way on the board, or at the next in the list.
    pub(super) fn point(&mut self, way: Way) {
        let (down, right) = match way {
            Way::Up => (-1.0, 0.0),
            Way::Right => (0.0, 1.0),
            Way::Down => (1.0, 0.0),
            Way::Left => (0.0, -1.0),
        };
        let cost = |at: &usize| {
            let (row, col) = self.chosen()?.place?;
            let (other_row, other_col) = self.candidates[*at].place?;
            let (rows, cols) = (other_row - row, other_col - col);
            let (along, across) = (rows * down + cols * right, rows * right + cols * down);
            (along > 0.0 && across.abs() <= along).then_some(along + 2.0 * across.abs())
        };
        let costs = (0..self.candidates.len()).filter_map(|at| Some((at, cost(&at)?)));
        match costs.min_by(|(_, a), (_, b)| a.total_cmp(b)) {
            Some((at, _)) => self.at = at,
            None if matches!(way, Way::Down | Way::Right) => self.next(),
            None => self.previous(),
        }
    }

    /// Points at the next move of the list; after the last comes the first.
    pub(super) fn next(&mut self) {
        self.at = (self.at + 1) % self.candidates.len().max(1);
    }

    fn previous(&mut self) {
        let count = self.candidates.len().max(1);
        self.at = (self.at + count - 1) % count;
    }

    /// Could this letter be the next of a move?
    pub(super) fn continues(&self, letter: char) -> bool {
        let begins = |typed: String| self.beginning_with(&typed).next().is_some();
        begins(format!("{}{letter}", self.typed)) || begins(letter.to_string())
    }

    fn beginning_with(&self, typed: &str) -> impl Iterator<Item = usize> {
        let typed = typed.to_ascii_lowercase();
        let texts = self.candidates.iter().enumerate();
        texts
            .filter(move |(_, own)| own.text.to_ascii_lowercase().starts_with(&typed))
            .map(|(at, _)| at)
    }

    /// Types a letter; one that does not continue what was typed begins anew.
    pub(super) fn type_letter(&mut self, letter: char) -> Typed {
        for typed in [format!("{}{letter}", self.typed), letter.to_string()] {
            let mut matching = self.beginning_with(&typed);
            let (first, others) = (matching.next(), matching.count());
            if let Some(first) = first {
                let is_whole = others == 0 && self.candidates[first].text.len() == typed.len();
                self.at = first;
                self.typed = typed;
                return if is_whole { Typed::Whole } else { Typed::Part };
            }
        }
        Typed::Nothing
    }

    /// Forgets the last letter; false if there is none.
    pub(super) fn erase(&mut self) -> bool {
        self.typed.pop().is_some()
    }

    /// What has been typed.
    pub(super) fn typed(&self) -> &str {
        &self.typed
    }

    /// The list of moves, the chosen one in brackets; of many those around it.
    pub(super) fn list(&self) -> Vec<Line<'static>> {
        let mut lines: Vec<Vec<Span<'static>>> = vec![Vec::new()];
        let (mut width, mut line_of_chosen) = (0, 0);
        for (at, candidate) in self.candidates.iter().enumerate() {
            let (text, style) = match at == self.at {
                true => (
                    format!("[{}]", candidate.text),
                    Style::new().add_modifier(Modifier::REVERSED),
                ),
                false => (format!(" {} ", candidate.text), Style::new()),
            };
            let length = text.chars().count();
            if width > 0 && width + length > usize::from(PANEL) {
                lines.push(Vec::new());
                width = 0;
            }
            width += length;
            if at == self.at {
                line_of_chosen = lines.len() - 1;
            }
            lines
                .last_mut()
                .expect("there is one")
                .push(Span::styled(text, style));
        }
        let first = line_of_chosen
            .saturating_sub(MOST_LINES / 2)
            .min(lines.len().saturating_sub(MOST_LINES));
        let shown = lines.into_iter().skip(first).take(MOST_LINES);
        shown.map(Line::from).collect()
    }
}

/// The middle of cells of a grid with so many columns.
fn middle(cells: &[usize], cols: usize) -> Option<(f64, f64)> {
    let count = cells.len() as f64;
    let mean = |of: fn(usize, usize) -> usize| {
        cells.iter().map(|&cell| of(cell, cols) as f64).sum::<f64>() / count
    };
    (!cells.is_empty()).then(|| {
        (
            mean(|cell, cols| cell / cols),
            mean(|cell, cols| cell % cols),
        )
    })
}
