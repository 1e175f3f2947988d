//! `patches`: the weights of `lines`, and more of squares of 2x2 and blocks of 2x3 cells, that change as the largest tile grows.
//!
//! | feature of a square | counts |
//! |---|---|
//! | diagonals | differences along both diagonals |
//! | twist, twist-3 | how far one diagonal's sum is from the other's, of x and of x^3: 0 if both rows rise alike |
//! | least, second-3, most-4 | its smallest x, the second largest x^3, the largest x^4 |
//! | equal-diagonals | diagonals with equal tiles |
//! | empty-squared | square of its empty cells |
//! | holes, peaks | by how much a cell lies below both its neighbours in the square; and above both |
//!
//! Squares in a corner, at an edge and in the centre have their own weights. Of a block, `slopes` is the product of how far its two
//! rows of three fall: positive when both fall the same way; blocks at the border and others apart.
//!
//! With `phases=3` there are twice as many weights: each is w + t x late-w, where t is 0 while the largest tile is below 1024, 1/2 with
//! 1024 and 1 from 2048 on. All moves are compared by the t of the board before them.

use std::array::from_fn;
use std::sync::{Arc, LazyLock};

use games::twenty48::{Packed, Tiles};
use spec::{Spec, SpecError};

use super::features::{Columns, Feature, Table, apart, below, empty, power, weighed};
use super::lines;
use crate::evaluate::WEIGHTS;

/// The features of a square: a b above c d.
static FEATURES: [Feature; 10] = [
    Feature::new("diagonals", 0.37, |square| {
        diagonals(square, |a, b| apart(a, b, 1))
    }),
    Feature::new("twist", 0.37, |square| twist(square, 1)),
    Feature::new("twist-3", 0.39, |square| twist(square, 3)),
    Feature::new("least", 0.18, |square| power(sorted(square)[0], 1)),
    Feature::new("second-3", 0.26, |square| power(sorted(square)[2], 3)),
    Feature::new("most-4", 0.34, |square| power(sorted(square)[3], 4)),
    Feature::new("equal-diagonals", 0.38, |square| {
        diagonals(square, |a, b| f64::from(u8::from(a == b && a > 0)))
    }),
    Feature::new("empty-squared", 0.91, |square| {
        empty(square) * empty(square)
    }),
    Feature::new("holes", 0.33, |square| {
        corners(square, |cell, one, other| below(cell, one.min(other)))
    }),
    Feature::new("peaks", 0.33, |square| {
        corners(square, |cell, one, other| below(one.max(other), cell))
    }),
];

/// Where squares are told apart, and then blocks.
const SQUARES: [&str; 3] = ["corner", "edge", "centre"];
const BLOCKS: [&str; 2] = ["outer", "inner"];

/// What the slopes of a block are divided by.
const SLOPES: f64 = 1.4;

/// Weights of one phase, and where those of squares and blocks begin.
const COUNT: usize = BLOCKS_FROM + BLOCKS.len();
const SQUARES_FROM: usize = lines::COUNT;
const BLOCKS_FROM: usize = SQUARES_FROM + SQUARES.len() * FEATURES.len();

/// How many sets of weights there are as the largest tile grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phases {
    /// The same weights for all boards.
    One,
    /// Below 1024, with 1024, from 2048 on.
    Three,
}

fn sorted(square: &[u8]) -> [u8; 4] {
    let mut sorted = from_fn(|cell| square[cell]);
    sorted.sort_unstable();
    sorted
}

fn diagonals(square: &[u8], of: impl Fn(u8, u8) -> f64) -> f64 {
    of(square[0], square[3]) + of(square[1], square[2])
}

fn twist(square: &[u8], by: i32) -> f64 {
    let [a, b, c, d] = from_fn(|cell| power(square[cell], by));
    (a + d - b - c).abs()
}

/// The sum over all cells, each with its two neighbours.
fn corners(square: &[u8], of: impl Fn(u8, u8, u8) -> f64) -> f64 {
    let corner = |cell: usize| of(square[cell], square[cell ^ 1], square[cell ^ 2]);
    (0..4).map(corner).sum()
}

/// The names of the weights.
pub(crate) fn names(phases: Phases) -> Vec<String> {
    let of_place = |place: &'static str| {
        let names = FEATURES.iter().map(|feature| feature.name);
        names.map(move |name| format!("{place}-{name}"))
    };
    let squares = SQUARES.into_iter().flat_map(of_place);
    let blocks = BLOCKS.into_iter().map(|place| format!("{place}-slopes"));
    let all = lines::names().chain(squares).chain(blocks);
    let late = all.clone().map(|name| format!("late-{name}"));
    match phases {
        Phases::One => all.collect(),
        Phases::Three => all.chain(late).collect(),
    }
}

/// The evaluation with its weights.
#[derive(Clone)]
pub struct Patches {
    phases: Arc<[Phase]>,
}

/// The evaluation as long as the largest tile is the same.
struct Phase {
    weights: [f64; COUNT],
    lines: lines::Lines,
    squares: [Box<Table>; 3],
    /// Of the products of exponents.
    slopes: [f32; 2],
}

impl Phase {
    fn new(weights: [f64; COUNT]) -> Self {
        static COLUMNS: LazyLock<Columns> = LazyLock::new(|| Columns::new(&FEATURES));
        let of_place = |place| COLUMNS.weighed(&weights[SQUARES_FROM + place * FEATURES.len()..]);
        let unit = power(1, 2) / SLOPES;
        Self {
            lines: lines::Lines::new(&weights[..lines::COUNT]),
            squares: from_fn(of_place),
            slopes: from_fn(|place| (weights[BLOCKS_FROM + place] * unit) as f32),
            weights,
        }
    }

