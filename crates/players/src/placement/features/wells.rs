//! Wells: empty cells with both sides filled, each counted with the run of empty cells below it.
//!
//! A piece that completes no row changes them in its own columns and the one on either side, and there
//! only in its own rows: what is below stays, and above it both sides can only be filled if it is one
//! column wide. So a walk through the piece's rows, before and after, gives the change.

use games::tetris::{ColumnBits, MAX_COLUMNS};

use crate::placement::ground::Ground;
use crate::placement::lanes::lanes;
use crate::placement::turned::Turned;

/// The wells of a board, its columns between two walls.
pub(super) fn of<C: ColumnBits>(walled: &[C; MAX_COLUMNS + 2]) -> u32 {
    let mut sinking = [C::NONE; MAX_COLUMNS];
    for place in 0..MAX_COLUMNS {
        sinking[place] = walled[place] & walled[place + 2] & !walled[place + 1];
    }
    let mut wells = 0;
    // Each well cell sinks until the run of empty cells below it ends, and counts on every row.
    while sinking.iter().any(|cells| !cells.is_empty()) {
        for place in 0..MAX_COLUMNS {
            wells += sinking[place].count();
            sinking[place] = sinking[place].down() & !walled[place + 1];
        }
    }
    wells
}

/// How the piece changes the wells, by the column of its left edge, if it completes no row.
#[inline(always)]
pub(super) fn change<C: ColumnBits, const N: usize>(
    ground: &Ground<C>,
    piece: &Turned,
    rows: &[i32; N],
) -> [i32; N] {
    let mut change = match piece.height {
        1 => change_in_rows::<C, N, 1>(ground, piece, rows),
        2 => change_in_rows::<C, N, 2>(ground, piece, rows),
        3 => change_in_rows::<C, N, 3>(ground, piece, rows),
        4 => change_in_rows::<C, N, 4>(ground, piece, rows),
        5 => change_in_rows::<C, N, 5>(ground, piece, rows),
        _ => change_in_rows::<C, N, 6>(ground, piece, rows),
    };
    if piece.width == 1 {
        for (lane, change) in change.iter_mut().enumerate() {
            *change -= lost_above(ground, piece, rows[lane], lane);
        }
    }
    change
}

/// The change in the rows of a piece that is `H` rows high.
fn change_in_rows<C: ColumnBits, const N: usize, const H: usize>(
    ground: &Ground<C>,
    piece: &Turned,
    rows: &[i32; N],
) -> [i32; N] {
    let mut change = [0; N];
    for near in &piece.near {
        let left: &[C; N] = lanes(&ground.columns, near.place);
        let column: &[C; N] = lanes(&ground.columns, near.place + 1);
        let right: &[C; N] = lanes(&ground.columns, near.place + 2);
        for lane in 0..N {
            let row = rows[lane] as u32;
            let depth = row.wrapping_sub(column[lane].height_below(row)) as i32;
            let empty = !column[lane].window(row);
            let (left, right) = (left[lane].window(row), right[lane].window(row));
            let before = in_rows::<H>(depth, empty, left & right);
            let sides = (left | near.left) & (right | near.right);
            change[lane] += in_rows::<H>(depth, empty & !near.own, sides) - before;
        }
    }
    change
}

/// The wells of a column in `H` rows, of which these are `empty` and those have both sides filled; under
/// them is a run of `depth` empty cells.
#[inline(always)]
fn in_rows<const H: usize>(depth: i32, empty: u32, sides: u32) -> i32 {
    let mut run = depth;
    let mut wells = 0;
    for row in 0..H {
        run = (run + 1) & ones_if(empty, row);
        wells += run & ones_if(sides, row);
    }
    wells
}

/// All ones if the row is in the set, else zero.
#[inline(always)]
fn ones_if(rows: u32, row: usize) -> i32 {
    -((rows >> row & 1) as i32)
}

/// The well cells above a piece of one column: the runs below them get shorter by its height.
#[inline(always)]
fn lost_above<C: ColumnBits>(ground: &Ground<C>, piece: &Turned, row: i32, lane: usize) -> i32 {
    let [left, column, right] = [1, 2, 3].map(|place| ground.columns[lane + place]);
    let wells = left & right & !column;
    let height = piece.height as i32;
    wells.above((row + height - 1) as u32).count() as i32 * height
}
