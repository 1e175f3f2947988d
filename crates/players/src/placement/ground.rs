//! A board made ready to drop pieces on, in all columns at once.

use games::tetris::{Board, ColumnBits, Gravity, MAX_COLUMNS, MAX_SIDE};

use super::lack::Lack;
use super::lanes::{ByColumn, ROOM, WALLS, lanes, under};
use super::turned::Turned;

/// Higher than any column: a piece that reaches beyond the last column cannot fit. Its square must not
/// overflow.
const WALL: i32 = 1 << 10;

/// How many parts of six rows a word has.
const PARTS: usize = 5;

/// A board, its columns between walls.
#[derive(Debug, Clone)]
pub(crate) struct Ground<C> {
    pub(crate) board: Board<C>,
    pub(crate) columns: ByColumn<C>,
    pub(crate) heights: ByColumn<i32>,
    lack: Lack<C>,
    /// The rows that lack this many cells, from none to as many as a piece can fill.
    lacking: [C; MAX_SIDE + 1],
}

/// Where a piece comes to lie, by the column of its left edge.
#[derive(Debug, Clone)]
pub(crate) struct Drops<const N: usize> {
    /// The row of its lowest cell. Where it would reach beyond the last column this is huge.
    pub(crate) rows: [i32; N],
    /// The empty cells it covers, its own gaps among them.
    pub(crate) covered: [i32; N],
    /// The rows it makes full, counted from its own lowest; none where it cannot be.
    pub(crate) full: [u32; N],
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
    pub(crate) fn of(board: &Board<C>) -> Self {
        let mut columns = [C::ALL; ROOM];
        columns[WALLS..WALLS + MAX_COLUMNS].copy_from_slice(board.padded_columns());
        let mut heights = [WALL; ROOM];
        for (height, column) in heights[WALLS..].iter_mut().zip(board.columns()) {
            *height = column.height() as i32;
        }
        let lack = Lack::of(board);
        Self {
            board: *board,
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
            *next = Self::of(&self.cleared(piece, drop, gravity).settled());
            return;
        }
        next.board = self.board;
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

    /// Where the piece comes to lie in every column.
    #[inline(never)]
    pub(crate) fn drops<const N: usize>(&self, piece: &Turned) -> Drops<N> {
        let (mut rows, mut sums) = ([0; N], [piece.gaps; N]);
        for foot in &piece.feet {
            let heights: &[i32; N] = under(&self.heights, foot.place);
            for lane in 0..N {
                let rest = heights[lane] - foot.bottom;
                rows[lane] = rows[lane].max(rest);
                sums[lane] -= rest;
            }
        }
        let width = piece.width as i32;
        let mut covered = [0; N];
        for lane in 0..N {
            covered[lane] = sums[lane] + rows[lane] * width;
        }
        Drops {
            full: self.full(piece, &rows),
            rows,
            covered,
        }
    }

    /// A row is full if the piece fills as many of its cells as are empty.
    #[inline(always)]
    fn full<const N: usize>(&self, piece: &Turned, rows: &[i32; N]) -> [u32; N] {
        let highest = self.highest(piece);
        let mut full = [0; N];
        for &(cells, own) in &piece.rows_of {
            let lacking = self.lacking[cells];
            for lane in 0..N {
                let filled = lacking.window(rows[lane] as u32) & own;
                full[lane] |= if rows[lane] <= highest { filled } else { 0 };
            }
        }
        full
    }

    /// Edges of the piece's left and right sides that touch filled cells or walls.
    #[inline(always)]
    pub(crate) fn side_touches<const N: usize>(&self, piece: &Turned, rows: &[i32; N]) -> [i32; N] {
        let mut touches = [0; N];
        // Bits of several columns side by side in a word: counting them is what costs.
        for part in piece.beside.chunks(PARTS) {
            let mut bits = [0; N];
            for (shift, beside) in part.iter().enumerate() {
                let columns: &[C; N] = lanes(&self.columns, WALLS - 1 + beside.place);
                for lane in 0..N {
                    let touched = columns[lane].window(rows[lane] as u32) & beside.rows;
                    bits[lane] |= touched << (6 * shift);
                }
            }
            for lane in 0..N {
                touches[lane] += bits[lane].count_ones() as i32;
            }
        }
        touches
    }

    /// Columns of the piece that stand on a filled cell or on the floor.
    #[inline(always)]
    pub(crate) fn foot_touches<const N: usize>(&self, piece: &Turned, rows: &[i32; N]) -> [i32; N] {
        let mut touches = [0; N];
        for foot in &piece.feet {
            let heights: &[i32; N] = under(&self.heights, foot.place);
            for lane in 0..N {
                touches[lane] += i32::from(rows[lane] + foot.bottom == heights[lane]);
            }
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

impl<const N: usize> Drops<N> {
    #[inline(always)]
    pub(crate) fn at<C: ColumnBits>(&self, lane: usize) -> Drop<C> {
        Drop {
            column: lane as u32,
            row: self.rows[lane] as u32,
            full: C::from_mask(self.full[lane] as u8).up(self.rows[lane] as u32),
        }
    }
}
