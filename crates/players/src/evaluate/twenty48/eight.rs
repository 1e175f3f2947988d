//! `eight`: the eight weights P1..P8 of the document on genetic algorithms.
//!
//! Value = P2 x empty cells + P3 x score + sum over cells of cell value x position factor.
//! Cell value = P4 x tile + P5 x neighbours + P6 x empty neighbours + P7 x smallest and P8 x largest
//! difference to a neighbour (of exponents; an empty cell has exponent 0 and is evaluated, too). The cell values are sorted
//! in ascending order; the one at place k = 1, 2, ... is multiplied by 1 + 0.1 x k x P1.

use std::array::from_fn;

use games::Game;
use games::twenty48::{Position, Tiles, Twenty48};
use spec::{Spec, SpecError};

use crate::evaluate::{Evaluate, WEIGHTS};

/// The evaluation with its weights.
#[derive(Debug, Clone)]
pub struct Eight {
    weights: [f64; 8],
}

/// Names of the weights.
pub const NAMES: [&str; 8] = ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8"];

/// Used when a spec gives none: found by a hill climb of 400 steps, some 11,000 points without look-ahead.
const EXAMPLE: [f64; 8] = [19.0, -3.28, -0.0472, 0.0439, -0.936, 5.74, -5.69, -1.33];

/// Cells of the largest board.
const MOST_CELLS: usize = 25;

/// What stands around a cell.
#[derive(Debug, Clone, Copy)]
struct Around {
    neighbours: u8,
    empty: u8,
    smallest: u8,
    largest: u8,
}

impl Eight {
    /// The evaluation with these weights, P1 first.
    #[must_use]
    pub fn new(weights: [f64; 8]) -> Self {
        Self { weights }
    }

    /// The evaluation with the weights of a spec, or the example's.
    pub(crate) fn from_spec(spec: &Spec) -> Result<Self, SpecError> {
        if spec.value(&WEIGHTS).is_empty() {
            return Ok(Self::new(EXAMPLE));
        }
        let weights = spec.numbers(&WEIGHTS, &NAMES)?;
        Ok(Self::new(from_fn(|place| weights[place])))
    }

    /// The value of tiles with which so much was scored.
    #[must_use]
    pub fn of(&self, tiles: Tiles, score: f64) -> f64 {
        let [_, p2, p3, ..] = self.weights;
        let cells = match tiles {
            Tiles::Packed(packed) => {
                self.cells_of_4x4(from_fn(|cell| packed.exponent(cell as u32)))
            }
            Tiles::Wide(_) => self.cells_of_any(tiles),
        };
        p2 * f64::from(tiles.empty()) + p3 * score + cells
    }

    fn cells_of_4x4(&self, exponents: [u8; 16]) -> f64 {
        let mut cells: [f64; 16] =
            from_fn(|cell| self.cell(exponents[cell], around::<4, 4>(&exponents, cell)));
        sort_16(&mut cells);
        self.in_order(&cells)
    }

    fn cells_of_any(&self, tiles: Tiles) -> f64 {
        let exponents: Vec<u8> = tiles.exponents().collect();
        let mut cells = [0.0; MOST_CELLS];
        let cells = &mut cells[..exponents.len()];
        for (cell, value) in cells.iter_mut().enumerate() {
            let around = around_in(&exponents, cell, usize::from(tiles.cols()));
            *value = self.cell(exponents[cell], around);
        }
        cells.sort_by(f64::total_cmp);
        self.in_order(cells)
    }

    /// The sum of the sorted cell values, each times the factor of its place.
    #[inline]
    fn in_order(&self, cells: &[f64]) -> f64 {
        let p1 = self.weights[0];
        let cells = cells.iter().zip(1..);
        cells
            .map(|(value, k)| value * (1.0 + 0.1 * f64::from(k) * p1))
            .sum()
    }

    #[inline]
    fn cell(&self, exponent: u8, around: Around) -> f64 {
        let [_, _, _, p4, p5, p6, p7, p8] = self.weights;
        // 2^e, but 0 for an empty cell.
        let tile = (1_u32 << exponent) & !1;
        p4 * f64::from(tile)
            + p5 * f64::from(around.neighbours)
            + p6 * f64::from(around.empty)
            + p7 * f64::from(around.smallest)
            + p8 * f64::from(around.largest)
    }
}

/// As [`around_in`], unrolled for a size known beforehand.
#[inline(always)]
fn around<const ROWS: usize, const COLS: usize>(exponents: &[u8], cell: usize) -> Around {
    let (row, column) = (cell / COLS, cell % COLS);
    let mut around = Around {
        neighbours: 0,
        empty: 0,
        smallest: u8::MAX,
        largest: 0,
    };
    if column > 0 {
        around.meet(exponents[cell], exponents[cell - 1]);
    }
    if column + 1 < COLS {
        around.meet(exponents[cell], exponents[cell + 1]);
    }
    if row > 0 {
        around.meet(exponents[cell], exponents[cell - COLS]);
    }
    if row + 1 < ROWS {
        around.meet(exponents[cell], exponents[cell + COLS]);
    }
    around
}

fn around_in(exponents: &[u8], cell: usize, cols: usize) -> Around {
    let neighbours = [
        (!cell.is_multiple_of(cols)).then(|| cell - 1),
        (cell % cols + 1 < cols).then(|| cell + 1),
        cell.checked_sub(cols),
        (cell + cols < exponents.len()).then(|| cell + cols),
    ];
    let mut around = Around {
        neighbours: 0,
        empty: 0,
        smallest: u8::MAX,
        largest: 0,
    };
    for neighbour in neighbours.into_iter().flatten() {
        around.meet(exponents[cell], exponents[neighbour]);
    }
    around
}

impl Around {
    #[inline(always)]
    fn meet(&mut self, own: u8, other: u8) {
        let difference = own.abs_diff(other);
        self.neighbours += 1;
        self.empty += u8::from(other == 0);
        self.smallest = self.smallest.min(difference);
        self.largest = self.largest.max(difference);
    }
}

/// Sorts 16 values, without a branch (Batcher's odd-even merge sort, 1968: 63 exchanges).
#[inline]
fn sort_16(values: &mut [f64; 16]) {
    const EXCHANGES: [(usize, usize); 63] = exchanges();
    for (low, high) in EXCHANGES {
        let (a, b) = (values[low], values[high]);
        values[low] = a.min(b);
        values[high] = a.max(b);
    }
}

/// The exchanges of Batcher's network for 16 values.
const fn exchanges() -> [(usize, usize); 63] {
    let mut list = [(0, 0); 63];
    let mut count = 0;
    let mut p = 1;
    while p < 16 {
        let mut k = p;
        while k >= 1 {
            let mut j = k % p;
            while j + k < 16 {
                let mut i = 0;
                while i < k {
                    if i + j + k < 16 && (i + j) / (2 * p) == (i + j + k) / (2 * p) {
                        list[count] = (i + j, i + j + k);
                        count += 1;
                    }
                    i += 1;
                }
                j += 2 * k;
            }
            k /= 2;
        }
        p *= 2;
    }
    assert!(count == 63, "a network of 16 has 63 exchanges");
    list
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
            for cell in 0..16 {
                let (a, b) = (
                    around::<4, 4>(&exponents, cell),
                    around_in(&exponents, cell, 4),
                );
                assert_eq!(format!("{a:?}"), format!("{b:?}"));
            }
        }
    }
}
