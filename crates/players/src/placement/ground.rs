//! A board made ready to drop pieces on, in all columns at once.

use games::tetris::{Board, ColumnBits, Gravity};

use super::lack::{LACKS, Lack};
use super::lanes::{ByColumn, LANES, Lanes, ROOM, WALLS, counts, eight, lanes, windows};
use super::turned::Turned;

/// Higher than any column: a piece that reaches beyond the last column cannot fit. Its square must not
/// overflow.
const WALL: i32 = 1 << 10;

/// A board, its columns between walls.
#[derive(Debug, Clone)]
pub(crate) struct Ground<C> {
    pub(crate) board: Board<C>,
    pub(crate) beyond: C,
    pub(crate) columns: ByColumn<C>,
    pub(crate) heights: ByColumn<i32>,
    lack: Lack<C>,
    /// The rows that lack this many cells, from none to as many as a piece can fill.
    pub(crate) lacking: [C; LACKS],
}

/// Where a piece comes to lie, by the column of its left edge, for the eight columns from `start` on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drops {
    pub(crate) start: usize,
    /// The row of its lowest cell. Where it would reach beyond the last column this is huge.
    pub(crate) rows: Lanes,
    /// The empty cells it covers, its own gaps among them.
    pub(crate) covered: Lanes,
    /// The rows it makes full, counted from its own lowest; none where it cannot be.
    pub(crate) full: Lanes,
}

/// What a placement that makes rows full leaves.
#[derive(Debug, Clone)]
pub(crate) struct Cleared<C> {
    /// The board, and rows of it that are still to be taken out.
    pub(crate) board: Board<C>,
    pub(crate) taken: C,
    pub(crate) lines: i32,
    /// Cells of the piece in the rows that it made full.
    pub(crate) own_cells: i32,
}

impl<C: ColumnBits> Ground<C> {
    /// The columns `beyond` the board, to its right, are full or empty.
    pub(crate) fn of(board: &Board<C>, beyond: C) -> Self {
        let mut columns = [C::ALL; ROOM];
        let (inside, outside) = columns[WALLS..].split_at_mut(board.width() as usize);
        inside.copy_from_slice(board.columns());
        outside.fill(beyond);
        let mut heights = [WALL; ROOM];
        for (height, column) in heights[WALLS..].iter_mut().zip(board.columns()) {
            *height = column.height() as i32;
        }
        let lack = Lack::of(board);
        Self {
            board: *board,
            beyond,
            columns,
            heights,
            lack,
            lacking: lack.exactly(),
        }
    }

    /// Makes of `next` the ground after a drop.
    #[inline]
    pub(crate) fn follow(&self, piece: &Turned, drop: Drop<C>, gravity: Gravity, next: &mut Self) {
        if !drop.full.is_empty() {
            *next = Self::of(&self.cleared(piece, drop, gravity).settled(), self.beyond);
            return;
        }
        next.board = self.board;
        next.beyond = self.beyond;
        next.board.put(&piece.oriented, drop.row, drop.column);
        next.columns = self.columns;
        next.heights = self.heights;
        for foot in &piece.feet {
            let column = WALLS + drop.column as usize + foot.place;
            next.columns[column] |= C::from_mask(foot.mask).up(drop.row);
            next.heights[column] = drop.row as i32 + foot.top;
        }
        next.lack = self.lack.without(piece.digits, drop.row);
        next.lacking = next.lack.exactly();
    }

    /// How many rows without holes lack each number of cells, when the piece has landed in this row.
    #[inline]
    pub(crate) fn open_rows(&self, piece: &Turned, row: u32, holed: C) -> [u32; LACKS] {
        let lacking = self.lack.without(piece.digits, row).exactly();
        lacking.map(|rows| (rows & !holed).count())
    }

    /// Columns of the board.
    #[inline]
    pub(crate) fn width(&self) -> usize {
        self.board.width() as usize
    }

    /// The highest row in which the piece may land.
    #[inline]
    pub(crate) fn highest(&self, piece: &Turned) -> i32 {
        self.board.rows() as i32 - piece.height as i32
    }

