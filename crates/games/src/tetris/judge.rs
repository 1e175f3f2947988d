//! What every placement of a piece does to the board, found for all columns at once.
//!
//! A piece that completes no row changes only the columns it lies in, and the heights alone
//! say how: it lands on the highest of them, and covers the cells between. [`Skyline::drops`] computes
//! that for every column in loops over fixed arrays, which the compiler turns into vector
//! instructions. Only a placement that completes rows is looked at in full.

use super::oriented::Oriented;
use super::shapes::MAX_SIDE;
use super::{Board, ColumnBits, Gravity, MAX_COLUMNS, Placement, Position, Tetris};

/// What a placement changes, on the board after full rows are removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Judgement {
    /// Increase of the height of the highest column.
    pub height: i32,
    /// Increase of the number of holes: empty cells with a filled one above in their column.
    pub holes: i32,
    /// Lines completed.
    pub lines: u32,
}

/// Room for a piece that begins in the last column and reaches beyond the board.
const PADDED: usize = MAX_COLUMNS + MAX_SIDE;

/// Higher than any column: a piece that reaches beyond the last column cannot fit.
const WALL: u32 = 1 << 16;

/// A board made ready to drop pieces on.
#[derive(Debug, Clone)]
pub struct Skyline<C> {
    /// The height of every column.
    heights: [u32; PADDED],
    columns: [C; PADDED],
    /// Rows that are full in all columns to the left of this one, and in this one and all to its right.
    left: [C; PADDED],
    right: [C; PADDED],
}

/// Where a piece comes to lie, by the column of its left edge.
#[derive(Debug, Clone)]
pub struct Drops<C> {
    /// The row of its lowest cell. Where it would reach beyond the last column this is huge.
    pub rows: [u32; MAX_COLUMNS],
    /// The empty cells it covers, its own gaps among them.
    pub covered: [u32; MAX_COLUMNS],
    /// The rows it makes full.
    pub full: [C; MAX_COLUMNS],
}

impl<C: ColumnBits> Skyline<C> {
    /// The skyline of this board.
    #[inline]
    #[must_use]
    pub fn of(board: &Board<C>) -> Self {
        let mut heights = [WALL; PADDED];
        for (height, column) in heights.iter_mut().zip(board.columns()) {
            *height = column.height();
        }
        let mut columns = [C::ALL; PADDED];
        columns[..MAX_COLUMNS].copy_from_slice(board.padded_columns());
        let (mut left, mut right) = ([C::ALL; PADDED], [C::ALL; PADDED]);
        for column in 0..MAX_COLUMNS {
            left[column + 1] = left[column] & columns[column];
        }
        for column in (0..MAX_COLUMNS).rev() {
            right[column] = right[column + 1] & columns[column];
        }
        Self {
            heights,
            columns,
            left,
            right,
        }
    }

    /// What dropping this piece does, for every column.
    #[inline]
    #[must_use]
    pub fn drops(&self, piece: &Oriented) -> Drops<C> {
        let mut rows = [0; MAX_COLUMNS];
        let mut sums = [piece.gaps(); MAX_COLUMNS];
        for (place, &bottom) in piece.bottoms().iter().enumerate() {
            let heights = lanes(&self.heights, place);
            for lane in 0..MAX_COLUMNS {
                rows[lane] = rows[lane].max(heights[lane].saturating_sub(bottom.into()));
                sums[lane] = sums[lane]
                    .wrapping_add(u32::from(bottom))
                    .wrapping_sub(heights[lane]);
            }
        }
        let (left, right) = (
            lanes(&self.left, 0),
            lanes(&self.right, piece.masks().len()),
        );
        let mut full = [C::NONE; MAX_COLUMNS];
        let mut covered = [0; MAX_COLUMNS];
        for lane in 0..MAX_COLUMNS {
            full[lane] = left[lane] & right[lane];
            covered[lane] = sums[lane].wrapping_add(rows[lane].wrapping_mul(piece.width()));
        }
        for (place, &mask) in piece.masks().iter().enumerate() {
            let columns = lanes(&self.columns, place);
            for lane in 0..MAX_COLUMNS {
                full[lane] &= columns[lane] | C::from_mask(mask).up(rows[lane]);
            }
        }
        Drops {
            rows,
            covered,
            full,
        }
    }
}

/// Where a piece comes to lie, dropped in one column; see [`Drops`].
#[derive(Debug, Clone, Copy)]
pub struct Drop<C> {
    /// The column of its left edge.
    pub column: u32,
    /// The row of its lowest cell.
    pub row: u32,
    /// The empty cells it covers.
    pub covered: u32,
    /// The rows it makes full.
    pub full: C,
}

