//! `eight`: the eight weights P1..P8 of 2048-ga.
//!
//! Value = P2 x empty cells + P3 x score + sum over cells of cell value x position factor.
//! Cell value = P4 x tile + P5 x neighbours + P6 x empty neighbours + P7 x smallest and P8 x largest
//! difference to a neighbour (of exponents; an empty cell has exponent 0 and is evaluated, too). The cell values are sorted
//! in ascending order; the one at place k = 1, 2, ... is multiplied by 1 + 0.1 x k x P1.

use std::array::from_fn;

use games::Game;
use games::twenty48::{Packed, Position, Tiles, Twenty48};
use spec::{Spec, SpecError};

use crate::evaluate::{Evaluate, WEIGHTS};

/// The evaluation with its weights.
#[derive(Debug, Clone)]
pub struct Eight {
    weights: [f64; 8],
    /// What the cell value at each place of their order is multiplied by.
    factors: [f64; MOST_CELLS],
}

/// Names of the weights.
pub const NAMES: [&str; 8] = ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8"];

/// What the weights weigh, in the same order.
pub const MEANINGS: [&str; 8] = [
    "order of the cells",
    "empty cells",
    "score",
    "tile",
    "neighbours",
    "empty neighbours",
    "smallest difference",
    "largest difference",
];

/// Used when a spec gives none: found by a hill climb of 400 steps, about 11,000 points without look-ahead.
const EXAMPLE: [f64; 8] = [19.0, -3.28, -0.0472, 0.0439, -0.936, 5.74, -5.69, -1.33];

/// Cells of the largest board.
const MOST_CELLS: usize = 25;

/// The neighbours of the cells of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Around<const N: usize> {
    neighbours: [u8; N],
    empty: [u8; N],
    smallest: [u8; N],
    largest: [u8; N],
}

impl Eight {
    /// The evaluation with these weights, P1 first.
    #[must_use]
    pub fn new(weights: [f64; 8]) -> Self {
        let factor = |place: usize| 1.0 + 0.1 * (place + 1) as f64 * weights[0];
        Self {
            weights,
            factors: from_fn(factor),
        }
    }

    /// The evaluation with the weights of a spec, or the example's.
    pub(crate) fn from_spec(spec: &Spec) -> Result<Self, SpecError> {
        if spec.value(&WEIGHTS).is_empty() {
            return Ok(Self::new(EXAMPLE));
        }
        let weights = spec.numbers(&WEIGHTS, &NAMES)?;
        Ok(Self::new(from_fn(|place| weights[place])))
    }

    /// The value of tiles with this score.
    #[must_use]
    pub fn of(&self, tiles: Tiles, score: f64) -> f64 {
        let [_, p2, p3, ..] = self.weights;
        let cells = match tiles {
            Tiles::Packed(packed) => self.cells_of_4x4(packed),
            Tiles::Wide(_) => self.cells_of_any(tiles),
        };
        p2 * f64::from(tiles.empty()) + p3 * score + cells
    }

    fn cells_of_4x4(&self, packed: Packed) -> f64 {
        let exponents = from_fn(|cell| packed.exponent(cell as u32));
        let mut cells = self.cells(&exponents, &around_4x4(&exponents));
        sort_16(&mut cells);
        self.in_order(&cells)
    }

    fn cells_of_any(&self, tiles: Tiles) -> f64 {
        let mut exponents = [0; MOST_CELLS];
        let mut count = 0;
        for exponent in tiles.exponents() {
            exponents[count] = exponent;
            count += 1;
        }
        let around = around_any(&exponents[..count], usize::from(tiles.cols()));
        let mut cells = self.cells(&exponents, &around);
        cells[..count].sort_by(f64::total_cmp);
        self.in_order(&cells[..count])
    }

