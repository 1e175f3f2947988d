//! Boards of 2048 in the tables of a network: four bits per cell, so that a tuple of n cells has 16^n entries.
//!
//! Tiles above 32768 are looked up as 32768.

use std::ops::Range;

use arrayvec::ArrayVec;
use games::twenty48::Tiles;

use super::gather::gathered;
use super::{Lookup, Network, ShapeError, Tuples};

/// The largest exponent that has entries of its own.
const LARGEST: u8 = 15;

/// The smallest exponent that can begin a stage.
const FIRST_STAGE: u8 = 3;

/// A square can be turned and mirrored in so many ways.
const MOST_VIEWS: usize = 8;

/// Tuples of a board of 2048, ready to look boards up.
#[derive(Debug, Clone)]
pub struct BoardLookup {
    tuples: Tuples,
    /// Entries of each table.
    sizes: Vec<usize>,
    /// Entries of one stage of each table.
    stage_sizes: Vec<usize>,
    /// The exponents of the tiles that begin another stage, ascending.
    stages: Vec<u8>,
    /// For packed boards: the bits of each tuple's cells.
    masks: Vec<u64>,
    /// For any board: the cells of each tuple in every view.
    views: Vec<Vec<Vec<u8>>>,
}

impl BoardLookup {
    /// Looks boards up by these tuples, in tables of their own from each of these tiles on.
    pub fn new(tuples: &Tuples, stages: &[u64]) -> Result<Self, ShapeError> {
        let stages = stages
            .iter()
            .map(|&tile| stage(tile))
            .collect::<Result<Vec<u8>, _>>()?;
        if !stages.is_sorted_by(|a, b| a < b) {
            return Err(ShapeError("stages must ascend".to_owned()));
        }
        let cells = tuples.cells();
        let stage_sizes: Vec<usize> = cells.iter().map(|tuple| 1 << (4 * tuple.len())).collect();
        let mask = |tuple: &Vec<u8>| {
            let packed = tuple.iter().filter(|&&cell| cell < 16);
            packed.fold(0, |mask, cell| mask | 15 << (4 * cell))
        };
        let (rows, cols) = tuples.size();
        let views = symmetries(rows, cols);
        Ok(Self {
            tuples: tuples.clone(),
            sizes: stage_sizes
                .iter()
                .map(|size| size * (stages.len() + 1))
                .collect(),
            stage_sizes,
            stages,
            masks: cells.iter().map(mask).collect(),
            views: cells
                .iter()
                .map(|tuple| views.iter().map(|view| seen(tuple, view)).collect())
                .collect(),
        })
    }

    /// The tuples.
    #[must_use]
    pub fn tuples(&self) -> &Tuples {
        &self.tuples
    }

    /// The stage of a board, from 0.
    #[inline]
    #[must_use]
    pub fn stage(&self, board: Tiles) -> usize {
        let reached = self
            .stages
            .iter()
            .take_while(|&&tile| board.has_at_least(tile));
        reached.count()
    }
}

/// The exponent of a tile that begins a stage.
fn stage(tile: u64) -> Result<u8, ShapeError> {
    let exponent = tile.trailing_zeros() as u8;
    match tile.is_power_of_two() && (FIRST_STAGE..=LARGEST).contains(&exponent) {
        true => Ok(exponent),
        false => Err(ShapeError(format!(
            "a stage cannot begin with {tile}; expected a power of two from {} to {}",
            1 << FIRST_STAGE,
            1 << LARGEST
        ))),
    }
}

impl Network<BoardLookup> {
    /// Rows and columns of the board.
    #[must_use]
    pub fn size(&self) -> (u8, u8) {
        self.lookup.tuples.size()
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

    fn stages(&self) -> usize {
        self.stages.len() + 1
    }

    #[inline]
    fn each(&self, board: Tiles, tables: Range<usize>, mut found: impl FnMut(usize, &[usize])) {
        let stage = self.stage(board);
        match board {
            Tiles::Packed(board) => {
                let views = board.views();
                for table in tables {
                    let (mask, first) = (self.masks[table], stage * self.stage_sizes[table]);
                    found(table, &views.map(|view| first + gathered(view.0, mask)));
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
                    let first = stage * self.stage_sizes[table];
                    let views = self.views[table].iter();
                    let entries: ArrayVec<usize, MOST_VIEWS> =
                        views.map(|view| first + entry(view)).collect();
                    found(table, &entries);
                }
            }
        }
    }
}
