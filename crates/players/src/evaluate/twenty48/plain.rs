//! The simple evaluations of 2048: empty cells, the second versions for A*, combinations.

use games::Game;
use games::twenty48::{Position, Tiles, Twenty48};

use crate::evaluate::Evaluate;

/// `empty` (H2): number of empty cells.
pub(super) struct Empty;

impl Evaluate<Twenty48> for Empty {
    fn value(&self, _: &Twenty48, position: &Position) -> f64 {
        f64::from(position.tiles().empty())
    }
}

/// `score-v2` (H1v2): 20,000 - score, for a search that minimises.
pub(super) struct ScoreV2;

impl Evaluate<Twenty48> for ScoreV2 {
    fn value(&self, game: &Twenty48, position: &Position) -> f64 {
        20_000.0 - game.score(position) as f64
    }
}

/// `empty-v2` (H2v2): cells - empty cells (16 - empty on 4x4), for a search that minimises.
pub(super) struct EmptyV2;

impl Evaluate<Twenty48> for EmptyV2 {
    fn value(&self, _: &Twenty48, position: &Position) -> f64 {
        let tiles = position.tiles();
        let cells = u32::from(tiles.rows()) * u32::from(tiles.cols());
        f64::from(cells - tiles.empty())
    }
}

/// `combined`, which 2048-search suggests as future work: score + 256 x empty cells + the highest tile if it
/// is in a corner.
pub(super) struct Combined;

impl Evaluate<Twenty48> for Combined {
    fn value(&self, game: &Twenty48, position: &Position) -> f64 {
        let tiles = position.tiles();
        let highest = tiles.highest();
        let in_corner = corners(tiles).contains(&highest);
        let bonus = if in_corner && highest > 0 {
            f64::from(1_u32 << highest)
        } else {
            0.0
        };
        game.score(position) as f64 + 256.0 * f64::from(tiles.empty()) + bonus
    }
}

fn corners(tiles: Tiles) -> [u8; 4] {
    let exponents: Vec<u8> = tiles.exponents().collect();
    let (rows, cols) = (usize::from(tiles.rows()), usize::from(tiles.cols()));
    [0, cols - 1, (rows - 1) * cols, rows * cols - 1].map(|cell| exponents[cell])
}

/// `snake`: the tiles along a snake that starts in a corner, each place worth a quarter of the one before;
/// the best of the eight snakes.
pub(super) struct Snake;

impl Evaluate<Twenty48> for Snake {
    fn value(&self, _: &Twenty48, position: &Position) -> f64 {
        let tiles = position.tiles();
        let exponents: Vec<u8> = tiles.exponents().collect();
        let (rows, cols) = (usize::from(tiles.rows()), usize::from(tiles.cols()));
        let mut best: f64 = 0.0;
        for turn in 0..8 {
            let (flip_rows, flip_cols, down) = (turn & 1 != 0, turn & 2 != 0, turn & 4 != 0);
            let (lines, length) = if down { (cols, rows) } else { (rows, cols) };
            let (mut value, mut weight) = (0.0, 1.0);
            for step in 0..rows * cols {
                let (line, along) = (step / length, step % length);
                let along = if line % 2 == 0 {
                    along
                } else {
                    length - 1 - along
                };
                let line = if flip_rows { lines - 1 - line } else { line };
                let along = if flip_cols { length - 1 - along } else { along };
                let cell = if down {
                    along * cols + line
                } else {
                    line * cols + along
                };
                if exponents[cell] > 0 {
                    value += weight * f64::from(1_u32 << exponents[cell]);
                }
                weight *= 0.25;
            }
            best = best.max(value);
        }
        best
    }
}
