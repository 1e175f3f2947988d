//! `corner`: the strong evaluation. Every row and column is judged alone, so that on 4x4 it is eight look-ups.
//!
//! A line gains for empty cells and for neighbours that could merge, and loses for tiles that do not rise or fall
//! evenly along it (the smaller of both ways, on the fourth power of the exponents) and for the sum of its tiles
//! (exponent to the power 3.5): large tiles end up together in a corner, in order. Form and weights are those that
//! R. Xiao published for the expectimax program 2048-ai (270 empty, 700 merges, 47 monotonicity, 11 sum). The parameter `weights` gives
//! a factor for each, and for what a line is worth because the game goes on.

use std::array::from_fn;
use std::sync::{Arc, LazyLock};

use games::twenty48::{Packed, Position, Tiles, Twenty48};
use spec::{Spec, SpecError};

use super::features::{Table, table};
use crate::evaluate::{Evaluate, WEIGHTS};

/// Added for every line, so that a living position is worth more than a lost one (0).
const ALIVE: f32 = 200_000.0;
const EMPTY: f32 = 270.0;
const MERGES: f32 = 700.0;
const MONOTONICITY: f32 = 47.0;
const SUM: f32 = 11.0;

/// Names of the factors.
pub(crate) const NAMES: [&str; 5] = ["alive", "empty", "merges", "monotonicity", "sum"];

/// The values of all lines of four cells.
#[derive(Clone)]
pub struct Corner {
    lines: Arc<Table>,
    weights: Weights,
}

/// What is weighed in a line.
#[derive(Debug, Clone, Copy)]
struct Weights {
    alive: f32,
    empty: f32,
    merges: f32,
    monotonicity: f32,
    sum: f32,
}

impl Weights {
    const PUBLISHED: Self = Self {
        alive: ALIVE,
        empty: EMPTY,
        merges: MERGES,
        monotonicity: MONOTONICITY,
        sum: SUM,
    };

    /// The published ones, each times its factor.
    fn times(factors: [f32; 5]) -> Self {
        let [alive, empty, merges, monotonicity, sum] = factors;
        Self {
            alive: alive * ALIVE,
            empty: empty * EMPTY,
            merges: merges * MERGES,
            monotonicity: monotonicity * MONOTONICITY,
            sum: sum * SUM,
        }
    }

    fn line_value(&self, line: &[u8]) -> f32 {
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
        self.alive + self.empty * empty + self.merges * merges(line)
            - self.monotonicity * f32::min(falls, rises)
            - self.sum * sum
    }
}

impl Default for Corner {
    fn default() -> Self {
        Self::new()
    }
}

impl Corner {
    /// The evaluation as published; its table is made once.
    #[must_use]
    pub fn new() -> Self {
        static PUBLISHED: LazyLock<Corner> =
            LazyLock::new(|| Corner::of_weights(Weights::PUBLISHED));
        PUBLISHED.clone()
    }

    fn of_weights(weights: Weights) -> Self {
        let lines = table(|line| weights.line_value(&line));
        Self {
            lines: lines.into(),
            weights,
        }
    }

    /// The evaluation with the factors of a spec, or as published.
    pub(crate) fn from_spec(spec: &Spec) -> Result<Self, SpecError> {
        if spec.value(&WEIGHTS).is_empty() {
            return Ok(Self::new());
        }
        let factors = spec.numbers(&WEIGHTS, &NAMES)?;
        let factors = from_fn(|place| factors[place] as f32);
        Ok(Self::of_weights(Weights::times(factors)))
    }

    /// The value of any tiles.
    #[inline]
    #[must_use]
    pub fn of(&self, tiles: Tiles) -> f32 {
        match tiles {
            Tiles::Packed(packed) => self.of_packed(packed),
            Tiles::Wide(_) => of_lines(&self.weights, tiles),
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
fn of_lines(weights: &Weights, tiles: Tiles) -> f32 {
    let exponents: Vec<u8> = tiles.exponents().collect();
    let (rows, cols) = (usize::from(tiles.rows()), usize::from(tiles.cols()));
    let across = exponents.chunks(cols).map(|line| weights.line_value(line));
    let down = (0..cols).map(|column| {
        let line: Vec<u8> = (0..rows)
            .map(|row| exponents[row * cols + column])
            .collect();
        weights.line_value(&line)
    });
    across.chain(down).sum()
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
