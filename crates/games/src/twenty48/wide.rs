//! The board of any size from 3x3 to 5x5 on 128 bits: five bits per cell, exponents up to 31.
//!
//! The largest tile of a 5x5 board is 2^26, so nothing can overflow.

use serde::{Deserialize, Serialize};

use super::direction::Direction;
use super::rules::Variant;
use super::slide::{LONGEST, slide};

/// Cell `row * cols + column` takes the five bits from five times that number on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Wide {
    cells: u128,
    rows: u8,
    cols: u8,
}

impl Wide {
    pub(super) fn empty_board(rows: u8, cols: u8) -> Self {
        Self {
            cells: 0,
            rows,
            cols,
        }
    }

    pub(super) fn rows(self) -> u8 {
        self.rows
    }

    pub(super) fn cols(self) -> u8 {
        self.cols
    }

    pub(super) fn count(self) -> u32 {
        u32::from(self.rows) * u32::from(self.cols)
    }

    pub(super) fn exponent(self, cell: u32) -> u8 {
        (self.cells >> (5 * cell)) as u8 & 31
    }

    pub(super) fn put(&mut self, cell: u32, exponent: u8) {
        self.cells |= u128::from(exponent) << (5 * cell);
    }

    pub(super) fn exponents(self) -> impl Iterator<Item = u8> {
        (0..self.count()).map(move |cell| self.exponent(cell))
    }

    pub(super) fn empty(self) -> u32 {
        self.exponents().filter(|&exponent| exponent == 0).count() as u32
    }

    /// The `n`-th empty cell, from 0.
    pub(super) fn nth_empty(self, n: u32) -> u32 {
        (0..self.count())
            .filter(|&cell| self.exponent(cell) == 0)
            .nth(n as usize)
            .expect("the caller counts the empty cells first")
    }

    pub(super) fn slid(self, direction: Direction, variant: Variant) -> Self {
        let (rows, cols) = (u32::from(self.rows), u32::from(self.cols));
        let (lines, length) = if direction.is_vertical() {
            (cols, rows)
        } else {
            (rows, cols)
        };
        let mut result = Self::empty_board(self.rows, self.cols);
        for line in 0..lines {
            let cell = |step: u32| {
                let along = if direction.is_away() {
                    length - 1 - step
                } else {
                    step
                };
                if direction.is_vertical() {
                    along * cols + line
                } else {
                    line * cols + along
                }
            };
            let mut tiles = [0; LONGEST];
            for step in 0..length {
                tiles[step as usize] = self.exponent(cell(step));
            }
            for (step, exponent) in (0..length).zip(slide(&tiles[..length as usize], variant)) {
                result.put(cell(step), exponent);
            }
        }
        result
    }

    pub(super) fn has_move(self) -> bool {
        let cols = u32::from(self.cols);
        (0..self.count()).any(|cell| {
            let own = self.exponent(cell);
            let beside = (cell + 1) % cols != 0 && self.exponent(cell + 1) == own;
            let below = cell + cols < self.count() && self.exponent(cell + cols) == own;
            own == 0 || beside || below
        })
    }
}