impl<C: ColumnBits> Drops<C> {
    /// The drop with the left edge in `column`, which is below [`MAX_COLUMNS`].
    #[inline]
    #[must_use]
    pub fn at(&self, column: u32) -> Drop<C> {
        // The remainder changes nothing, but it spares three checks.
        let place = column as usize % MAX_COLUMNS;
        let (row, covered, full) = (self.rows[place], self.covered[place], self.full[place]);
        Drop {
            column,
            row,
            covered,
            full,
        }
    }
}

/// The sixteen words from `start` on, as an array: the loops over it need no check.
#[inline]
fn lanes<T>(words: &[T; PADDED], start: usize) -> &[T; MAX_COLUMNS] {
    words[start..start + MAX_COLUMNS]
        .try_into()
        .expect("the slice is as long as the array")
}

impl<C: ColumnBits> Tetris<C> {
    /// Calls `judge` with what each legal placement of the current piece changes, in the order of moves.
    #[inline]
    pub fn judge_placements(
        &self,
        position: &Position<C>,
        mut judge: impl FnMut(Placement, Judgement),
    ) {
        let Some(piece) = position.queue.first() else {
            return;
        };
        let board = &position.board;
        let skyline = Skyline::of(board);
        let (before, last) = (Before::of(board), board.width() + 1);
        for (rotation, oriented) in (0..).zip(self.shape(piece).rotations()) {
            let drops = skyline.drops(oriented);
            for column in 0..last.saturating_sub(oriented.width()) {
                let drop = drops.at(column);
                if board.fits(oriented, drop.row) {
                    let placement = Placement {
                        hold: false,
                        rotation,
                        column: column as u8,
                    };
                    let judgement = self.judge_drop(board, &before, oriented, drop);
                    judge(placement, judgement);
                }
            }
        }
    }

    #[inline]
    fn judge_drop(
        &self,
        board: &Board<C>,
        before: &Before,
        oriented: &Oriented,
        drop: Drop<C>,
    ) -> Judgement {
        if drop.full.is_empty() {
            let top = drop.row + oriented.height();
            let height = top.saturating_sub(before.height) as i32;
            Judgement {
                height,
                holes: drop.covered as i32,
                lines: 0,
            }
        } else {
            self.judge_lines(board, before, oriented, drop)
        }
    }

    /// The judgement of a placement that makes rows full.
    #[inline(never)]
    fn judge_lines(
        &self,
        board: &Board<C>,
        before: &Before,
        oriented: &Oriented,
        drop: Drop<C>,
    ) -> Judgement {
        let mut after = *board;
        after.put(oriented, drop.row, drop.column);
        let (lines, (height, holes)) = match self.rules.gravity {
            Gravity::Rows => (drop.full.count(), after.height_and_holes_without(drop.full)),
            Gravity::Cascade => {
                let mut lines = 0;
                after.cascade(|step| lines += step);
                (lines, (after.height(), after.holes()))
            }
        };
        Judgement {
            height: height as i32 - before.height as i32,
            holes: holes as i32 - before.holes as i32,
            lines,
        }
    }
}

/// What a judgement compares with.
struct Before {
    height: u32,
    holes: u32,
}

impl Before {
    #[inline]
    fn of<C: ColumnBits>(board: &Board<C>) -> Self {
        Self {
            height: board.height(),
            holes: board.holes(),
        }
    }
}

impl<C: ColumnBits> Board<C> {
    /// Height and holes after a piece was put and made these rows `full`, which are then removed.
    #[inline]
    #[must_use]
    pub fn height_and_holes_without(&self, full: C) -> (u32, u32) {
        let height_of = |column: C| {
            let height = (column & !full).height();
            // The highest row that stays moves down by the removed ones below it.
            if height == 0 {
                0
            } else {
                height - (full & C::below(height - 1)).count()
            }
        };
        let mut sums = (0, 0);
        for &column in self.columns() {
            let height = height_of(column);
            sums.0 = height.max(sums.0);
            sums.1 += height - (column & !full).count();
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tetris::Rules;

    fn check(board: &str, placement: &str, expected: (i32, i32, u32)) {
        let options = "board=4x8 known=1".parse().unwrap();
        let game: Tetris<u32> = Tetris::new(Rules::from_options(&options).unwrap());
        let position = format!("4x8 {board}").parse().unwrap();
        let mut found = None;
        game.judge_placements(&position, |place, judgement| {
            if place.to_string() == placement {
                found = Some((judgement.height, judgement.holes, judgement.lines));
            }
        });
        assert_eq!(found, Some(expected), "{placement} on {board}");
    }

    #[test]
    fn placements_are_judged_by_what_they_change() {
        check("- I", "r0c0", (0, 0, 1));
        check("- I", "r1c0", (4, 0, 0));
        check("#..# I", "r0c0", (0, 0, 1));
        check("#... O", "r0c0", (2, 1, 0));
        check("#.../#... O", "r0c1", (0, 0, 0));
        // The row that covered two cells goes, and with it the holes.
        check("###./#... I", "r1c3", (1, -2, 1));
    }
}
