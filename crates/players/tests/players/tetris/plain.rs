//! Features counted cell by cell, as they are defined: what the fast ones must agree with.

use std::collections::BTreeSet;

use games::tetris::{ColumnBits, Gravity, Placement, Position, Tetris};

/// Rows of cells, the lowest first.
type Cells = Vec<Vec<bool>>;

/// A placement, cell by cell: the board before, where the piece lies, and the board after.
pub(super) struct Made {
    before: Cells,
    after: Cells,
    /// Column and row of every cell of the piece.
    piece: Vec<(usize, usize)>,
    lines: usize,
    /// Cells of the piece in the rows that it made full.
    own_cells: usize,
}

impl Made {
    /// The placement of the current piece on this board, which must be legal.
    pub(super) fn of<C: ColumnBits>(
        game: &Tetris<C>,
        position: &Position<C>,
        placement: Placement,
    ) -> Self {
        let before = cells(position);
        let piece = drop_piece(game, position, placement, &before);
        let mut put = before.clone();
        for &(column, row) in &piece {
            put[row][column] = true;
        }
        let is_full = |row: usize| put[row].iter().all(|&filled| filled);
        let own_cells = piece.iter().filter(|cell| is_full(cell.1)).count();
        let (after, lines) = match game.rules().gravity {
            Gravity::Rows => without_full_rows(put),
            Gravity::Cascade => {
                let mut next = *position;
                games::Game::play_unchecked(game, &mut next, placement);
                let lines = next.clears().lines() - position.clears().lines();
                (cells(&next), lines as usize)
            }
        };
        Self {
            before,
            after,
            piece,
            lines,
            own_cells,
        }
    }

    pub(super) fn five(&self) -> Vec<f64> {
        let height = highest(&self.after) as f64 - highest(&self.before) as f64;
        let gaps = holes(&self.after) as f64 - holes(&self.before) as f64;
        let (pile, walls) = self.touches();
        vec![height, pile as f64, walls as f64, gaps, self.lines as f64]
    }

    /// The five and the ratio of gaps below the piece to those of the other columns.
    pub(super) fn six(&self) -> Vec<f64> {
        let lowest = |column: usize| {
            let rows = self.piece.iter().filter(|cell| cell.0 == column);
            rows.map(|cell| cell.1).min()
        };
        let is_empty = |column: usize, row: usize| !self.before[row][column];
        let (mut below, mut elsewhere) = (0, 0);
        for column in 0..self.before[0].len() {
            if let Some(lowest) = lowest(column) {
                let highest = self.piece.iter().filter(|cell| cell.0 == column);
                let highest = highest.map(|cell| cell.1).max().unwrap_or(0);
                let empty = (0..highest).filter(|&row| {
                    is_empty(column, row) && (row < lowest || !self.piece.contains(&(column, row)))
                });
                below += empty.count();
            } else {
                let is_filled = |row: usize| self.before[row][column];
                let top = (0..self.before.len()).rev().find(|&row| is_filled(row));
                elsewhere += (0..top.unwrap_or(0))
                    .filter(|&row| is_empty(column, row))
                    .count();
            }
        }
        let parts = (1024 * below / elsewhere.max(1)) as f64;
        let mut six = self.five();
        six.push(parts / 1024.0);
        six
    }

    pub(super) fn fifteen(&self) -> Vec<f64> {
        let powers = |x: f64| [x, x * x, x * x * x];
        self.five().into_iter().flat_map(powers).collect()
    }

    pub(super) fn twenty(&self) -> Vec<f64> {
        let powers = |x: f64| {
            let logarithm = (1024.0 * x.abs().ln_1p()).floor() / 1024.0;
            [x, x * x, x * x * x, x.signum() * logarithm]
        };
        self.five().into_iter().flat_map(powers).collect()
    }

    pub(super) fn ten(&self) -> Vec<f64> {
        let with_square = |feature: f64| [feature, feature * feature];
        self.five().into_iter().flat_map(with_square).collect()
    }

