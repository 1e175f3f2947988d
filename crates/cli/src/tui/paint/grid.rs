//! Grids of cells, as large as the window allows.

use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use ratatui::style::Style;

use super::write;
use crate::tui::theme;

/// A horizontal line of a grid: `left`, then cells of this width with `between` them, then `right`.
pub(super) fn rule(cells: u16, width: u16, [left, between, right]: [char; 3]) -> String {
    let mut line = String::from(left);
    for cell in 0..cells {
        line.extend(std::iter::repeat_n('─', usize::from(width)));
        line.push(if cell + 1 < cells { between } else { right });
    }
    line
}

/// A grid of cells with lines between them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    pub(super) cols: u16,
    pub(super) rows: u16,
    pub(super) width: u16,
    pub(super) height: u16,
}

impl Grid {
    pub(super) fn size(self) -> Size {
        Size::new(
            self.cols * (self.width + 1) + 1,
            self.rows * (self.height + 1) + 1,
        )
    }

    /// Draws the lines with the upper left corner here.
    pub(super) fn paint(self, (x, y): (u16, u16), style: Style, buffer: &mut Buffer) {
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
    pub(super) fn cell(self, col: u16, row: u16) -> (u16, u16) {
        (1 + col * (self.width + 1), 1 + row * (self.height + 1))
    }
}

/// How a grid is drawn: with lines between its cells, or without inside a frame.
#[derive(Debug, Clone, Copy)]
pub(super) enum Look {
    Lines(Grid),
    Dense(Grid),
}

impl Look {
    pub(super) fn size(self) -> Size {
        match self {
            Self::Lines(grid) => grid.size(),
            Self::Dense(grid) => frame(grid).size(),
        }
    }

    /// The size of a cell.
    pub(super) fn cell_size(self) -> Size {
        let (Self::Lines(grid) | Self::Dense(grid)) = self;
        Size::new(grid.width, grid.height)
    }

    /// The upper left corner of a cell, relative to that of the picture.
    pub(super) fn cell(self, col: u16, row: u16) -> (u16, u16) {
        match self {
            Self::Lines(grid) => grid.cell(col, row),
            Self::Dense(grid) => (1 + grid.width * col, 1 + grid.height * row),
        }
    }

    /// Draws the lines with the upper left corner here.
    pub(super) fn paint(self, corner: (u16, u16), buffer: &mut Buffer) {
        match self {
            Self::Lines(grid) => grid.paint(corner, theme::FAINT, buffer),
            Self::Dense(grid) => frame(grid).paint(corner, theme::FAINT, buffer),
        }
    }
}

/// The frame of a dense grid.
fn frame(grid: Grid) -> Grid {
    Grid {
        cols: 1,
        rows: 1,
        width: grid.width * grid.cols,
        height: grid.height * grid.rows,
    }
}
