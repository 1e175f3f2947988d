//! Pictures of the games. Each is drawn as large as the window allows.

pub(crate) mod connect;
pub(crate) mod tetris;
pub(crate) mod twenty48;

use games::AnyGame;
use play::any::AnyPosition;
use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::Line;

use super::stage::{Notice, Picture, Place};
use super::theme;

/// Names of the two seats.
pub(crate) const MARKS: [&str; 2] = ["X", "O"];

/// Draws the positions of one game as they come, and remembers what a position alone does not show.
pub(crate) trait Painter {
    /// Remembers a move that led from one position to another (after chance has acted).
    fn remember(&mut self, before: &AnyPosition, chosen: &str, after: &AnyPosition);

    /// The picture of a position.
    fn picture<'a>(&'a self, position: &'a AnyPosition) -> Box<dyn Picture + 'a>;

    /// Lines for the panel beside it.
    fn panel(&self, position: &AnyPosition) -> Vec<Line<'static>>;

    /// The notice at the end of a game between the players of these names.
    fn verdict(&self, position: &AnyPosition, players: &[String]) -> Notice;
}

/// The painter of a game: its own, or one that draws any game.
pub(crate) fn painter(game: &AnyGame) -> Box<dyn Painter> {
    match game {
        AnyGame::Twenty48(_) => Box::new(twenty48::Painted::default()),
        AnyGame::Tetris(_) => Box::new(tetris::Painted::<u32>::default()),
        AnyGame::TallTetris(_) => Box::new(tetris::Painted::<u64>::default()),
        AnyGame::Connect(_) | AnyGame::WideConnect(_) => Box::new(connect::Painted::default()),
    }
}

/// The notice at the end of a game that one of two players has won, or nobody.
fn winner_notice(position: &AnyPosition, players: &[String]) -> Notice {
    let winner = winner(position.score());
    let (title, style) = match winner {
        None => ("Drawn".to_owned(), theme::TITLE),
        Some(seat) => (format!("{} wins", MARKS[usize::from(seat)]), theme::GOOD),
    };
    let name = winner.and_then(|seat| players.get(usize::from(seat)));
    Notice {
        title,
        style,
        lines: name.cloned().into_iter().collect(),
        place: Place::Panel,
    }
}

/// The seat that has won a game for two that ended with this score; none of a draw.
pub(crate) fn winner(score: i64) -> Option<u8> {
    match score.signum() {
        1 => Some(0),
        -1 => Some(1),
        _ => None,
    }
}

/// Writes text at a place, cut at the edge of the buffer.
fn write(buffer: &mut Buffer, (x, y): (u16, u16), text: &str, style: Style) {
    if buffer.area.contains((x, y).into()) {
        buffer.set_string(x, y, text, style);
    }
}

/// A horizontal line of a grid: `left`, then cells of this width with `between` them, then `right`.
fn rule(cells: u16, width: u16, [left, between, right]: [char; 3]) -> String {
    let mut line = String::from(left);
    for cell in 0..cells {
        line.extend(std::iter::repeat_n('─', usize::from(width)));
        line.push(if cell + 1 < cells { between } else { right });
    }
    line
}

/// A grid of cells with lines between them.
#[derive(Debug, Clone, Copy)]
struct Grid {
    cols: u16,
    rows: u16,
    width: u16,
    height: u16,
}

impl Grid {
    fn size(self) -> ratatui::layout::Size {
        ratatui::layout::Size::new(
            self.cols * (self.width + 1) + 1,
            self.rows * (self.height + 1) + 1,
        )
    }

    /// Draws the lines with the upper left corner here.
    fn paint(self, (x, y): (u16, u16), style: Style, buffer: &mut Buffer) {
        let inner = |line: &str| line.replace('─', " ");
        for line in 0..self.size().height {
            let text = match line {
                0 => rule(self.cols, self.width, ['┌', '┬', '┐']),
                _ if line + 1 == self.size().height => rule(self.cols, self.width, ['└', '┴', '┘']),
                _ if line % (self.height + 1) == 0 => rule(self.cols, self.width, ['├', '┼', '┤']),
                _ => inner(&rule(self.cols, self.width, ['│', '│', '│'])),
            };
            write(buffer, (x, y + line), &text, style);
        }
    }

    /// The upper left corner of a cell, relative to that of the grid.
    fn cell(self, col: u16, row: u16) -> (u16, u16) {
        (1 + col * (self.width + 1), 1 + row * (self.height + 1))
    }
}
