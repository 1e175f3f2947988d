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
//! lines, lines2. The others are what tetris-ga asks for as further work: `fifteen` has the cubes as well, `twenty` also the logarithms
//! (ln(1 + |x|) with the sign of x), and `six` is `five` and
//!
//! | 6 | gap ratio | empty cells below the piece, divided by the holes of the columns beside it (by 1 if there are none) |
//!
//! before rows vanish. Logarithms and the ratio are rounded down to multiples of 1/1024.
//!
//! That is the reading `as-described`. `as-published` is what the listings of tetris-ga do: Height is the row in
//! which the piece lands, from 0, and the floor touches nothing. Its tables of weights have ETP and Lines exchanged (as
//! labelled, most of its champions lose within hundreds of pieces), so this reading has Lines second and ETP fifth,
//! and takes weights as they are printed.

use std::array::from_fn;

use games::tetris::{ColumnBits, MAX_SIDE};

use super::{Features, Hope};
use crate::placement::ground::{Cleared, Drops, Ground};
use crate::placement::lanes::{LANES, Lanes, ROOM, WALLS, each_lane, eight, lanes, larger};
use crate::placement::turned::Turned;

/// The five changes (`F` = 5), each with its square (`F` = 10), cube (15) and logarithm (20), or with the ratio of gaps (6), as described or as
/// published.
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

/// Logarithms and ratios are whole multiples of one part of these.
const PARTS: i32 = 1024;

/// No change on a board of 16x40 is larger; what does not fit the board is cut here, so that cubes stay within the word.
const LARGEST: i32 = 1000;

/// The logarithms of 1 + n in parts.
const LOGARITHMS: [i32; LARGEST as usize + 1] = logarithms();

const fn logarithms() -> [i32; LARGEST as usize + 1] {
    let mut table = [0; LARGEST as usize + 1];
    let (mut sum, mut n) = (0.0, 1);
    while n < table.len() {
        // ln((n + 1) / n) = 2 artanh(1 / (2 n + 1)).
        let x = 1.0 / (2 * n + 1) as f64;
        let (mut power, mut term) = (x, 1);
        while term < 40 {
            sum += 2.0 * power / term as f64;
            power *= x * x;
            term += 2;
        }
        table[n] = (sum * PARTS as f64) as i32;
        n += 1;
    }
    table
}

impl<const AS_PUBLISHED: bool> Change<AS_PUBLISHED> {
    const TOUCHES: usize = if AS_PUBLISHED { 4 } else { 1 };
    const LINES: usize = if AS_PUBLISHED { 1 } else { 4 };
}

impl<const AS_PUBLISHED: bool, const F: usize> Features<F> for Change<AS_PUBLISHED> {
    type Before<C: ColumnBits> = Before;