    #[inline]
    fn of_packed(&self, packed: Packed) -> f32 {
        let (board, turned) = (packed.0, packed.transposed().0);
        let [corner, edge, centre] = &self.squares;
        let square = |table: &Table, shift: u32| {
            let two_rows = board >> shift;
            table[usize::from((two_rows & 0xff | two_rows >> 8 & 0xff00) as u16)]
        };
        let corners =
            (square(corner, 0) + square(corner, 8)) + (square(corner, 32) + square(corner, 40));
        let edges = (square(edge, 4) + square(edge, 16)) + (square(edge, 24) + square(edge, 36));
        let [outer, inner] = {
            let (across, down) = (slopes(board), slopes(turned));
            [across[0] + down[0], across[1] + down[1]]
        };
        let blocks = self.slopes[0] * outer as f32 + self.slopes[1] * inner as f32;
        self.lines.of_packed(packed) + (corners + edges) + (square(centre, 20) + blocks)
    }

    /// The same from the exponents, for boards of other sizes and with larger tiles.
    fn of_any(&self, tiles: Tiles) -> f64 {
        let cells: Vec<u8> = tiles.exponents().collect();
        let (rows, cols) = (usize::from(tiles.rows()), usize::from(tiles.cols()));
        let at = |row: usize, col: usize| cells[row * cols + col];
        let is_outer = |place: usize, count: usize| place == 0 || place + 2 == count;
        let slope = |from: u8, to: u8| (f64::from(from) - f64::from(to)) / 11.0;
        let block = |place: usize, count: usize, [a, b, c, d]: [u8; 4]| {
            let weight = self.weights[BLOCKS_FROM + usize::from(!is_outer(place, count))];
            weight * slope(a, b) * slope(c, d) / SLOPES
        };
        let mut value = lines::of_any(&self.weights[..lines::COUNT], tiles);
        for row in 0..rows - 1 {
            for col in 0..cols - 1 {
                let inside = usize::from(!is_outer(row, rows)) + usize::from(!is_outer(col, cols));
                let weights = &self.weights[SQUARES_FROM + inside * FEATURES.len()..];
                let square = [
                    at(row, col),
                    at(row, col + 1),
                    at(row + 1, col),
                    at(row + 1, col + 1),
                ];
                value += weighed(&FEATURES, weights, &square);
                if col + 2 < cols {
                    let ends = [
                        at(row, col),
                        at(row, col + 2),
                        at(row + 1, col),
                        at(row + 1, col + 2),
                    ];
                    value += block(row, rows, ends);
                }
                if row + 2 < rows {
                    let ends = [
                        at(row, col),
                        at(row + 2, col),
                        at(row, col + 1),
                        at(row + 2, col + 1),
                    ];
                    value += block(col, cols, ends);
                }
            }
        }
        value
    }
}

/// The slopes of all blocks across, in products of exponents: those at the border and those in the middle.
#[inline]
fn slopes(board: u64) -> [i32; 2] {
    static FALLS: LazyLock<Box<[[i8; 2]; 1 << 16]>> = LazyLock::new(|| {
        let fall = |row: u16, from: u16| {
            let exponent = |cell: u16| (row >> (4 * cell)) as i8 & 15;
            exponent(from) - exponent(from + 2)
        };
        let falls: Vec<[i8; 2]> = (0..=u16::MAX)
            .map(|row| [fall(row, 0), fall(row, 1)])
            .collect();
        falls
            .into_boxed_slice()
            .try_into()
            .expect("there are 65,536 rows")
    });
    let falls = &**FALLS;
    let row = |shift: u32| falls[usize::from((board >> shift) as u16)].map(i32::from);
    let [first, second, third, fourth] = [row(0), row(16), row(32), row(48)];
    let both = |a: [i32; 2], b: [i32; 2]| a[0] * b[0] + a[1] * b[1];
    [
        both(first, second) + both(third, fourth),
        both(second, third),
    ]
}

impl Patches {
    /// The evaluation with these weights: those of one phase, or twice as many.
    fn new(weights: &[f64]) -> Self {
        let (early, late) = weights.split_at(COUNT);
        let shares: &[f64] = if late.is_empty() {
            &[0.0]
        } else {
            &[0.0, 0.5, 1.0]
        };
        let weight = |place: usize, share: f64| match late.get(place) {
            Some(late) => early[place] + share * late,
            None => early[place],
        };
        let phases = shares
            .iter()
            .map(|&share| Phase::new(from_fn(|place| weight(place, share))));
        Self {
            phases: phases.collect(),
        }
    }

    /// The evaluation with the weights of a spec, or those of `lines` and 0 for squares and blocks.
    pub(crate) fn from_spec(spec: &Spec, phases: Phases) -> Result<Self, SpecError> {
        if spec.value(&WEIGHTS).is_empty() {
            let of_lines = |place| lines::EVOLVED.get(place).copied().unwrap_or(0.0);
            return Ok(Self::new(&from_fn::<f64, COUNT, _>(of_lines)));
        }
        let names = names(phases);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Ok(Self::new(&spec.numbers(&WEIGHTS, &names)?))
    }

    /// The phase of a board, for [`of`](Self::of).
    #[inline]
    #[must_use]
    pub fn phase(&self, tiles: Tiles) -> usize {
        if self.phases.len() == 1 {
            return 0;
        }
        usize::from(tiles.has_at_least(10)) + usize::from(tiles.has_at_least(11))
    }

    /// The value of any tiles in a phase.
    #[inline]
    #[must_use]
    pub fn of(&self, tiles: Tiles, phase: usize) -> f32 {
        let phase = &self.phases[phase];
        match tiles {
            Tiles::Packed(packed) => phase.of_packed(packed),
            Tiles::Wide(_) => phase.of_any(tiles) as f32,
        }
    }
}
