//! Connect-N: stones X and O, a winning line in brackets, numbers under the columns.

use std::cmp::Ordering;

use games::Turn;
use games::connect::{Bits, Column, Connect, Position, Rules};
use play::advice::short_text;
use play::any::AnyPosition;
use play::proofs::Worth;
use players::solver::Verdict;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use super::grid::{Grid, Look};
use super::{MARKS, Painter, winner_notice, write};
use crate::tui::stage::{Notice, Picture, row};
use crate::tui::theme::{self, DARK, on};

/// Orange and blue differ in every kind of colour blindness.
const STONES: [Style; 2] = [on(214, DARK), on(74, DARK)];
/// Stones of a winning line.
const WINNING: Style = on(231, DARK);
/// Widths of a cell between lines, the largest first.
const WIDTHS: [u16; 2] = [5, 3];
/// The width of a cell without lines.
const DENSE: u16 = 2;

/// How a stone of this seat looks.
pub(crate) fn stone_style(seat: u8) -> Style {
    STONES[usize::from(seat) % 2]
}

/// Who owns which cell of a board of any size.
#[derive(Debug)]
pub(crate) struct Stones {
    pub(crate) rows: u8,
    pub(crate) cols: u8,
    /// Stones in a line that win.
    pub(crate) connect: u8,
    /// Seats, row by row from below.
    cells: Vec<Option<u8>>,
}

impl Stones {
    pub(crate) fn of(position: &AnyPosition) -> Self {
        match position.typed::<Connect<u64>>() {
            Some((game, position)) => Self::read(game.rules(), position),
            None => {
                let (game, position) = position.own::<Connect<u128>>();
                Self::read(game.rules(), position)
            }
        }
    }

    fn read<B: Bits>(rules: Rules, position: &Position<B>) -> Self {
        let Rules {
            rows,
            cols,
            connect,
            ..
        } = rules;
        let cells = (0..rows).flat_map(|row| (0..cols).map(move |column| (row, column)));
        Self {
            rows,
            cols,
            connect,
            cells: cells
                .map(|(row, column)| position.stone(row, column))
                .collect(),
        }
    }

    fn stone(&self, row: u8, column: u8) -> Option<u8> {
        self.cells[usize::from(row) * usize::from(self.cols) + usize::from(column)]
    }
}

/// A board, the stone that hangs over it, and the stone that fell last.
pub(crate) struct Board {
    pub(crate) stones: Stones,
    /// Seat and column of the stone that is about to be dropped.
    pub(crate) hanging: Option<(u8, u8)>,
    /// The column of the last move.
    pub(crate) last: Option<Column>,
    /// What is written over the columns; none if no row is kept for it.
    pub(crate) scores: Option<Vec<Score>>,
}

/// What a move into a column is worth to somebody.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Score {
    pub(crate) column: Column,
    /// None if that is not known.
    pub(crate) value: Option<Value>,
    /// Is it the move that they would make?
    pub(crate) is_best: bool,
}

/// The value of a move.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value {
    /// A player's own.
    Own(f64),
    /// What is proved, or estimated until it is.
    Proof(Worth),
}

impl Value {
    fn text(self, width: usize) -> String {
        match self {
            Self::Own(value) => short_text(value, width),
            Self::Proof(worth) => worth.text(width),
        }
    }

    /// By who wins; an estimate is faint.
    fn style(self) -> Style {
        let sign = match self {
            Self::Own(value) => value.partial_cmp(&0.0),
            Self::Proof(Worth::Score(score)) => Some(score.cmp(&0)),
            Self::Proof(Worth::Verdict(verdict)) => Some(verdict.cmp(&Verdict::Draw)),
            Self::Proof(Worth::Estimate(_) | Worth::Unknown) => None,
        };
        match sign {
            Some(Ordering::Greater) => theme::GOOD,
            Some(Ordering::Less) => theme::BAD,
            Some(Ordering::Equal) => theme::TITLE,
            None => theme::FAINT,
        }
    }
}