    /// The five as the listings of tetris-ga count them, in the order of its tables.
    pub(super) fn five_as_published(&self) -> Vec<f64> {
        let landing = self.piece.iter().map(|cell| cell.1).min().unwrap_or(0);
        let on_floor = self.piece.iter().filter(|cell| cell.1 == 0).count();
        let gaps = holes(&self.after) as f64 - holes(&self.before) as f64;
        let (pile, walls) = self.touches();
        let counts = [landing, self.lines, walls - on_floor];
        let mut five: Vec<f64> = counts.map(|count| count as f64).into();
        five.extend([gaps, pile as f64]);
        five
    }

    pub(super) fn ten_as_published(&self) -> Vec<f64> {
        let with_square = |feature: f64| [feature, feature * feature];
        let five = self.five_as_published().into_iter();
        five.flat_map(with_square).collect()
    }

    pub(super) fn surface(&self) -> Vec<f64> {
        let rows = || self.piece.iter().map(|cell| cell.1 as f64);
        let low = rows().fold(f64::INFINITY, f64::min);
        let high = rows().fold(0.0, f64::max);
        let board = &self.after;
        let counts = [
            self.lines * self.own_cells,
            row_transitions(board),
            column_transitions(board),
            holes(board),
            wells(board),
            hole_depth(board),
            rows_with_holes(board),
            diversity(board),
        ];
        let rest = counts.into_iter().map(|count| count as f64);
        std::iter::once(low + (high - low) / 2.0)
            .chain(rest)
            .collect()
    }

    /// Those of the surface, the last column reserved: to its right nothing is filled.
    pub(super) fn points(&self) -> Vec<f64> {
        let board = &self.after;
        let last = board[0].len() - 1;
        let open = |row: &Vec<bool>| {
            let cells = std::iter::once(true).chain(row.iter().copied());
            changes(cells.chain(std::iter::once(false)))
        };
        let of_lines = |lines| 10 * usize::from(self.lines.min(4) == lines);
        let is_ready = |row: &usize| {
            let is_free = board[*row..].iter().all(|cells| !cells[last]);
            is_free && board[*row][..last].iter().all(|&filled| filled)
        };
        let high = |column: usize| {
            let height = board.iter().rposition(|row| row[column]);
            let height = height.map_or(0, |row| row + 1);
            height.saturating_sub(board.len() / 2).pow(2)
        };
        let counts = [
            board.iter().map(open).sum(),
            column_transitions(board),
            holes(board),
            wells_in(board, last),
            hole_depth(board),
            rows_with_holes(board),
            of_lines(1),
            of_lines(2),
            of_lines(3),
            of_lines(4),
            (0..board.len()).filter(is_ready).count(),
            board.iter().filter(|row| row[last]).count(),
            diversity(board),
            (0..=last).map(high).sum(),
        ];
        let landing = self.surface()[0];
        let rest = counts.into_iter().map(|count| count as f64);
        std::iter::once(landing).chain(rest).collect()
    }

    /// Edges of the piece at filled cells, and at walls and floor.
    fn touches(&self) -> (usize, usize) {
        let (mut pile, mut walls) = (0, 0);
        for &(column, row) in &self.piece {
            let (column, row) = (column as isize, row as isize);
            for (x, y) in [
                (column - 1, row),
                (column + 1, row),
                (column, row - 1),
                (column, row + 1),
            ] {
                let is_wall = x < 0 || x >= self.before[0].len() as isize || y < 0;
                walls += usize::from(is_wall);
                pile += usize::from(!is_wall && is_filled(&self.before, x, y));
            }
        }
        (pile, walls)
    }
}

fn cells<C: ColumnBits>(position: &Position<C>) -> Cells {
    let board = position.board();
    (0..board.rows())
        .map(|row| {
            (0..board.width())
                .map(|column| board.is_filled(column, row))
                .collect()
        })
        .collect()
}

