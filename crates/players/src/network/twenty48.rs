//! Boards of 2048 in the tables of a network: four bits per cell, so that a tuple of n cells has 16^n entries.
//!
//! Tiles above 32768 are looked up as 32768.

use std::ops::Range;

use arrayvec::ArrayVec;
use games::twenty48::{Packed, Tiles};

use super::{Lookup, Network, Tuples};

/// The largest exponent that has entries of its own.
const LARGEST: u8 = 15;

/// A square can be turned and mirrored in so many ways.
const MOST_VIEWS: usize = 8;

/// Tuples of a board of 2048, ready to look boards up.
#[derive(Debug, Clone)]
pub struct BoardLookup {
    /// Rows and columns of the board.
    size: (u8, u8),
    /// Entries of each table.
    sizes: Vec<usize>,
    /// For packed boards: the bits of each tuple's cells.
    masks: Vec<u64>,
    /// For any board: the cells of each tuple in every view.
    views: Vec<Vec<Vec<u8>>>,
}

impl BoardLookup {
    /// Looks boards up by these tuples.
    #[must_use]
    pub fn new(tuples: &Tuples) -> Self {
        let cells = tuples.cells();
        let mask = |tuple: &Vec<u8>| {
            let packed = tuple.iter().filter(|&&cell| cell < 16);
            packed.fold(0, |mask, cell| mask | 15 << (4 * cell))
        };
        let (rows, cols) = tuples.size();
        let views = symmetries(rows, cols);
        Self {
            size: (rows, cols),
            sizes: cells.iter().map(|tuple| 1 << (4 * tuple.len())).collect(),
            masks: cells.iter().map(mask).collect(),
            views: cells
                .iter()
                .map(|tuple| views.iter().map(|view| seen(tuple, view)).collect())
                .collect(),
        }
    }
}

impl Network<BoardLookup> {
    /// Rows and columns of the board.
    #[must_use]
    pub fn size(&self) -> (u8, u8) {
        self.lookup.size
    }
}

/// The cells of a tuple in a view.
fn seen(tuple: &[u8], view: &[u8]) -> Vec<u8> {
    tuple.iter().map(|&cell| view[usize::from(cell)]).collect()
}

/// All symmetric views of a board: which of its cells stands at each place. In the order of [`Packed::views`].
fn symmetries(rows: u8, cols: u8) -> Vec<Vec<u8>> {
    let view = |at: fn(u8, u8, u8) -> (u8, u8)| -> Vec<u8> {
        let places = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        places
            .map(|(row, col)| {
                let (row, col) = at(row, col, rows - 1);
                row * cols + col
            })
            .collect()
    };
    if rows != cols {
        let turned = |from: &[u8]| from.iter().rev().copied().collect::<Vec<u8>>();
        let own: Vec<u8> = (0..rows * cols).collect();
        let flipped: Vec<u8> = own
            .chunks(usize::from(cols))
            .rev()
            .flatten()
            .copied()
            .collect();
        return vec![own.clone(), flipped.clone(), turned(&own), turned(&flipped)];
    }
    vec![
        view(|row, col, _| (row, col)),
        view(|row, col, _| (col, row)),
        view(|row, col, last| (last - row, col)),
        view(|row, col, last| (col, last - row)),
        view(|row, col, last| (last - col, row)),
        view(|row, col, last| (row, last - col)),
        view(|row, col, last| (last - col, last - row)),
        view(|row, col, last| (last - row, last - col)),
    ]
}

impl Lookup<Tiles> for BoardLookup {
    fn tables(&self) -> &[usize] {
        &self.sizes
    }

    fn views(&self) -> usize {
        self.views[0].len()
    }

    #[inline]
    fn each(&self, board: Tiles, tables: Range<usize>, mut found: impl FnMut(usize, &[usize])) {
        match board {
            Tiles::Packed(board) => {
                let views = board.views();
                for table in tables {
                    let mask = self.masks[table];
                    found(table, &views.map(|view| gathered(view, mask)));
                }
            }
            Tiles::Wide(_) => {
                let cells: Vec<u8> = board
                    .exponents()
                    .map(|exponent| exponent.min(LARGEST))
                    .collect();
                let entry = |view: &Vec<u8>| {
                    view.iter().rev().fold(0, |entry, &cell| {
                        entry << 4 | usize::from(cells[usize::from(cell)])
                    })
                };
                for table in tables {
                    let entries: ArrayVec<usize, MOST_VIEWS> =
                        self.views[table].iter().map(entry).collect();
                    found(table, &entries);
                }
            }
        }
    }
}

/// The bits of the board under the mask, next to each other.
#[inline]
fn gathered(board: Packed, mask: u64) -> usize {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    return safe_arch::population_extract_u64(board.0, mask) as usize;
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    gathered_step_by_step(board, mask)
}

/// The same on any machine.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn gathered_step_by_step(board: Packed, mut mask: u64) -> usize {
    let (mut bits, mut place) = (0, 0);
    while mask != 0 {
        let cell = mask.trailing_zeros();
        bits |= (board.0 >> cell & 15) << place;
        mask &= !(15 << cell);
        place += 4;
    }
    bits as usize
}
