//! `eight`: the eight weights P1..P8 of the document on genetic algorithms.
//!
//! Value = P2 x empty cells + P3 x score + sum over cells of cell value x position factor.
//! Cell value = P4 x tile + P5 x neighbours + P6 x empty neighbours + P7 x smallest and P8 x largest
//! difference to a neighbour (of exponents; an empty cell has exponent 0 and is evaluated, too). The cell values are sorted
//! in ascending order; the one at place k = 1, 2, ... is multiplied by 1 + 0.1 x k x P1.

use games::Game;
use games::twenty48::{Position, Tiles, Twenty48};

use crate::evaluate::{Evaluate, WEIGHTS};
use crate::spec::{Spec, SpecError};

/// The evaluation with its weights.
#[derive(Debug, Clone)]
pub struct Eight {
    weights: [f64; 8],
}

/// Used when a spec gives none: found by a hill climb of 400 steps, some 11,000 points without look-ahead.
const EXAMPLE: [f64; 8] = [19.0, -3.28, -0.0472, 0.0439, -0.936, 5.74, -5.69, -1.33];

impl Eight {
    /// The evaluation with these weights, P1 first.
    #[must_use]
    pub fn new(weights: [f64; 8]) -> Self {
        Self { weights }
    }

    pub(super) fn from_spec(_: &Twenty48, spec: &Spec) -> Result<Self, SpecError> {
        let text = spec.value(&WEIGHTS);
        if text.is_empty() {
            return Ok(Self::new(EXAMPLE));
        }
        let numbers: Option<Vec<f64>> = text
            .split(|c: char| c == ',' || c.is_whitespace())
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().ok().filter(|number: &f64| number.is_finite()))
            .collect();
        let weights = numbers.and_then(|numbers| numbers.try_into().ok());
        weights.map(Self::new).ok_or_else(|| {
            let problem = format!(
                "weights = '{text}': must be the eight numbers P1 to P8, e.g. '0 12.6 0 0.2 -4.7 11 -17.7 -5.8'"
            );
            spec.at(WEIGHTS.name, problem)
        })
    }

    fn of(&self, tiles: Tiles, score: f64) -> f64 {
        let [p1, p2, p3, ..] = self.weights;
        let exponents: Vec<u8> = tiles.exponents().collect();
        let mut cells: Vec<f64> = (0..exponents.len())
            .map(|cell| self.cell(&exponents, cell, usize::from(tiles.cols())))
            .collect();
        cells.sort_by(f64::total_cmp);
        let cells = cells
            .iter()
            .zip(1..)
            .map(|(value, k)| value * (1.0 + 0.1 * f64::from(k) * p1));
        p2 * f64::from(tiles.empty()) + p3 * score + cells.sum::<f64>()
    }

    fn cell(&self, exponents: &[u8], cell: usize, cols: usize) -> f64 {
        let [_, _, _, p4, p5, p6, p7, p8] = self.weights;
        let own = exponents[cell];
        let neighbours = [
            (!cell.is_multiple_of(cols)).then(|| cell - 1),
            (cell % cols + 1 < cols).then(|| cell + 1),
            cell.checked_sub(cols),
            (cell + cols < exponents.len()).then(|| cell + cols),
        ];
        let (mut count, mut empty, mut smallest, mut largest) = (0, 0, u8::MAX, 0);
        for neighbour in neighbours.into_iter().flatten() {
            let difference = own.abs_diff(exponents[neighbour]);
            count += 1;
            empty += u8::from(exponents[neighbour] == 0);
            smallest = smallest.min(difference);
            largest = largest.max(difference);
        }
        let tile = if own == 0 {
            0.0
        } else {
            f64::from(1_u32 << own)
        };
        p4 * tile
            + p5 * f64::from(count)
            + p6 * f64::from(empty)
            + p7 * f64::from(smallest)
            + p8 * f64::from(largest)
    }
}

impl Evaluate<Twenty48> for Eight {
    fn value(&self, game: &Twenty48, position: &Position) -> f64 {
        self.of(position.tiles(), game.score(position) as f64)
    }
}