/// Lets the piece sink from above until it would overlap or leave the board.
fn drop_piece<C: ColumnBits>(
    game: &Tetris<C>,
    position: &Position<C>,
    placement: Placement,
    board: &Cells,
) -> Vec<(usize, usize)> {
    let piece = game.hand(position).piece(placement.hold);
    let shape = game.shape(piece.expect("a legal move"));
    let masks = shape.rotations()[usize::from(placement.rotation)].masks();
    let own = (0..).zip(masks).flat_map(|(column, &mask)| {
        (0..8_isize)
            .filter(move |row| mask >> row & 1 == 1)
            .map(move |row| (column, row))
    });
    let own: Vec<(isize, isize)> = own.collect();
    let left = isize::from(placement.column);
    let free = |row: isize| {
        own.iter()
            .all(|&(x, y)| y + row >= 0 && !is_filled(board, x + left, y + row))
    };
    let mut row = board.len() as isize;
    while free(row - 1) {
        row -= 1;
    }
    own.iter()
        .map(|&(x, y)| ((x + left) as usize, (y + row) as usize))
        .collect()
}

fn without_full_rows(board: Cells) -> (Cells, usize) {
    let (height, width) = (board.len(), board[0].len());
    let mut left: Cells = board
        .into_iter()
        .filter(|row| row.contains(&false))
        .collect();
    let lines = height - left.len();
    left.resize(height, vec![false; width]);
    (left, lines)
}

/// Above the top nothing is filled.
fn is_filled(board: &Cells, column: isize, row: isize) -> bool {
    board
        .get(row as usize)
        .is_some_and(|cells| cells[column as usize])
}

fn highest(board: &Cells) -> usize {
    board
        .iter()
        .rposition(|row| row.contains(&true))
        .map_or(0, |row| row + 1)
}

fn heights(board: &Cells) -> Vec<usize> {
    let top = |column: usize| {
        board
            .iter()
            .rposition(|row| row[column])
            .map_or(0, |row| row + 1)
    };
    (0..board[0].len()).map(top).collect()
}

fn all_cells(board: &Cells) -> impl Iterator<Item = (usize, usize)> {
    let (height, width) = (board.len(), board[0].len());
    (0..width).flat_map(move |column| (0..height).map(move |row| (column, row)))
}

/// Column and row of every hole.
fn hole_cells(board: &Cells) -> Vec<(usize, usize)> {
    let heights = heights(board);
    let is_hole = |&(column, row): &(usize, usize)| !board[row][column] && row < heights[column];
    all_cells(board).filter(is_hole).collect()
}

fn holes(board: &Cells) -> usize {
    hole_cells(board).len()
}

fn changes(cells: impl Iterator<Item = bool>) -> usize {
    let cells: Vec<bool> = cells.collect();
    cells.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

fn row_transitions(board: &Cells) -> usize {
    let wall = || std::iter::once(true);
    board
        .iter()
        .map(|row| changes(wall().chain(row.iter().copied()).chain(wall())))
        .sum()
}

fn column_transitions(board: &Cells) -> usize {
    let count = |column: usize| {
        let cells = board.iter().map(|row| row[column]);
        changes(
            std::iter::once(true)
                .chain(cells)
                .chain(std::iter::once(false)),
        )
    };
    (0..board[0].len()).map(count).sum()
}

fn wells(board: &Cells) -> usize {
    wells_in(board, board[0].len())
}

/// The wells of the first columns.
fn wells_in(board: &Cells, columns: usize) -> usize {
    let width = board[0].len();
    let mut wells = 0;
    for (column, row) in all_cells(board).filter(|cell| cell.0 < columns) {
        let left = column == 0 || board[row][column - 1];
        let right = column + 1 == width || board[row][column + 1];
        if left && right {
            wells += (0..=row)
                .rev()
                .take_while(|&row| !board[row][column])
                .count();
        }
    }
    wells
}

fn hole_depth(board: &Cells) -> usize {
    let above = |(column, row): (usize, usize)| {
        (row + 1..board.len())
            .take_while(|&row| board[row][column])
            .count()
    };
    hole_cells(board).into_iter().map(above).sum()
}

fn rows_with_holes(board: &Cells) -> usize {
    let rows: BTreeSet<usize> = hole_cells(board).iter().map(|cell| cell.1).collect();
    rows.len()
}

fn diversity(board: &Cells) -> usize {
    let heights = heights(board);
    let steps = |step: &isize| {
        heights
            .windows(2)
            .any(|pair| pair[1] as isize - pair[0] as isize == *step)
    };
    (-2..=2).filter(steps).count()
}
