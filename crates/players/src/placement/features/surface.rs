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

use std::array::from_fn;

use games::tetris::{Board, ColumnBits, MAX_COLUMNS, MAX_SIDE};

use super::{Features, Hope, wells};
use crate::placement::ground::{Cleared, Drops, Ground};
use crate::placement::lanes::{
    ByColumn, Lanes, ROOM, Sets, Values, WALLS, each_lane, eight, lanes,
};
use crate::placement::turned::{Foot, Turned, step};

/// The first six, eight or nine of the features. The landing height is doubled, to be whole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surface;

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

/// The columns that decide what becomes of wells: those of a piece and two on either side.
pub(super) const WINDOWS: usize = MAX_SIDE + 4;

/// The features of a board, and what it takes to tell how a piece changes them.
#[derive(Debug, Clone)]
pub(crate) struct Before<C, const F: usize> {
    /// Those of the board; those of a placement do not matter.
    features: [i32; F],
    /// The rows that have a hole.
    holed: C,
    /// The rows below the height of each column.
    piles: ByColumn<C>,
    /// Heights of the columns without a hole; -1 for the others.
    solid: ByColumn<i32>,
    /// The most that the wells of each column count which a piece can fill.
    sunk: ByColumn<i32>,
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
        let mut before = Before {
            features: measure(&ground.board, ground.beyond),
            holed: C::NONE,
            piles: [C::NONE; ROOM],
            solid: [-1; ROOM],
            sunk: [0; ROOM],
            left_steps: [0; ROOM],
            right_steps: [0; ROOM],
        };
        before.survey(ground);
        before
    }

    #[inline]
    fn follow<C: ColumnBits>(
        _: &Before<C, F>,
        features: &[i32; F],
        ground: &Ground<C>,
        next: &mut Before<C, F>,
    ) {
        next.features = *features;
        next.survey(ground);
    }

    #[inline(always)]
    fn of_drops<C: ColumnBits>(
        ground: &Ground<C>,
        before: &Before<C, F>,
        piece: &Turned,
        drops: &Drops,
    ) -> [Lanes; F] {
        let mut windows = [Lanes::ZERO; WINDOWS];
        for (place, window) in windows[..piece.width + 4].iter_mut().enumerate() {
            *window = ground.windows(drops, place);
        }
        let board = &before.features;
        let of_board = |feature: usize, own: i32| Lanes::splat(board[feature] + own);
        let sides = Ground::<C>::side_touches(piece, |place| windows[place + 1]);
        let feet = ground.foot_touches(piece, drops);
        let mut features = [Lanes::ZERO; F];
        features[LANDING] = drops.rows + drops.rows + Lanes::splat(piece.height as i32 - 1);
        features[ROW_TRANSITIONS] = of_board(ROW_TRANSITIONS, piece.side_edges) - sides - sides;
        features[COLUMN_TRANSITIONS] =
            of_board(COLUMN_TRANSITIONS, piece.level_edges) - feet - feet;
        features[HOLES] = of_board(HOLES, 0) + drops.covered;
        features[WELLS] = of_board(WELLS, 0) + wells::change(ground, piece, drops, &windows);
        if F > DEPTH {
            features[DEPTH] = of_board(DEPTH, piece.cells) - before.solid_cells(piece, drops);
        }
        if F > HOLE_ROWS {
            features[HOLE_ROWS] = of_board(HOLE_ROWS, 0) + before.new_hole_rows(piece, drops);
        }
        if F > DIVERSITY {
            features[DIVERSITY] = before.diversity(ground, piece, drops);
        }
        features
    }

    fn has_bounds(weights: &[f64; F]) -> bool {
        let bounded = [ROW_TRANSITIONS, WELLS, DEPTH, HOLE_ROWS];
        bounded
            .iter()
            .all(|&feature| feature >= F || weights[feature] <= 0.0)
    }

    /// Left out is what takes longest to find: edges beside the piece are bounded by the heights there, wells by how deep the
    /// columns lie that it fills; depth and rows of holes never become less.
    #[inline(always)]
    fn most_of_drops<C: ColumnBits>(
        weights: &[f64; F],
        ground: &Ground<C>,
        before: &Before<C, F>,
        piece: &Turned,
        drops: &Drops,
    ) -> Values {
        let of_board = |feature: usize, own: i32| Lanes::splat(before.features[feature] + own);
        let (first, feet) = (WALLS + drops.start, &piece.feet);
        let beside = |place: usize, bottom: i32, edges: i32| {
            let above = lanes(&ground.heights, place) - drops.rows - Lanes::splat(bottom);
            above.max(Lanes::ZERO).min(Lanes::splat(edges))
        };
        let last = piece.width - 1;
        let sides = beside(first - 1, feet[0].bottom, piece.first_edges)
            + beside(first + last + 1, feet[last].bottom, piece.last_edges)
            + Lanes::splat(piece.edges_below);
        let touches = ground.foot_touches(piece, drops);
        let filled = |wells, foot: &Foot| wells - lanes(&before.sunk, first + foot.place);
        let wells = feet.iter().fold(of_board(WELLS, 0), filled);
        let rest = (DEPTH..F).fold(0.0, |rest, feature| match feature {
            DIVERSITY => rest + (weights[feature] * 5.0).max(0.0),
            _ => rest + weights[feature] * f64::from(before.features[feature]),
        });
        Values::weigh(
            &[
                weights[LANDING],
                weights[ROW_TRANSITIONS],
                weights[COLUMN_TRANSITIONS],
                weights[HOLES],
                weights[WELLS],
                rest,
            ],
            &[
                drops.rows + drops.rows + Lanes::splat(piece.height as i32 - 1),
                of_board(ROW_TRANSITIONS, piece.side_edges) - sides - sides,
                of_board(COLUMN_TRANSITIONS, piece.level_edges) - touches - touches,
                of_board(HOLES, 0) + drops.covered,
                wells,
                Lanes::ONE,
            ],
            drops.rows,
            ground.highest(piece),
        )
    }

    /// Whatever is bad can only become better at the piece's own edges, or by lines: a line that vanishes takes
    /// along what holes it covered, and leaves the transitions of all other rows.
    #[inline]
    fn most<C: ColumnBits>(
        weights: &[f64; F],
        _: &Before<C, F>,
        features: &[i32; F],
        piece: &Turned,
        hope: Hope,
    ) -> f64 {
        let is_bad = |feature: usize| feature == ERODED || weights[feature] <= 0.0;
        if !(0..F.min(DIVERSITY)).all(is_bad) {
            return f64::INFINITY;
        }
        let stays = i32::from(hope.lines == 0);
        let mut least = features.map(|feature| feature * stays);
        least[LANDING] = 2 * hope.row + piece.height as i32 - 1;
        least[ERODED] = hope.lines * hope.own_cells;
        least[ROW_TRANSITIONS] = features[ROW_TRANSITIONS] - piece.side_edges;
        let open_columns = piece.feet.len() as i32 + (features[HOLES] + piece.gaps) * (1 - stays);
        least[COLUMN_TRANSITIONS] =
            features[COLUMN_TRANSITIONS] + piece.level_edges - 2 * open_columns;
        least[WELLS] = 0;
        let worth = |(feature, &least): (usize, &i32)| {
            let most = if feature == DIVERSITY { 5 } else { least };
            let worth = weights[feature] * f64::from(most);
            if matches!(feature, ERODED | DIVERSITY) {
                worth.max(0.0)
            } else {
                worth
            }
        };
        least.iter().enumerate().map(worth).sum()
    }

    #[inline]
    fn with_lines<C: ColumnBits>(features: &mut [i32; F], _: &Before<C, F>, cleared: &Cleared<C>) {
        let landing = features[LANDING];
        *features = measure(&cleared.settled(), C::ALL);
        features[LANDING] = landing;
        features[ERODED] = cleared.lines * cleared.own_cells;
    }
}