impl Score {
    /// The text over a column of this width, and how it looks.
    fn label(&self, width: usize) -> (String, Style) {
        let text = match self.value {
            Some(value) => value.text(width),
            None if self.is_best => "▼".to_owned(),
            None => String::new(),
        };
        let style = self.value.map_or(theme::TITLE, Value::style);
        match self.is_best {
            true if text.len() + 2 <= width => {
                (format!("[{text}]"), style.add_modifier(Modifier::REVERSED))
            }
            true => (text, style.add_modifier(Modifier::REVERSED)),
            false => (text, style),
        }
    }
}

impl Board {
    fn looks(&self) -> impl Iterator<Item = Look> {
        let grid = |width| Grid {
            cols: self.stones.cols.into(),
            rows: self.stones.rows.into(),
            width,
            height: 1,
        };
        let lines = WIDTHS
            .into_iter()
            .map(move |width| Look::Lines(grid(width)));
        lines.chain([Look::Dense(grid(DENSE))])
    }

    /// With what stands above, and the row below for the numbers.
    fn size_of(&self, look: Look) -> Size {
        let board = look.size();
        Size::new(board.width, self.above() + board.height + 1)
    }

    /// Rows for the hanging stone and for scores.
    fn above(&self) -> u16 {
        1 + u16::from(self.scores.is_some())
    }

    fn paint_scores(&self, look: Look, (x, y): (u16, u16), buffer: &mut Buffer) {
        let width = usize::from(look.cell_size().width);
        for score in self.scores.iter().flatten() {
            let (text, style) = score.label(width);
            let at = x + look.cell(score.column.0.into(), 0).0;
            let left = (width - text.chars().count().min(width)) / 2;
            write(buffer, (at + left as u16, y), &text, style);
        }
    }

    fn paint_stones(&self, look: Look, (x, y): (u16, u16), buffer: &mut Buffer) {
        let winning = winning_cells(&self.stones);
        let rows = self.stones.rows;
        for column in 0..self.stones.cols {
            let top = (0..rows)
                .rev()
                .find(|&row| self.stones.stone(row, column).is_some());
            for row in 0..rows {
                let (dx, dy) = look.cell(column.into(), (rows - 1 - row).into());
                let at = (x + dx, y + dy);
                let wins = winning.contains(&(row, column));
                let is_last = top == Some(row) && self.last == Some(Column(column));
                match self.stones.stone(row, column) {
                    Some(seat) => {
                        let colours = if wins { WINNING } else { stone_style(seat) };
                        let text = stone(seat, look.cell_size().width, wins, is_last);
                        write(buffer, at, &text, colours);
                    }
                    None => write(buffer, at, &empty(look.cell_size().width), theme::FAINT),
                }
            }
        }
    }
}

/// The text of a stone: in brackets if it wins, with a dot if it fell last.
fn stone(seat: u8, width: u16, wins: bool, is_last: bool) -> String {
    let mark = MARKS[usize::from(seat) % 2];
    let text = match (width, wins, is_last) {
        (DENSE, true, _) => format!("{mark}]"),
        (DENSE, false, true) => format!("{mark}·"),
        (DENSE, false, false) => format!("{mark} "),
        (_, true, _) => format!("[{mark}]"),
        (_, false, true) => format!("·{mark}·"),
        (_, false, false) => mark.to_owned(),
    };
    format!("{text:^width$}", width = usize::from(width))
}

fn empty(width: u16) -> String {
    let text = if width == DENSE { "· " } else { "" };
    format!("{text:^width$}", width = usize::from(width))
}

impl Picture for Board {
    fn size(&self, room: Size) -> Size {
        let fits = |size: &Size| size.width <= room.width && size.height <= room.height;
        let sizes = || self.looks().map(|look| self.size_of(look));
        let largest = sizes().find(fits);
        largest.or_else(|| sizes().last()).unwrap_or_default()
    }

