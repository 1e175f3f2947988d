//! What a placement changes: the features of tetris-ga.
//!
//! | weight | feature | |
//! |---|---|---|
//! | 1 | Height | increase of the height of the highest column |
//! | 2 | ETP | edges of the piece that touch filled cells |
//! | 3 | ETW | edges of the piece that touch a wall or the floor |
//! | 4 | Gaps | increase of the holes: empty cells with a filled one above in their column |
//! | 5 | Lines | lines completed |
//!
//! Height and Gaps compare the board before with the one after full rows have vanished, so both may be
//! negative. Edges are counted where the piece comes to lie, before rows vanish. The floor is a wall (the
//! two boards of tetris-ga differ in that). The edge at the ceiling touches nothing.
//!
//! `five` is these; `ten` each followed by its square, in the order h, h2, etp, etp2, etw, etw2, gaps, gaps2,
//! lines, lines2.
//!
//! That is the reading `as-described`. `as-published` is what the listings of tetris-ga do: Height is the row in
//! which the piece lands, from 0, and the floor touches nothing. Its tables of weights have ETP and Lines exchanged (as
//! labelled, most of its champions lose within hundreds of pieces), so this reading has Lines second and ETP fifth,
//! and takes weights as they are printed.

use games::tetris::ColumnBits;

use super::Features;
use crate::placement::ground::{Cleared, Drops, Ground};
use crate::placement::turned::Turned;

/// The five changes (`F` = 5), or each with its square (`F` = 10), as described or as published.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change<const AS_PUBLISHED: bool>;

/// What changes are changes of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Before {
    height: i32,
    holes: i32,
}

const HEIGHT: usize = 0;
const WALL_TOUCHES: usize = 2;
const GAPS: usize = 3;

impl<const AS_PUBLISHED: bool> Change<AS_PUBLISHED> {
    const TOUCHES: usize = if AS_PUBLISHED { 4 } else { 1 };
    const LINES: usize = if AS_PUBLISHED { 1 } else { 4 };
}

impl<const AS_PUBLISHED: bool, const F: usize> Features<F> for Change<AS_PUBLISHED> {
    type Before<C: ColumnBits> = Before;

    fn before<C: ColumnBits>(ground: &Ground<C>) -> Before {
        Before {
            height: ground.board.height() as i32,
            holes: ground.board.holes() as i32,
        }
    }

    #[inline]
    fn follow<C: ColumnBits>(
        before: &Before,
        features: &[i32; F],
        ground: &Ground<C>,
        next: &mut Before,
    ) {
        *next = Before {
            height: if AS_PUBLISHED {
                ground.board.height() as i32
            } else {
                before.height + features[HEIGHT * F / 5]
            },
            holes: before.holes + features[GAPS * F / 5],
        };
    }

    #[inline(never)]
    fn of_drops<C: ColumnBits, const N: usize>(
        ground: &Ground<C>,
        before: &Before,
        piece: &Turned,
        drops: &Drops<N>,
    ) -> [[i32; N]; F] {
        let mut five = [[0; N]; 5];
        let sides = ground.side_touches(piece, &drops.rows);
        let feet = ground.foot_touches(piece, &drops.rows);
        let below = before.height - piece.height as i32;
        for lane in 0..N {
            let on_floor = if drops.rows[lane] == 0 {
                piece.soles
            } else {
                0
            };
            let walls = piece.wall_edges[lane] + on_floor;
            five[Self::TOUCHES][lane] = sides[lane] + feet[lane] - walls;
            if AS_PUBLISHED {
                five[HEIGHT][lane] = drops.rows[lane];
                five[WALL_TOUCHES][lane] = piece.wall_edges[lane];
            } else {
                five[HEIGHT][lane] = (drops.rows[lane] - below).max(0);
                five[WALL_TOUCHES][lane] = walls;
            }
            five[GAPS][lane] = drops.covered[lane];
        }
        let mut features = [[0; N]; F];
        for (kind, lanes) in five.iter().enumerate() {
            for lane in 0..N {
                put::<F>(kind, lanes[lane], |place, feature| {
                    features[place][lane] = feature;
                });
            }
        }
        features
    }

    #[inline]
    fn with_lines<C: ColumnBits>(features: &mut [i32; F], before: &Before, cleared: &Cleared<C>) {
        let (height, holes) = cleared.board.height_and_holes_without(cleared.taken);
        let mut set = |kind, change| {
            put::<F>(kind, change, |place, feature| features[place] = feature);
        };
        if !AS_PUBLISHED {
            set(HEIGHT, height as i32 - before.height);
        }
        set(GAPS, holes as i32 - before.holes);
        set(Self::LINES, cleared.lines);
    }
}

/// Hands over a change, and in the larger set its square, with their places.
#[inline(always)]
fn put<const F: usize>(kind: usize, change: i32, mut to: impl FnMut(usize, i32)) {
    let each = F / 5;
    to(kind * each, change);
    if each == 2 {
        to(kind * each + 1, change * change);
    }
}