impl<C: ColumnBits, const F: usize> Before<C, F> {
    /// Finds all but the features.
    fn survey(&mut self, ground: &Ground<C>) {
        self.holed = C::NONE;
        for place in WALLS..WALLS + MAX_COLUMNS {
            let column = ground.columns[place];
            let pile = column | column.covered();
            let has_hole = -i32::from(pile != column);
            self.piles[place] = pile;
            self.solid[place] = ground.heights[place] | has_hole;
            self.holed |= pile & !column;
            let lower = ground.heights[place - 1].min(ground.heights[place + 1]);
            let depth = (lower - ground.heights[place]).max(0);
            self.sunk[place] = depth * (depth + 1) / 2;
        }
        if F > DIVERSITY {
            (self.left_steps, self.right_steps) = steps(ground);
        }
    }

    /// The cells of the piece that continue a solid column: all others lie above a hole.
    #[inline(always)]
    fn solid_cells(&self, piece: &Turned, drops: &Drops) -> Lanes {
        let mut cells = Lanes::ZERO;
        for foot in &piece.feet {
            let solid = lanes(&self.solid, WALLS + drops.start + foot.place);
            let continues = (drops.rows + Lanes::splat(foot.bottom)).simd_eq(solid);
            cells += continues & Lanes::splat(foot.solid);
        }
        cells
    }

