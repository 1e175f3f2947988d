//! `corner`: the strong evaluation. Every row and column is judged alone, so that on 4x4 it is eight look-ups.
//!
//! A line gains for empty cells and for neighbours that could merge, and loses for tiles that do not rise or fall
//! evenly along it (the smaller of both ways, on the fourth power of the exponents) and for the sum of its tiles
//! (exponent to the power 3.5): large tiles end up together in a corner, in order. Form and weights are those that
//! R. Xiao published for the expectimax program 2048-ai (270 empty, 700 merges, 47 monotonicity, 11 sum).

use std::sync::LazyLock;

use games::twenty48::{Packed, Position, Tiles, Twenty48};

use crate::evaluate::Evaluate;

/// Added for every line, so that a living position is worth more than a lost one (0).
const ALIVE: f32 = 200_000.0;
const EMPTY: f32 = 270.0;
const MERGES: f32 = 700.0;
const MONOTONICITY: f32 = 47.0;
const SUM: f32 = 11.0;

/// The values of all lines of four cells.
#[derive(Clone)]
pub struct Corner {
    lines: &'static [f32; 1 << 16],
}

impl Default for Corner {
    fn default() -> Self {
        Self::new()
    }
}

impl Corner {
    /// The evaluation; its table is made once.
    #[must_use]
    pub fn new() -> Self {
        static LINES: LazyLock<Box<[f32; 1 << 16]>> = LazyLock::new(|| {
            let lines = (0..=u16::MAX)
                .map(|line| line_value(&[0, 4, 8, 12].map(|shift| (line >> shift) as u8 & 15)));
            let lines: Vec<f32> = lines.collect();
            lines
                .into_boxed_slice()
                .try_into()
                .expect("there are 65,536 lines of four cells")
        });
        Self { lines: &LINES }
    }

    /// The value of any tiles.
    #[inline]
    #[must_use]
    pub fn of(&self, tiles: Tiles) -> f32 {
        match tiles {
            Tiles::Packed(packed) => self.of_packed(packed),
            Tiles::Wide(_) => of_lines(tiles),
        }
    }

    /// The value of a packed board.
    #[inline]
    #[must_use]
    pub fn of_packed(&self, packed: Packed) -> f32 {
        self.rows(packed.0) + self.rows(packed.transposed().0)
    }

    #[inline]
    fn rows(&self, board: u64) -> f32 {
        let line = |shift: u32| self.lines[usize::from((board >> shift) as u16)];
        (line(0) + line(16)) + (line(32) + line(48))
    }
}

/// The same from the exponents, for boards of other sizes and with larger tiles.
fn of_lines(tiles: Tiles) -> f32 {
    let exponents: Vec<u8> = tiles.exponents().collect();
    let (rows, cols) = (usize::from(tiles.rows()), usize::from(tiles.cols()));
    let across = exponents.chunks(cols).map(line_value);
    let down = (0..cols).map(|column| {
        let line: Vec<u8> = (0..rows)
            .map(|row| exponents[row * cols + column])
            .collect();
        line_value(&line)
    });
    across.chain(down).sum()
}

fn line_value(line: &[u8]) -> f32 {
    let cube = |exponent: u8| f32::from(exponent) * f32::from(exponent) * f32::from(exponent);
    let fourth = |exponent: u8| cube(exponent) * f32::from(exponent);
    let empty = line.iter().filter(|&&exponent| exponent == 0).count() as f32;
    // x^3.5 by a square root, which is the same on every machine.
    let sum: f32 = line
        .iter()
        .map(|&exponent| cube(exponent) * f32::from(exponent).sqrt())
        .sum();
    let (mut falls, mut rises) = (0.0, 0.0);
    for pair in line.windows(2) {
        let step = fourth(pair[0]) - fourth(pair[1]);
        if step > 0.0 {
            falls += step;
        } else {
            rises -= step;
        }
    }
    ALIVE + EMPTY * empty + MERGES * merges(line)
        - MONOTONICITY * f32::min(falls, rises)
        - SUM * sum
}

/// How many tiles of a line stand next to an equal one (empty cells between them do not count).
fn merges(line: &[u8]) -> f32 {
    let (mut merges, mut previous, mut run) = (0, 0, 0);
    for &exponent in line.iter().filter(|&&exponent| exponent > 0) {
        if exponent == previous {
            run += 1;
        } else {
            merges += if run > 0 { 1 + run } else { 0 };
            run = 0;
        }
        previous = exponent;
    }
    merges += if run > 0 { 1 + run } else { 0 };
    merges as f32
}

impl Evaluate<Twenty48> for Corner {
    fn value(&self, _: &Twenty48, position: &Position) -> f64 {
        f64::from(self.of(position.tiles()))
    }
}