    fn paint(&self, area: Rect, buffer: &mut Buffer) {
        let fits = |look: &Look| self.size_of(*look) == area.as_size();
        let Some(look) = self.looks().find(fits) else {
            return;
        };
        let corner = (area.x, area.y + self.above());
        self.paint_scores(look, (area.x, area.y), buffer);
        look.paint(corner, buffer);
        self.paint_stones(look, corner, buffer);
        let width = usize::from(look.cell_size().width);
        if let Some((seat, column)) = self.hanging {
            let at = (area.x + look.cell(column.into(), 0).0, corner.1 - 1);
            write(
                buffer,
                at,
                &stone(seat, look.cell_size().width, false, false),
                stone_style(seat),
            );
        }
        for column in 0..u16::from(self.stones.cols) {
            // Three digits do not fit a dense cell; the last two still tell neighbours apart.
            let label = ((column + 1) % 100).to_string();
            let at = (area.x + look.cell(column, 0).0, area.bottom() - 1);
            write(buffer, at, &format!("{label:^width$}"), theme::FAINT);
        }
    }
}

/// Row and column of all cells that belong to a line of at least `connect` stones of one player.
fn winning_cells(stones: &Stones) -> Vec<(u8, u8)> {
    let (rows, cols) = (i16::from(stones.rows), i16::from(stones.cols));
    let mut cells = Vec::new();
    for (start_row, start_col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
        for (up, right) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            let line =
                (0..i16::from(stones.connect)).map(|n| (start_row + n * up, start_col + n * right));
            let owner = |(row, col): (i16, i16)| {
                let inside = (0..rows).contains(&row) && (0..cols).contains(&col);
                inside.then(|| stones.stone(row as u8, col as u8)).flatten()
            };
            let first = owner((start_row, start_col));
            if first.is_some() && line.clone().all(|cell| owner(cell) == first) {
                cells.extend(line.map(|(row, col)| (row as u8, col as u8)));
            }
        }
    }
    cells
}

/// Draws Connect-N; remembers the last move.
#[derive(Debug, Default)]
pub(crate) struct Painted {
    last: Option<Column>,
}

pub(super) fn painter(position: &AnyPosition) -> Option<Box<dyn Painter>> {
    let narrow = position.typed::<Connect<u64>>().is_some();
    let is_own = narrow || position.typed::<Connect<u128>>().is_some();
    is_own.then(|| Box::new(Painted::default()) as Box<dyn Painter>)
}

impl Painter for Painted {
    fn remember(&mut self, _: &AnyPosition, chosen: &str, _: &AnyPosition) {
        self.last = chosen.parse().ok();
    }

    fn picture<'a>(&'a self, position: &'a AnyPosition) -> Box<dyn Picture + 'a> {
        Box::new(Board {
            stones: Stones::of(position),
            hanging: None,
            last: self.last,
            scores: None,
        })
    }

    fn panel(&self, position: &AnyPosition) -> Vec<Line<'static>> {
        let next = match position.turn() {
            Turn::Player(seat) => MARKS[usize::from(seat)],
            Turn::Chance | Turn::Over => "-",
        };
        vec![
            row("In a line", &Stones::of(position).connect.to_string()),
            row("Turn", next),
        ]
    }

    fn verdict(&self, position: &AnyPosition, players: &[String]) -> Notice {
        winner_notice(position, players)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(options: &str, moves: &str, expected: &[(u8, u8)]) {
        let rules = Rules::from_options(&options.parse().unwrap()).unwrap();
        let game = Connect::<u64>::new(rules);
        let position = game.position_after(moves).unwrap();
        let mut cells = winning_cells(&Stones::read(rules, &position));
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells, expected, "{moves}");
        assert_eq!(!cells.is_empty(), game.winner(&position).is_some());
    }

    #[test]
    fn winning_lines_are_found_in_all_directions() {
        check("", "", &[]);
        check("", "112233", &[]);
        check("", "1122334", &[(0, 0), (0, 1), (0, 2), (0, 3)]);
        check("", "1212121", &[(0, 0), (1, 0), (2, 0), (3, 0)]);
        check("", "12233434474", &[(0, 0), (1, 1), (2, 2), (3, 3)]);
        check("", "76655454414", &[(0, 6), (1, 5), (2, 4), (3, 3)]);
        check(
            "",
            "11223355664",
            &[(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5)],
        );
        check("rows=1 cols=6 connect=2", "132", &[(0, 0), (0, 1)]);
    }
}