    /// Where the piece comes to lie in eight columns.
    #[inline(always)]
    pub(crate) fn drops(&self, piece: &Turned, start: usize) -> Drops {
        let (mut rows, mut sums) = (Lanes::ZERO, Lanes::splat(piece.gaps));
        for foot in &piece.feet {
            let rest = lanes(&self.heights, WALLS + start + foot.place) - Lanes::splat(foot.bottom);
            rows = rows.max(rest);
            sums -= rest;
        }
        Drops {
            start,
            covered: sums + rows * Lanes::splat(piece.width as i32),
            full: self.full(piece, rows),
            rows,
        }
    }

    /// A row is full if the piece fills as many of its cells as are empty.
    #[inline(always)]
    fn full(&self, piece: &Turned, rows: Lanes) -> Lanes {
        let mut full = Lanes::ZERO;
        for &(cells, own) in &piece.rows_of {
            full |= windows(&[self.lacking[cells]; LANES], rows) & Lanes::splat(own as i32);
        }
        full & Lanes::splat(self.highest(piece) + 1).simd_gt(rows)
    }

    /// The columns from `from` on, which is counted with the walls, from the row of each drop on.
    #[inline(always)]
    pub(crate) fn windows(&self, drops: &Drops, from: usize) -> Lanes {
        windows(eight(&self.columns, drops.start + from), drops.rows)
    }

    /// Edges of the piece's left and right sides that touch filled cells or walls; `windows` are those of the columns
    /// from one to the left of the piece on.
    #[inline(always)]
    pub(crate) fn side_touches(piece: &Turned, windows: impl Fn(usize) -> Lanes) -> Lanes {
        let mut touches = Lanes::ZERO;
        // Bits of several columns side by side in a word: counting them is what costs.
        for word in &piece.beside {
            let mut bits = Lanes::ZERO;
            for beside in word {
                let touched = windows(beside.place) & Lanes::splat(beside.rows as i32);
                bits |= touched << beside.shift;
            }
            touches += counts(bits);
        }
        touches
    }

    /// Columns of the piece that stand on a filled cell or on the floor.
    #[inline(always)]
    pub(crate) fn foot_touches(&self, piece: &Turned, drops: &Drops) -> Lanes {
        let mut touches = Lanes::ZERO;
        for foot in &piece.feet {
            let heights = lanes(&self.heights, WALLS + drops.start + foot.place);
            touches -= (drops.rows + Lanes::splat(foot.bottom)).simd_eq(heights);
        }
        touches
    }

    /// What a drop that makes rows full leaves.
    #[inline]
    pub(crate) fn cleared(&self, piece: &Turned, drop: Drop<C>, gravity: Gravity) -> Cleared<C> {
        let mut board = self.board;
        board.put(&piece.oriented, drop.row, drop.column);
        let vanish = |&mask: &u8| (C::from_mask(mask).up(drop.row) & drop.full).count() as i32;
        let mut cleared = Cleared {
            board,
            taken: drop.full,
            lines: drop.full.count() as i32,
            own_cells: piece.oriented.masks().iter().map(vanish).sum(),
        };
        if gravity == Gravity::Cascade {
            cleared.cascade();
        }
        cleared
    }
}

impl<C: ColumnBits> Cleared<C> {
    fn cascade(&mut self) {
        let mut lines = 0;
        self.board.cascade(|step| lines += step as i32);
        (self.taken, self.lines) = (C::NONE, lines);
    }

    /// The board with all rows taken out.
    #[inline]
    pub(crate) fn settled(&self) -> Board<C> {
        let mut board = self.board;
        board.remove_rows(self.taken);
        board
    }
}

/// One of the [`Drops`], which lies inside the board.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drop<C> {
    pub(crate) column: u32,
    pub(crate) row: u32,
    pub(crate) full: C,
}

impl Drops {
    #[inline(always)]
    pub(crate) fn at<C: ColumnBits>(&self, lane: usize) -> Drop<C> {
        let row = self.rows.to_array()[lane] as u32;
        Drop {
            column: (self.start + lane) as u32,
            row,
            full: C::from_mask(self.full.to_array()[lane] as u8).up(row),
        }
    }
}
