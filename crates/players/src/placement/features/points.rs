//! What makes points: clears by their kind, and a last column that is kept free for them.
//!
//! | weight | feature | |
//! |---|---|---|
//! | 1 | landing height | as of `bcts`, like the next six |
//! | 2 | row transitions | what is to the right of the last column counts as empty |
//! | 3 | column transitions | |
//! | 4 | holes | |
//! | 5 | wells | the last column has none, however deep it is |
//! | 6 | hole depth | |
//! | 7 | rows with holes | |
//! | 8-11 | one, two, three, four lines | 10 if the placement completes so many (four: or more), else 0, so that its weight is of the size of the others |
//! | 12 | ready rows | rows full but for the last column, which is empty there and above |
//! | 13 | reserved cells | filled cells of the last column |
//! | 14 | diversity | as of `dt10` |
//! | 15 | high columns | of each column the rows above half the board's, squared |
//!
//! All but the first and the lines are of the board after full rows have vanished.

use games::tetris::{Board, ColumnBits};

use super::Features;
use super::surface::{self, Surface, measure};
use crate::placement::ground::{Cleared, Drops, Ground};
use crate::placement::lanes::{LANES, Lanes, WALLS, counts, lanes, windows};
use crate::placement::turned::Turned;

/// How many features there are.
pub(super) const ALL: usize = 15;

/// Those of `dt10`, whose second counts eroded cells, which are not weighed here.
const OF_SURFACE: usize = 9;

const LINES: usize = 7;
/// What a clear counts. Optimisers begin with equal steps for all weights.
const CLEARED: i32 = 10;
const READY: usize = 11;
const RESERVED: usize = 12;
const DIVERSITY: usize = 13;
const HIGH: usize = 14;

/// The fifteen features. The landing height is doubled, to be whole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Points;

/// What a board has before a piece is dropped.
#[derive(Debug, Clone)]
pub(crate) struct Before<C> {
    surface: surface::Before<C, OF_SURFACE>,
    ready: i32,
    reserved: i32,
    high: i32,
    /// The rows from the top of the last column on.
    open: C,
}

impl<C: ColumnBits> Before<C> {
    fn of(surface: surface::Before<C, OF_SURFACE>, board: &Board<C>) -> Self {
        let last = last_column(board);
        Self {
            surface,
            ready: ready_rows(board).count() as i32,
            reserved: last.count() as i32,
            high: high_columns(board),
            open: above(last),
        }
    }
}

impl Features<ALL> for Points {
    type Before<C: ColumnBits> = Before<C>;

    fn beyond<C: ColumnBits>() -> C {
        C::NONE
    }

    fn of_whole_numbers(mut weights: [f64; ALL]) -> [f64; ALL] {
        weights[0] /= 2.0;
        weights
    }

    fn before<C: ColumnBits>(ground: &Ground<C>) -> Before<C> {
        Before::of(Surface::before(ground), &ground.board)
    }

    #[inline]
    fn follow<C: ColumnBits>(
        before: &Before<C>,
        features: &[i32; ALL],
        ground: &Ground<C>,
        next: &mut Before<C>,
    ) {
        let of_surface = to_surface(features, 0);
        Surface::follow(&before.surface, &of_surface, ground, &mut next.surface);
        next.ready = features[READY];
        next.reserved = features[RESERVED];
        next.high = features[HIGH];
        next.open = above(last_column(&ground.board));
    }

    #[inline(always)]
    fn of_drops<C: ColumnBits>(
        ground: &Ground<C>,
        before: &Before<C>,
        piece: &Turned,
        drops: &Drops,
    ) -> [Lanes; ALL] {
        let of_surface = Surface::of_drops(ground, &before.surface, piece, drops);
        let mut features = from_surface(&of_surface, Lanes::ZERO);
        let mut ready = Lanes::splat(before.ready);
        for &(cells, own) in &piece.rows_of {
            let made = made_ready(ground, cells, before.open);
            ready += counts(windows(&[made; LANES], drops.rows) & Lanes::splat(own as i32));
        }
        let mut reserved = Lanes::splat(before.reserved);
        let last = (ground.width() - piece.width.min(ground.width())).wrapping_sub(drops.start);
        if last < LANES {
            let row = drops.rows.to_array()[last] as u32;
            ready.as_mut_array()[last] = ready_at_last(ground, piece, row);
            let foot = &piece.feet[piece.width - 1];
            reserved.as_mut_array()[last] += foot.mask.count_ones() as i32;
        }
        features[READY] = ready;
        features[RESERVED] = reserved;
        features[HIGH] = Lanes::splat(before.high) + more_high(ground, piece, drops);
        features
    }