    fn of_whole_numbers(weights: [f64; F]) -> [f64; F] {
        let in_parts = |place| has_ratio(F) && place == 5 || F == 20 && place % 4 == 3;
        from_fn(|place| {
            if in_parts(place) {
                weights[place] / f64::from(PARTS)
            } else {
                weights[place]
            }
        })
    }

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
                before.height + features[HEIGHT * (F / 5)]
            },
            holes: before.holes + features[GAPS * (F / 5)],
        };
    }

    #[inline(always)]
    fn of_drops<C: ColumnBits>(
        ground: &Ground<C>,
        before: &Before,
        piece: &Turned,
        drops: &Drops,
    ) -> [Lanes; F] {
        let mut five = [Lanes::ZERO; 5];
        let sides =
            Ground::<C>::side_touches(piece, |place| ground.windows(drops, WALLS - 1 + place));
        let feet = ground.foot_touches(piece, drops);
        let wall_edges = Lanes::new(*eight(&piece.wall_edges, drops.start));
        let on_floor = drops.rows.simd_eq(Lanes::ZERO) & Lanes::splat(piece.soles);
        let walls = wall_edges + on_floor;
        five[Self::TOUCHES] = sides + feet - walls;
        if AS_PUBLISHED {
            five[HEIGHT] = drops.rows;
            five[WALL_TOUCHES] = wall_edges;
        } else {
            let below = before.height - piece.height as i32;
            five[HEIGHT] = (drops.rows - Lanes::splat(below)).max(Lanes::ZERO);
            five[WALL_TOUCHES] = walls;
        }
        five[GAPS] = drops.covered;
        let mut features = with_powers(&five);
        if has_ratio(F) {
            features[5] = gap_ratios(ground, before, piece, drops);
        }
        features
    }

    /// Height falls by no more than the lines, edges touch walls or cells, and only lines make holes vanish.
    #[inline]
    fn most<C: ColumnBits>(
        weights: &[f64; F],
        before: &Before,
        features: &[i32; F],
        piece: &Turned,
        hope: Hope,
    ) -> f64 {
        if F != 5 && F != 10 {
            return f64::INFINITY;
        }
        let worth = |kind| Worth::of(weights, kind);
        let edges = piece.side_edges + piece.feet.len() as i32;
        let on_floor = if AS_PUBLISHED || hope.row > 0 {
            0
        } else {
            piece.soles
        };
        let walls = (piece.most_wall_edges + on_floor).min(edges);
        let touches = most_of_touches(worth(Self::TOUCHES), worth(WALL_TOUCHES), edges, walls);
        let height = features[HEIGHT * (F / 5)];
        let (heights, top) = if AS_PUBLISHED {
            let top = before.height.max(height + MAX_SIDE as i32);
            ((hope.row, top), top)
        } else {
            ((-hope.lines, piece.height as i32), before.height + height)
        };
        let holes = before.holes + features[GAPS * (F / 5)];
        let least_gaps = if hope.lines > 0 { -holes } else { 0 };
        touches
            + worth(HEIGHT).most(heights.0, heights.1)
            + worth(GAPS).most(least_gaps, piece.width as i32 * top + piece.gaps)
            + worth(Self::LINES).most(0, hope.lines)
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

/// What a change of one kind is worth: its number and the square of that, each times its weight.
#[derive(Clone, Copy)]
struct Worth {
    number: f64,
    square: f64,
}

impl Worth {
    #[inline(always)]
    fn of<const F: usize>(weights: &[f64; F], kind: usize) -> Self {
        let each = F / 5;
        Self {
            number: weights[kind * each],
            square: if each == 2 {
                weights[kind * each + 1]
            } else {
                0.0
            },
        }
    }

    #[inline(always)]
    fn at(self, number: f64) -> f64 {
        (self.number + self.square * number) * number
    }

    /// The most that a number of at least `least` and at most `most` is worth.
    #[inline(always)]
    fn most(self, least: i32, most: i32) -> f64 {
        let [least, most] = [least, most].map(f64::from);
        let ends = larger(self.at(least), self.at(most));
        if self.square >= 0.0 {
            return ends;
        }
        let summit = -self.number / (2.0 * self.square);
        larger(ends, self.at(summit.clamp(least, most)))
    }
}

/// A bound on what the edges of a piece are worth, of which so many at most touch walls, and the others cells.
#[inline(always)]
fn most_of_touches(cells: Worth, walls: Worth, edges: i32, at_walls: i32) -> f64 {
    if cells.square < 0.0 || walls.square < 0.0 {
        return cells.most(0, edges) + walls.most(0, at_walls);
    }
    // What is nowhere bent down is highest at a corner.
    let others = larger(cells.at((edges - at_walls).into()), 0.0);
    let with_walls = larger(walls.at(at_walls.into()) + others, cells.at(edges.into()));
    larger(with_walls, 0.0)
}

/// Whether a set of this many features ends with the ratio of gaps.
const fn has_ratio(features: usize) -> bool {
    features % 5 == 1
}

/// Empty cells below the piece, divided by the holes elsewhere, in parts.
#[inline(always)]
fn gap_ratios<C: ColumnBits>(
    ground: &Ground<C>,
    before: &Before,
    piece: &Turned,
    drops: &Drops,
) -> Lanes {
    let mut holes = [0; ROOM];
    let columns = ground.heights.iter().zip(&ground.columns);
    let inside = holes.iter_mut().zip(columns).skip(WALLS);
    for (holes, (height, column)) in inside.take(ground.width()) {
        *holes = height - column.count() as i32;
    }
    let mut own = Lanes::ZERO;
    for foot in &piece.feet {
        own += lanes(&holes, WALLS + drops.start + foot.place);
    }
    let below = (own + drops.covered).to_array();
    let own = own.to_array();
    each_lane(|lane| {
        let below = below[lane].clamp(0, LARGEST);
        PARTS * below / (before.holes - own[lane]).max(1)
    })
}

/// The five changes with what the set has of each.
#[inline(always)]
fn with_powers<const F: usize>(five: &[Lanes; 5]) -> [Lanes; F] {
    if F / 5 == 1 {
        return from_fn(|feature| five.get(feature).copied().unwrap_or(Lanes::ZERO));
    }
    let mut features = [[0; LANES]; F];
    for (kind, changes) in five.iter().enumerate() {
        for (lane, change) in changes.to_array().into_iter().enumerate() {
            put::<F>(kind, change, |place, feature| {
                features[place][lane] = feature;
            });
        }
    }
    features.map(Lanes::new)
}

/// Hands over a change, and in the larger sets its square, cube and logarithm, with their places.
#[inline(always)]
fn put<const F: usize>(kind: usize, change: i32, mut to: impl FnMut(usize, i32)) {
    let each = F / 5;
    to(kind * each, change);
    if each >= 2 {
        to(kind * each + 1, change * change);
    }
    let cut = change.clamp(-LARGEST, LARGEST);
    if each >= 3 {
        to(kind * each + 2, cut * cut * cut);
    }
    if each == 4 {
        let logarithm = LOGARITHMS[cut.unsigned_abs() as usize];
        to(kind * each + 3, cut.signum() * logarithm);
    }
}