    #[inline(always)]
    fn cells<const N: usize>(&self, exponents: &[u8; N], around: &Around<N>) -> [f64; N] {
        let [_, _, _, p4, p5, p6, p7, p8] = self.weights;
        let number = |value: u8| f64::from(i32::from(value));
        let mut cells = [0.0; N];
        for cell in 0..N {
            // 2^e, but 0 for an empty cell.
            let tile = (1_i32 << exponents[cell].min(30)) & !1;
            cells[cell] = p4 * f64::from(tile)
                + p5 * number(around.neighbours[cell])
                + p6 * number(around.empty[cell])
                + p7 * number(around.smallest[cell])
                + p8 * number(around.largest[cell]);
        }
        cells
    }

    /// The sum of the sorted cell values, each times the factor of its place; four sums side by side, which a processor adds at once.
    #[inline(always)]
    fn in_order(&self, cells: &[f64]) -> f64 {
        let mut sums = [0.0; 4];
        for (place, (value, factor)) in cells.iter().zip(&self.factors).enumerate() {
            sums[place % 4] += value * factor;
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }
}

impl<const N: usize> Around<N> {
    const NONE: Self = Self {
        neighbours: [0; N],
        empty: [0; N],
        smallest: [u8::MAX; N],
        largest: [0; N],
    };

    /// Every cell meets the one beside it in `others`, where `there` is all ones; where it is 0 there is none.
    #[inline(always)]
    fn meet(&mut self, own: &[u8; N], others: &[u8; N], there: &[u8; N]) {
        for cell in 0..N {
            let difference = own[cell].abs_diff(others[cell]);
            self.neighbours[cell] += there[cell] & 1;
            self.empty[cell] += u8::from(others[cell] == 0) & there[cell];
            self.smallest[cell] = self.smallest[cell].min(difference | !there[cell]);
            self.largest[cell] = self.largest[cell].max(difference & there[cell]);
        }
    }
}

/// All ones where a cell of a 4x4 board has a neighbour in a direction.
const LEFT: [u8; 16] = [
    0, 255, 255, 255, 0, 255, 255, 255, 0, 255, 255, 255, 0, 255, 255, 255,
];
const RIGHT: [u8; 16] = [
    255, 255, 255, 0, 255, 255, 255, 0, 255, 255, 255, 0, 255, 255, 255, 0,
];
const ABOVE: [u8; 16] = [
    0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
];
const BELOW: [u8; 16] = [
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0,
];

/// The neighbours of the cells of a 4x4 board: the whole board beside itself, moved by a cell or a row.
#[inline(always)]
fn around_4x4(exponents: &[u8; 16]) -> Around<16> {
    let mut padded = [0; 24];
    padded[4..20].copy_from_slice(exponents);
    let moved = |by: usize| -> &[u8; 16] { padded[by..by + 16].try_into().expect("16 cells") };
    let mut around = Around::NONE;
    around.meet(exponents, moved(3), &LEFT);
    around.meet(exponents, moved(5), &RIGHT);
    around.meet(exponents, moved(0), &ABOVE);
    around.meet(exponents, moved(8), &BELOW);
    around
}

/// The same cell by cell, for boards of any size.
fn around_any(exponents: &[u8], cols: usize) -> Around<MOST_CELLS> {
    let mut around = Around::NONE;
    for cell in 0..exponents.len() {
        let neighbours = [
            (!cell.is_multiple_of(cols)).then(|| cell - 1),
            (cell % cols + 1 < cols).then(|| cell + 1),
            cell.checked_sub(cols),
            (cell + cols < exponents.len()).then(|| cell + cols),
        ];
        for neighbour in neighbours.into_iter().flatten() {
            let difference = exponents[cell].abs_diff(exponents[neighbour]);
            around.neighbours[cell] += 1;
            around.empty[cell] += u8::from(exponents[neighbour] == 0);
            around.smallest[cell] = around.smallest[cell].min(difference);
            around.largest[cell] = around.largest[cell].max(difference);
        }
    }
    around
}

/// `exchanges!(values, a:b ...; ...)`: puts the values at every pair of places in order.
macro_rules! exchanges {
    ($values:ident, $($($low:literal:$high:literal)+;)+) => {
        $($({
            // Written out: `min` would also look for what is not a number.
            let (a, b) = ($values[$low], $values[$high]);
            $values[$low] = if b < a { b } else { a };
            $values[$high] = if b < a { a } else { b };
        })+)+
    };
}

/// Sorts 16 values without a branch: Batcher's odd-even merge sort (1968), 63 exchanges in 10 layers. Spelt out, because a loop
/// over the pairs keeps the values in memory and is five times slower.
#[inline(always)]
fn sort_16(values: &mut [f64; 16]) {
    exchanges! { values,
        0:1 2:3 4:5 6:7 8:9 10:11 12:13 14:15;
        0:2 1:3 4:6 5:7 8:10 9:11 12:14 13:15;
        1:2 5:6 9:10 13:14;
        0:4 1:5 2:6 3:7 8:12 9:13 10:14 11:15;
        2:4 3:5 10:12 11:13;
        1:2 3:4 5:6 9:10 11:12 13:14;
        0:8 1:9 2:10 3:11 4:12 5:13 6:14 7:15;
        4:8 5:9 6:10 7:11;
        2:4 3:5 6:8 7:9 10:12 11:13;
        1:2 3:4 5:6 7:8 9:10 11:12 13:14;
    }
}

impl Evaluate<Twenty48> for Eight {
    fn value(&self, game: &Twenty48, position: &Position) -> f64 {
        self.of(position.tiles(), game.score(position) as f64)
    }
}

#[cfg(test)]
mod tests {
    use games::stream;
    use streams::normal;

