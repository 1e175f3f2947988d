//! Wells: empty cells with both sides filled, each counted with the run of empty cells below it.
//!
//! A piece that completes no row changes them in its own columns and the one on either side, and there
//! only in its own rows: what is below stays, and above it both sides can only be filled if it is one
//! column wide. So a walk through the piece's rows, before and after, gives the change.

use games::tetris::{ColumnBits, MAX_COLUMNS};

use super::surface::WINDOWS;
use crate::placement::ground::{Drops, Ground};
use crate::placement::lanes::{Lanes, each_lane, eight, ones_if, runs_below};
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

/// How these drops of the piece change the wells, if they complete no row; `windows` are those of its columns and of two
/// on either side.
#[inline(always)]
pub(super) fn change<C: ColumnBits>(
    ground: &Ground<C>,
    piece: &Turned,
    drops: &Drops,
    windows: &[Lanes; WINDOWS],
) -> Lanes {
    let change = match piece.height {
        1 => change_in_rows::<C, 1>(ground, piece, drops, windows),
        2 => change_in_rows::<C, 2>(ground, piece, drops, windows),
        3 => change_in_rows::<C, 3>(ground, piece, drops, windows),
        4 => change_in_rows::<C, 4>(ground, piece, drops, windows),
        5 => change_in_rows::<C, 5>(ground, piece, drops, windows),
        _ => change_in_rows::<C, 6>(ground, piece, drops, windows),
    };
    if piece.width == 1 {
        change - lost_above(ground, piece, drops)
    } else {
        change
    }
}

/// The change in the rows of a piece that is `H` rows high.
#[inline(always)]
fn change_in_rows<C: ColumnBits, const H: usize>(
    ground: &Ground<C>,
    piece: &Turned,
    drops: &Drops,
    windows: &[Lanes; WINDOWS],
) -> Lanes {
    let mut change = Lanes::ZERO;
    for (near, around) in piece.near.iter().zip(windows.windows(3)) {
        let [left, right] = [around[0], around[2]];
        let empty = !around[1];
        let depth = runs_below(
            eight(&ground.columns, drops.start + near.place + 1),
            drops.rows,
        );
        let [new_left, own, new_right] =
            [near.left, near.own, near.right].map(|rows| Lanes::splat(rows as i32));
        let (sides, new_sides) = (left & right, (left | new_left) & (right | new_right));
        // Beside the piece runs stay as they are, and only sides are filled.
        change += if near.own == 0 {
            in_rows::<H>(depth, empty, new_sides & !sides)
        } else {
            in_rows::<H>(depth, empty & !own, new_sides) - in_rows::<H>(depth, empty, sides)
        };
    }
    change
}

/// The wells of a column in `H` rows, of which these are `empty` and those have both sides filled; under
/// them is a run of `depth` empty cells.
#[inline(always)]
fn in_rows<const H: usize>(depth: Lanes, empty: Lanes, sides: Lanes) -> Lanes {
    let mut run = depth;
    let mut wells = Lanes::ZERO;
    for row in 0..H {
        run = (run + Lanes::ONE) & ones_if(empty, row);
        wells += run & ones_if(sides, row);
    }
    wells
}

/// The well cells above a piece of one column: the runs below them get shorter by its height.
#[inline(always)]
fn lost_above<C: ColumnBits>(ground: &Ground<C>, piece: &Turned, drops: &Drops) -> Lanes {
    let [left, column, right] = [1, 2, 3].map(|place| eight(&ground.columns, drops.start + place));
    let (height, rows) = (piece.height as i32, drops.rows.to_array());
    each_lane(|lane| {
        let wells = left[lane] & right[lane] & !column[lane];
        wells.above((rows[lane] + height - 1) as u32).count() as i32 * height
    })
}
