//! Positions of Connect-N in the tables of a network, from the side of the player who has just moved: two bits per cell, and one for
//! which of the players it is, so that a tuple of n cells has 2 x 4^n entries.
//!
//! A cell is empty, empty and the next of its column, the mover's or the opponent's. The two players have entries of their own because
//! the last rows belong to them in turn: the same stones are good for one of them and bad for the other.

use std::ops::Range;

use games::connect::{Bits, Position};

use super::{Lookup, Network, Tuples};

/// The board as it is, and mirrored.
const VIEWS: usize = 2;

/// What can stand in a cell: `NEXT` is the empty cell that a stone in its column falls into.
const EMPTY: usize = 0;
const OWN: usize = 1;
const OTHER: usize = 2;
const NEXT: usize = 3;

/// Tuples of a board of Connect-N, ready to look positions up.
#[derive(Debug, Clone)]
pub struct CellLookup {
    /// Rows and columns of the board.
    size: (u8, u8),
    /// Entries of each table.
    sizes: Vec<usize>,
    /// For boards of one word: each tuple's cells, and how many they are.
    masks: Vec<(u64, u32)>,
    /// For boards of one word: the whole board, and its lowest row.
    board: u64,
    bottom: u64,
    /// For any board: the cells of each tuple, as it is and mirrored.
    views: Vec<[Vec<u32>; VIEWS]>,
}

impl CellLookup {
    /// Looks positions up by these tuples, whose cells are counted row by row from the top.
    #[must_use]
    pub fn new(tuples: &Tuples) -> Self {
        let (rows, cols) = tuples.size();
        let views: Vec<_> = tuples
            .cells()
            .iter()
            .map(|tuple| views(tuple, rows, cols))
            .collect();
        let mask = |cells: &Vec<u32>| (set(cells.iter().copied()), cells.len() as u32);
        let (height, width) = (u32::from(rows), u32::from(cols));
        Self {
            size: (rows, cols),
            sizes: views.iter().map(|[own, _]| 2 << (2 * own.len())).collect(),
            masks: views.iter().map(|[own, _]| mask(own)).collect(),
            board: set(0..height * width),
            bottom: set((0..width).map(|column| column * height)),
            views,
        }
    }

    /// Looks up a board of one word: the bits of all cells are gathered at once, first the low ones of their contents, then the high ones.
    #[inline]
    fn each_packed(
        &self,
        [own, other]: [u64; 2],
        second: usize,
        tables: Range<usize>,
        mut found: impl FnMut(usize, &[usize]),
    ) {
        let occupied = own | other;
        let next = (occupied << 1 | self.bottom) & !occupied & self.board;
        let (low, high) = (own | next, other | next);
        let views = [[low, high], [self.mirrored(low), self.mirrored(high)]];
        for table in tables {
            let (mask, cells) = self.masks[table];
            let entry = |[low, high]: [u64; 2]| {
                let planes = gathered(low, mask) | gathered(high, mask) << cells;
                planes | second << (2 * cells)
            };
            found(table, &views.map(entry));
        }
    }

    /// The columns of a board of one word from right to left.
    #[inline]
    fn mirrored(&self, mut cells: u64) -> u64 {
        let (rows, cols) = self.size;
        if cols == 1 {
            return cells;
        }
        let column = (1 << rows) - 1;
        let mut mirrored = 0;
        for _ in 0..cols {
            mirrored = mirrored << rows | cells & column;
            cells >>= rows;
        }
        mirrored
    }
}

impl Network<CellLookup> {
    /// Rows and columns of the board.
    #[must_use]
    pub fn size(&self) -> (u8, u8) {
        self.lookup.size
    }

    /// What a position is worth to the player who has just moved, from -1, lost, to 1, won.
    #[inline]
    #[must_use]
    pub fn expected<B: Bits>(&self, position: &Position<B>) -> f32 {
        squash(self.value(*position))
    }
}

/// The value of a position by the sum of its weights, from -1, lost, to 1, won.
#[inline]
#[must_use]
pub fn squash(sum: f32) -> f32 {
    libm::tanhf(sum)
}

/// The cells that fit a word, as a set.
fn set(cells: impl Iterator<Item = u32>) -> u64 {
    cells
        .filter(|&cell| cell < u64::BITS)
        .fold(0, |set, cell| set | 1 << cell)
}

/// The cells of a tuple as bits of the board, in ascending order, and where they are on the mirrored board.
fn views(tuple: &[u8], rows: u8, cols: u8) -> [Vec<u32>; VIEWS] {
    let places = tuple.iter().map(|cell| {
        let (from_top, column) = (cell / cols, cell % cols);
        (column, rows - 1 - from_top)
    });
    let mut places: Vec<(u8, u8)> = places.collect();
    places.sort_unstable();
    let cell = |column: u8, row: u8| u32::from(column) * u32::from(rows) + u32::from(row);
    [
        places.iter().map(|&(column, row)| cell(column, row)).collect(),
        places.iter().map(|&(column, row)| cell(cols - 1 - column, row)).collect(),
    ]
}

impl<B: Bits> Lookup<Position<B>> for CellLookup {
    fn tables(&self) -> &[usize] {
        &self.sizes
    }

    fn views(&self) -> usize {
        VIEWS
    }

    #[inline]
    fn each(
        &self,
        position: Position<B>,
        tables: Range<usize>,
        mut found: impl FnMut(usize, &[usize]),
    ) {
        let occupied = position.occupied();
        let to_move = (occupied.count() % 2) as u8;
        let (own, other) = (position.stones(1 - to_move), position.stones(to_move));
        let second = usize::from(1 - to_move);
        if B::BITS == u64::BITS {
            let [own, other] = [own, other].map(|stones| stones.wide() as u64);
            self.each_packed([own, other], second, tables, found);
            return;
        }
        let contents = |cell: u32| {
            let is_in = |stones: B| !(stones & B::bit(cell)).is_empty();
            let on_floor = cell % u32::from(self.size.0) == 0;
            match (is_in(own), is_in(other)) {
                (true, _) => OWN,
                (_, true) => OTHER,
                _ if on_floor || !(occupied & B::bit(cell - 1)).is_empty() => NEXT,
                _ => EMPTY,
            }
        };
        for table in tables {
            let entries = self.views[table].each_ref().map(|cells| {
                let planes = cells.iter().enumerate().fold(0, |entry, (place, &cell)| {
                    let contents = contents(cell);
                    entry | (contents & 1) << place | (contents >> 1) << (cells.len() + place)
                });
                planes | second << (2 * cells.len())
            });
            found(table, &entries);
        }
    }
}

/// The bits of the board under the mask, next to each other.
#[inline]
fn gathered(cells: u64, mask: u64) -> usize {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    return safe_arch::population_extract_u64(cells, mask) as usize;
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    gathered_step_by_step(cells, mask)
}

/// The same on any machine.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn gathered_step_by_step(cells: u64, mut mask: u64) -> usize {
    let (mut bits, mut place) = (0, 0);
    while mask != 0 {
        bits |= (cells >> mask.trailing_zeros() & 1) << place;
        mask &= mask - 1;
        place += 1;
    }
    bits as usize
}