    /// The rows between the piece and the columns below it get holes, if they had none.
    #[inline(always)]
    fn new_hole_rows(&self, piece: &Turned, drops: &Drops) -> Lanes {
        let mut holes = Sets::moved_up(C::from_mask(piece.gap_rows), drops.rows);
        for foot in &piece.feet {
            let piles = eight(&self.piles, WALLS + drops.start + foot.place);
            holes.add_between(piles, drops.rows + Lanes::splat(foot.bottom));
        }
        holes.count_without(self.holed)
    }

    #[inline(always)]
    fn diversity(&self, ground: &Ground<C>, piece: &Turned, drops: &Drops) -> Lanes {
        let beside = [drops.start + WALLS - 1, drops.start + WALLS + piece.width];
        let [left, right] = beside.map(|from| eight(&ground.heights, from));
        let left_steps = eight(&self.left_steps, beside[0]);
        let right_steps = eight(&self.right_steps, beside[1]);
        let rows = drops.rows.to_array();
        each_lane(|lane| {
            let first = step(rows[lane] + piece.first_top - left[lane]);
            let last = step(right[lane] - rows[lane] - piece.last_top);
            let steps = left_steps[lane] | right_steps[lane] | piece.steps | first | last;
            steps.count_ones() as i32
        })
    }
}

/// The steps between neighbouring columns up to each, and from each on.
fn steps<C: ColumnBits>(ground: &Ground<C>) -> (ByColumn<u32>, ByColumn<u32>) {
    let (mut left, mut right) = ([0; ROOM], [0; ROOM]);
    let all = WALLS..WALLS + ground.width();
    for place in all.clone() {
        let here = step(ground.heights[place] - ground.heights[place - 1]);
        left[place] = left[place - 1] | here;
    }
    for place in all.rev() {
        let here = step(ground.heights[place + 1] - ground.heights[place]);
        right[place] = right[place + 1] | here;
    }
    (left, right)
}

/// The first `F` features of a board; those of a placement are 0.
///
/// The columns `beyond` the board are full or empty: they add nothing, and sixteen are as fast as ten.
pub(super) fn measure<C: ColumnBits, const F: usize>(board: &Board<C>, beyond: C) -> [i32; F] {
    let width = board.width() as usize;
    let mut walled = [C::ALL; MAX_COLUMNS + 2];
    walled[1..=width].copy_from_slice(board.columns());
    walled[width + 1..].fill(beyond);
    let all_rows = all_rows(board);
    let (mut sums, mut hole_rows) = ([0; ALL], C::NONE);
    for place in 1..=MAX_COLUMNS {
        let column = walled[place];
        let below = column.up(1) | C::from_mask(1);
        let holes = column.covered() & !column;
        sums[ROW_TRANSITIONS] += ((column ^ walled[place - 1]) & all_rows).count();
        sums[COLUMN_TRANSITIONS] += (column ^ below).count();
        sums[HOLES] += holes.count();
        sums[DEPTH] += column.count() - column.solid();
        hole_rows |= holes;
    }
    sums[ROW_TRANSITIONS] += ((walled[MAX_COLUMNS] ^ beyond) & all_rows).count();
    if beyond.is_empty() {
        sums[COLUMN_TRANSITIONS] -= (MAX_COLUMNS - width) as u32;
    }
    sums[COLUMN_TRANSITIONS] += filled_at_the_top_of_the_word(board);
    sums[WELLS] = wells::of(&walled);
    sums[HOLE_ROWS] = hole_rows.count();
    if F > DIVERSITY {
        sums[DIVERSITY] = diversity(board);
    }
    from_fn(|feature| sums[feature] as i32)
}

fn all_rows<C: ColumnBits>(board: &Board<C>) -> C {
    if board.rows() == C::ROWS {
        C::ALL
    } else {
        C::below(board.rows())
    }
}

/// Columns whose change to empty above the top does not fit the word.
fn filled_at_the_top_of_the_word<C: ColumnBits>(board: &Board<C>) -> u32 {
    if board.rows() < C::ROWS {
        return 0;
    }
    let top = C::ROWS - 1;
    let columns = board.columns().iter();
    columns.map(|column| column.window(top)).sum()
}

fn diversity<C: ColumnBits>(board: &Board<C>) -> u32 {
    let height = |column: C| column.height() as i32;
    let pairs = board.columns().windows(2);
    let steps = pairs.fold(0, |steps, pair| {
        steps | step(height(pair[1]) - height(pair[0]))
    });
    steps.count_ones()
}