    fn with_lines<C: ColumnBits>(features: &mut [i32; ALL], _: &Before<C>, cleared: &Cleared<C>) {
        let landing = features[0];
        let board = cleared.settled();
        *features = from_surface(&measure(&board, C::NONE), 0);
        features[0] = landing;
        features[LINES + cleared.lines.clamp(1, 4) as usize - 1] = CLEARED;
        features[READY] = ready_rows(&board).count() as i32;
        features[RESERVED] = last_column(&board).count() as i32;
        features[HIGH] = high_columns(&board);
    }
}

/// The features of `dt10` in their places among these, without the eroded cells.
#[inline(always)]
fn from_surface<T: Copy>(of_surface: &[T; OF_SURFACE], none: T) -> [T; ALL] {
    let mut features = [none; ALL];
    features[0] = of_surface[0];
    features[1..LINES].copy_from_slice(&of_surface[2..8]);
    features[DIVERSITY] = of_surface[8];
    features
}

#[inline(always)]
fn to_surface<T: Copy>(features: &[T; ALL], none: T) -> [T; OF_SURFACE] {
    let mut of_surface = [none; OF_SURFACE];
    of_surface[0] = features[0];
    of_surface[2..8].copy_from_slice(&features[1..LINES]);
    of_surface[8] = features[DIVERSITY];
    of_surface
}

#[inline]
fn last_column<C: ColumnBits>(board: &Board<C>) -> C {
    board.columns().last().copied().unwrap_or(C::NONE)
}

/// The rows above all of the column's cells.
#[inline]
fn above<C: ColumnBits>(column: C) -> C {
    !(column | column.covered())
}

/// Of each column the rows above half the board's, squared.
fn high_columns<C: ColumnBits>(board: &Board<C>) -> i32 {
    let half = board.rows() / 2;
    let high = |height: u32| height.saturating_sub(half).pow(2);
    board.heights().map(high).sum::<u32>() as i32
}

/// What a piece adds to that.
#[inline(always)]
fn more_high<C: ColumnBits>(ground: &Ground<C>, piece: &Turned, drops: &Drops) -> Lanes {
    let half = ground.board.rows() as i32 / 2;
    let high = |heights: Lanes| {
        let above = (heights - Lanes::splat(half)).max(Lanes::ZERO);
        above * above
    };
    let mut more = Lanes::ZERO;
    for foot in &piece.feet {
        let heights = lanes(&ground.heights, WALLS + drops.start + foot.place);
        more += high(drops.rows + Lanes::splat(foot.top)) - high(heights);
    }
    more
}

/// The rows that lack nothing but the last column's cell, with nothing above it.
fn ready_rows<C: ColumnBits>(board: &Board<C>) -> C {
    let (last, others) = (last_column(board), board.columns());
    let others = &others[..others.len() - 1];
    others
        .iter()
        .fold(above(last), |rows, &column| rows & column)
}

/// The rows that so many cells to the left of the last column make ready.
#[inline(always)]
fn made_ready<C: ColumnBits>(ground: &Ground<C>, cells: usize, open: C) -> C {
    ground.lacking[cells + 1] & open
}

/// The rows that are ready when a piece has landed in this row at the right edge.
fn ready_at_last<C: ColumnBits>(ground: &Ground<C>, piece: &Turned, row: u32) -> i32 {
    let mut others = C::ALL;
    let mut last = C::NONE;
    for (place, &column) in ground.board.columns().iter().enumerate() {
        let foot = (place + piece.width).checked_sub(ground.width());
        let own = foot.map_or(C::NONE, |foot| C::from_mask(piece.feet[foot].mask).up(row));
        last = column | own;
        if place + 1 < ground.width() {
            others &= last;
        }
    }
    (others & above(last)).count() as i32
}
