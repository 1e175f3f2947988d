//! Pictures of the games. Each is drawn as large as the window allows.

pub(crate) mod connect;
pub(crate) mod tetris;
pub(crate) mod twenty48;

use games::Game;
use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::Line;

use super::stage::{Notice, Picture};

/// A game that can be drawn.
pub(crate) trait Paint: Game {
    /// What an onlooker remembers of the moves so far; a position alone may show less.
    type Memory: Default;

    /// Remembers a move that led from one position to another (after chance has acted).
    fn remember(
        &self,
        memory: &mut Self::Memory,
        before: &Self::Position,
        chosen: Self::Move,
        after: &Self::Position,
    );

    /// The picture of a position.
    fn picture<'a>(
        &'a self,
        position: &'a Self::Position,
        memory: &'a Self::Memory,
    ) -> Box<dyn Picture + 'a>;

    /// Lines for the panel beside it.
    fn tell(&self, position: &Self::Position) -> Vec<Line<'static>>;

    /// What is said at the end of a game between the players of these names.
    fn verdict(&self, position: &Self::Position, players: &[String]) -> Notice;
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
