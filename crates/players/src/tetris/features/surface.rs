//! What a placement leaves: the features of Dellacherie, BCTS, DT-10 and DT-20.
//!
//! | weight | feature | |
//! |---|---|---|
//! | 1 | landing height | row of the piece's lowest cell, from 0, before rows vanish, + (piece's height - 1) / 2 |
//! | 2 | eroded cells | lines completed x cells of the piece that vanish with them |
//! | 3 | row transitions | changes between filled and empty along all rows, walls filled (an empty row: 2) |
//! | 4 | column transitions | changes up each column, floor filled, above the top empty (an empty column: 1) |
//! | 5 | holes | empty cells with a filled one above in their column |
//! | 6 | wells | empty cells with both sides filled (walls are), each 1 + the empty cells in one run below it |
//! | 7 | hole depth | filled cells in one run above a hole, over all holes |
//! | 8 | rows with holes | |
//! | 9 | diversity | how many of the steps -2 ... 2 there are between heights of neighbouring columns |
//!
//! All but the first two are of the board after full rows have vanished. Eroded cells under `cascade`:
//! all lines of the cascade x cells of the piece in the rows that it made full itself.
//!
//! `dellacherie` has the first six: Fahey, "Tetris AI" (2003), after Pierre Dellacherie. `bcts` has the
//! first eight: Thiery and Scherrer, "Building controllers for Tetris" (2009). `dt10` and `dt20` have all:
//! Gabillon, Ghavamzadeh and Scherrer, "Approximate dynamic programming finally performs well in the
//! game of Tetris" (2013), on 10x10 and 10x20. The last two were trained with wells of a slightly different
//! kind (all empty cells below count, not those of one run only), which is within the noise of play.

use games::tetris::{Board, ColumnBits, MAX_COLUMNS};

use super::{Features, wells};
use crate::tetris::ground::{After, Drops, Ground};
use crate::tetris::lanes::{ByColumn, ROOM, WALLS, lanes, under};
use crate::tetris::turned::{Turned, step};

/// The first six, eight or nine of the features. The landing height is doubled, to be whole.
#[derive(Debug, Clone, Copy)]
pub(in crate::tetris) struct Surface;

const LANDING: usize = 0;
const ERODED: usize = 1;
const ROW_TRANSITIONS: usize = 2;
const COLUMN_TRANSITIONS: usize = 3;
const HOLES: usize = 4;
const WELLS: usize = 5;
const DEPTH: usize = 6;
const HOLE_ROWS: usize = 7;
const DIVERSITY: usize = 8;
const ALL: usize = 9;

/// The features of a board, and what it takes to tell how a piece changes them.
#[derive(Debug, Clone)]
pub(in crate::tetris) struct Before<C, const F: usize> {
    /// Those of the board; those of a placement do not matter.
    features: [i32; F],
    hole_rows: C,
    /// Heights of the columns without a hole; -1 for the others.
    solid: ByColumn<i32>,
    /// Steps between columns up to this one, and from this one on.
    left_steps: ByColumn<u32>,
    right_steps: ByColumn<u32>,
}

impl<const F: usize> Features<F> for Surface {
    type Before<C: ColumnBits> = Before<C, F>;

    fn of_whole_numbers(mut weights: [f64; F]) -> [f64; F] {
        weights[LANDING] /= 2.0;
        weights
    }

    fn before<C: ColumnBits>(ground: &Ground<C>) -> Before<C, F> {
        Before::new(ground, measure(&ground.board))
    }

    #[inline]
    fn before_next<C: ColumnBits>(
        _: &Before<C, F>,
        features: &[i32; F],
        ground: &Ground<C>,
    ) -> Before<C, F> {
        Before::new(ground, *features)
    }

    #[inline(never)]
    fn of_drops<C: ColumnBits, const N: usize>(
        ground: &Ground<C>,
        before: &Before<C, F>,
        piece: &Turned,
        drops: &Drops<N>,
    ) -> [[i32; N]; F] {
        let rows = &drops.rows;
        let mut features = [[0; N]; F];
        for (lanes, &feature) in features.iter_mut().zip(&before.features) {
            *lanes = [feature; N];
        }
        let sides = ground.side_touches(piece, rows);
        let feet = ground.foot_touches(piece, rows);
        let wells = wells::change(ground, piece, rows);
        for lane in 0..N {
            features[LANDING][lane] = 2 * rows[lane] + piece.height as i32 - 1;
            features[ERODED][lane] = 0;
            features[ROW_TRANSITIONS][lane] += piece.side_edges - 2 * sides[lane];
            features[COLUMN_TRANSITIONS][lane] += piece.level_edges - 2 * feet[lane];
            features[HOLES][lane] += drops.covered[lane];
            features[WELLS][lane] += wells[lane];
        }
        if F > DEPTH {
            add(&mut features[DEPTH], &before.depth_change(piece, rows));
        }
        if F > HOLE_ROWS {
            add(
                &mut features[HOLE_ROWS],
                &before.hole_rows_change(ground, piece, rows),
            );
        }
        if F > DIVERSITY {
            features[DIVERSITY] = before.diversity(ground, piece, rows);
        }
        features
    }

