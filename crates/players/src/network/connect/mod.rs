//! Positions of Connect-N in the tables of a network, from the side of the player who has just moved.
//!
//! A cell is empty, empty and the next of its column, the mover's or the opponent's. Stones lie without gaps, so a run of n cells of a column
//! has 2^(n + 1) states and not 4^n: a bit for each cell, which says that it is the mover's or the next, and one for the run, which
//! says that its highest cell has a stone. The highest bit of a run that is not full is thus the next cell; without any, it is
//! further down.
//!
//! Threats have tables of their own (see `threats`). The two players have entries of their own because the last rows belong to them in
//! turn: the same stones are good for one of them and bad for the other.

mod sets;
mod threats;

use std::ops::Range;

use games::connect::{Bits, Position};

use super::gather::gathered;
use super::{Lookup, Network};

pub use sets::{NAMES, Sights, read};
use threats::Threats;

/// The board as it is, and mirrored.
const VIEWS: usize = 2;

/// Tuples of a board of Connect-N, ready to look positions up.
#[derive(Debug, Clone)]
pub struct CellLookup {
    sights: Sights,
    /// Entries of each table: those of tuples, then those of threats.
    sizes: Vec<usize>,
    /// For boards of one word.
    masks: Vec<Mask>,
    /// For boards of one word: the whole board, and its lowest row.
    board: u64,
    bottom: u64,
    /// For any board: each tuple, as it is and mirrored.
    views: Vec<[Seen; VIEWS]>,
    /// For boards of one word, and for any.
    packed_threats: Option<Threats<u64>>,
    threats: Option<Threats<u128>>,
}

/// The bits of a tuple, as cells of the board.
#[derive(Debug, Clone)]
struct Seen {
    /// All cells.
    cells: Vec<u32>,
    /// The highest cell of each run.
    tops: Vec<u32>,
}

/// The same as sets.
#[derive(Debug, Clone, Copy)]
struct Mask {
    cells: u64,
    tops: u64,
    /// How many cells there are, and how many bits in all.
    count: u32,
    bits: u32,
}

impl CellLookup {
    /// Looks positions up by what there is to see.
    #[must_use]
    pub fn new(sights: &Sights) -> Self {
        let (rows, cols) = sights.tuples.size();
        let tuples = sights.tuples.cells().iter();
        let views: Vec<_> = tuples.map(|tuple| views(tuple, rows, cols)).collect();
        let threats = sights.threats.then(|| Threats::<u128>::new(sights.rules));
        let is_packed = sights.rules.cells() <= u64::BITS;
        let of_tuples = views.iter().map(|[own, _]| 2 << own.bits());
        let of_threats = threats.iter().flat_map(Threats::sizes);
        let (height, width) = (u32::from(rows), u32::from(cols));
        Self {
            sights: sights.clone(),
            sizes: of_tuples.chain(of_threats).collect(),
            masks: views.iter().map(|[own, _]| own.mask()).collect(),
            board: set(0..height * width),
            bottom: set((0..width).map(|column| column * height)),
            packed_threats: (sights.threats && is_packed).then(|| Threats::new(sights.rules)),
            threats,
            views,
        }
    }

    /// What there is to see.
    #[must_use]
    pub fn sights(&self) -> &Sights {
        &self.sights
    }

    /// The tables of tuples in a range, and those of threats, counted from 0.
    fn parts(&self, tables: &Range<usize>) -> (Range<usize>, Range<usize>) {
        let tuples = self.views.len();
        let of_threats = |table: usize| table.saturating_sub(tuples);
        (
            tables.start.min(tuples)..tables.end.min(tuples),
            of_threats(tables.start)..of_threats(tables.end),
        )
    }

    /// Looks up a board of one word: the bits of all cells are gathered at once.
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
        let marked = own | next;
        let views = [
            [marked, occupied],
            [self.mirrored(marked), self.mirrored(occupied)],
        ];
        let (tuples, threats) = self.parts(&tables);
        for table in tuples {
            let mask = self.masks[table];
            let entry = |[marked, occupied]: [u64; 2]| {
                gathered(marked, mask.cells)
                    | gathered(occupied, mask.tops) << mask.count
                    | second << mask.bits
            };
            found(table, &views.map(entry));
        }
        if let Some(all) = &self.packed_threats {
            let first = self.views.len();
            all.each([own, other], second, threats, |table, entries| {
                found(first + table, entries);
            });
        }
    }

    /// The columns of a board of one word from right to left.
    #[inline]
    fn mirrored(&self, mut cells: u64) -> u64 {
        let (rows, cols) = self.sights.tuples.size();
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
        self.lookup.sights.tuples.size()
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

impl Seen {
    fn bits(&self) -> u32 {
        (self.cells.len() + self.tops.len()) as u32
    }

    fn mask(&self) -> Mask {
        Mask {
            cells: set(self.cells.iter().copied()),
            tops: set(self.tops.iter().copied()),
            count: self.cells.len() as u32,
            bits: self.bits(),
        }
    }
}

/// Columns and rows, from the bottom, of a tuple's cells, ascending.
fn places(tuple: &[u8], rows: u8, cols: u8) -> Vec<(u8, u8)> {
    let places = tuple
        .iter()
        .map(|cell| (cell % cols, rows - 1 - cell / cols));
    let mut places: Vec<(u8, u8)> = places.collect();
    places.sort_unstable();
    places
}

/// The highest cell of each run.
fn tops(places: &[(u8, u8)]) -> impl Iterator<Item = (u8, u8)> {
    let ends = |&(column, row): &(u8, u8)| !places.contains(&(column, row + 1));
    places.iter().copied().filter(ends)
}

/// A tuple as it is, and where its cells are on the mirrored board.
fn views(tuple: &[u8], rows: u8, cols: u8) -> [Seen; VIEWS] {
    let places = places(tuple, rows, cols);
    [false, true].map(|is_mirrored| {
        let cell = |(column, row): (u8, u8)| {
            let column = if is_mirrored {
                cols - 1 - column
            } else {
                column
            };
            u32::from(column) * u32::from(rows) + u32::from(row)
        };
        Seen {
            cells: places.iter().copied().map(cell).collect(),
            tops: tops(&places).map(cell).collect(),
        }
    })
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
        let is_in = |stones: B, cell: u32| !(stones & B::bit(cell)).is_empty();
        let rows = u32::from(self.sights.tuples.size().0);
        let is_next = |cell: u32| {
            !is_in(occupied, cell) && (cell.is_multiple_of(rows) || is_in(occupied, cell - 1))
        };
        let (tuples, threats) = self.parts(&tables);
        for table in tuples {
            let entries = self.views[table].each_ref().map(|Seen { cells, tops }| {
                let marked = cells.iter().map(|&cell| is_in(own, cell) || is_next(cell));
                let full = tops.iter().map(|&cell| is_in(occupied, cell));
                let bits = marked.chain(full).chain([second == 1]);
                bits.enumerate()
                    .fold(0, |entry, (place, bit)| entry | usize::from(bit) << place)
            });
            found(table, &entries);
        }
        if let Some(all) = &self.threats {
            let (first, stones) = (self.views.len(), [own, other].map(B::wide));
            all.each(stones, second, threats, |table, entries| {
                found(first + table, entries);
            });
        }
    }
}