    use super::*;

    #[test]
    fn the_network_sorts() {
        let mut rng = stream(1, &[]);
        for _ in 0..1000 {
            let mut values: [f64; 16] = from_fn(|_| (3.0 * normal(&mut rng)).round());
            let mut sorted = values;
            sorted.sort_by(f64::total_cmp);
            sort_16(&mut values);
            assert!(
                values.iter().zip(&sorted).all(|(a, b)| a == b),
                "{values:?}"
            );
        }
    }

    #[test]
    fn a_board_worked_out_by_hand() {
        // A 2 in the corner, a 4 beside it, the rest empty; score 0. Only P4 counts, sorted last: 2 at place 15, 4 at 16.
        let tiles = "1200/0000/0000/0000"
            .parse::<Position>()
            .expect("a board")
            .tiles();
        let value = Eight::new([1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]).of(tiles, 0.0);
        assert!((value - (2.0 * 2.5 + 4.0 * 2.6)).abs() < 1e-12, "{value}");
        // 14 empty cells, the score, 48 neighbours in all; empty neighbours: 48 less 2 of the corner tile, less 3 of the 4.
        let value = |weights| Eight::new(weights).of(tiles, 100.0);
        assert_eq!(value([0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]), 14.0);
        assert_eq!(value([0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]), 100.0);
        assert_eq!(value([0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]), 48.0);
        assert_eq!(value([0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]), 43.0);
        // Smallest differences: both tiles 1 (to each other). Largest: the 2 has 1, the 4 has 2, below the 2: 1, right of and below the 4: 2 each.
        assert_eq!(value([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]), 2.0);
        assert_eq!(value([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]), 8.0);
    }

    #[test]
    fn both_ways_to_look_around_agree() {
        let mut rng = stream(2, &[]);
        for _ in 0..1000 {
            let exponents: [u8; 16] = from_fn(|_| streams::below(&mut rng, 12) as u8);
            let (fast, plain) = (around_4x4(&exponents), around_any(&exponents, 4));
            assert_eq!(fast.neighbours, plain.neighbours[..16]);
            assert_eq!(fast.empty, plain.empty[..16]);
            assert_eq!(fast.smallest, plain.smallest[..16]);
            assert_eq!(fast.largest, plain.largest[..16]);
        }
    }
}