    #[inline]
    fn with_lines<C: ColumnBits>(
        features: &mut [i32; F],
        _: &Before<C, F>,
        cleared: &Cleared<C>,
    ) {
        let landing = features[LANDING];
        *features = measure(&cleared.settled());
        features[LANDING] = landing;
        features[ERODED] = cleared.lines * cleared.own_cells;
    }
}

#[inline(always)]
fn add<const N: usize>(lanes: &mut [i32; N], more: &[i32; N]) {
    for (sum, more) in lanes.iter_mut().zip(more) {
        *sum += more;
    }
}

impl<C: ColumnBits, const F: usize> Before<C, F> {
    fn new(ground: &Ground<C>, features: [i32; F]) -> Self {
        let mut solid = [-1; ROOM];
        let mut hole_rows = C::NONE;
        for place in WALLS..WALLS + MAX_COLUMNS {
            let holes = ground.columns[place].covered() & !ground.columns[place];
            hole_rows |= holes;
            solid[place] = if holes.is_empty() { ground.heights[place] } else { -1 };
        }
        let (left_steps, right_steps) = if F > DIVERSITY {
            steps(ground)
        } else {
            ([0; ROOM], [0; ROOM])
        };
        Self {
            features,
            hole_rows,
            solid,
            left_steps,
            right_steps,
        }
    }

    /// All cells of the piece lie above a hole, but those that continue a solid column.
    #[inline(always)]
    fn depth_change<const N: usize>(&self, piece: &Turned, rows: &[i32; N]) -> [i32; N] {
        let mut change = [piece.cells; N];
        for foot in &piece.feet {
            let solid: &[i32; N] = under(&self.solid, foot.place);
            for lane in 0..N {
                let continues = rows[lane] + foot.bottom == solid[lane];
                change[lane] -= if continues { foot.solid } else { 0 };
            }
        }
        change
    }

    /// The rows between the piece and the columns below it get holes, if they had none.
    #[inline(always)]
    fn hole_rows_change<const N: usize>(
        &self,
        ground: &Ground<C>,
        piece: &Turned,
        rows: &[i32; N],
    ) -> [i32; N] {
        let mut holes = [C::NONE; N];
        for lane in 0..N {
            holes[lane] = C::from_mask(piece.gap_rows).up(rows[lane] as u32);
        }
        for foot in &piece.feet {
            let heights: &[i32; N] = under(&ground.heights, foot.place);
            for lane in 0..N {
                let bottom = rows[lane] + foot.bottom;
                holes[lane] |= C::between(heights[lane] as u32, bottom as u32);
            }
        }
        holes.map(|holes| (holes & !self.hole_rows).count() as i32)
    }

    #[inline(always)]
    fn diversity<const N: usize>(
        &self,
        ground: &Ground<C>,
        piece: &Turned,
        rows: &[i32; N],
    ) -> [i32; N] {
        let left: &[i32; N] = lanes(&ground.heights, WALLS - 1);
        let right: &[i32; N] = under(&ground.heights, piece.width);
        let left_steps: &[u32; N] = lanes(&self.left_steps, WALLS - 1);
        let right_steps: &[u32; N] = under(&self.right_steps, piece.width);
        let mut diversity = [0; N];
        for lane in 0..N {
            let first = step(rows[lane] + piece.first_top - left[lane]);
            let last = step(right[lane] - rows[lane] - piece.last_top);
            let steps = left_steps[lane] | right_steps[lane] | piece.steps | first | last;
            diversity[lane] = steps.count_ones() as i32;
        }
        diversity
    }
}

/// The steps between neighbouring columns up to each, and from each on.
fn steps<C: ColumnBits>(ground: &Ground<C>) -> (ByColumn<u32>, ByColumn<u32>) {
    let (mut left, mut right) = ([0; ROOM], [0; ROOM]);
    for place in WALLS..WALLS + MAX_COLUMNS {
        let here = step(ground.heights[place] - ground.heights[place - 1]);
        left[place] = left[place - 1] | here;
    }
    for place in (WALLS..WALLS + MAX_COLUMNS).rev() {
        let here = step(ground.heights[place + 1] - ground.heights[place]);
        right[place] = right[place + 1] | here;
    }
    (left, right)
}

/// The first `F` features of a board; those of a placement are 0.
fn measure<C: ColumnBits, const F: usize>(board: &Board<C>) -> [i32; F] {
    let columns = board.padded_columns();
    let mut walled = [C::ALL; MAX_COLUMNS + 2];
    walled[1..=MAX_COLUMNS].copy_from_slice(columns);
    let count = |set: &dyn Fn(usize) -> C| -> i32 { (0..MAX_COLUMNS).map(|place| set(place).count() as i32).sum() };
    let all_rows = all_rows(board);
    let mut features = [0; F];
    features
}
