//! Boards of Connect-N as two planes of bytes, sixteen cells at a time.
//!
//! A board is bits, column by column from below; planes are bytes, row by row from the top, the own stone and the other's of each cell side by side.
//! Where a cell's bit stands is worked out once: the byte that holds it, and its place in there.

use wide::u8x16;

/// How many cells are looked at together.
const TOGETHER: usize = 16;

/// Some cells, in order.
struct Cells {
    /// The number of the first of them.
    first: usize,
    /// The byte of each.
    bytes: u8x16,
    /// Its bit in there; none beyond the last.
    bits: u8x16,
}

impl Cells {
    fn new(first: usize, places: &[usize]) -> Self {
        let each = |part: fn(usize) -> u8| {
            let mut parts = [0; TOGETHER];
            parts
                .iter_mut()
                .zip(&places[first..])
                .for_each(|(into, &place)| *into = part(place));
            u8x16::new(parts)
        };
        Self {
            first,
            bytes: each(|place| (place / 8) as u8),
            bits: each(|place| 1 << (place % 8)),
        }
    }

    /// All cells in these places of a board's bits. Whatever is beyond sixteen ends with the last one, and so may overlap what is before it.
    fn all(places: &[usize]) -> Vec<Self> {
        let last = places.len().saturating_sub(TOGETHER);
        let firsts = (0..places.len()).step_by(TOGETHER);
        firsts
            .map(|first| Self::new(first.min(last), places))
            .collect()
    }

    /// 1 for each cell that is in the set.
    #[inline]
    fn of(&self, set: u8x16) -> u8x16 {
        (set.shuffle(self.bytes) & self.bits).min(u8x16::splat(1))
    }
}

/// Where the cells of a board are.
pub(crate) struct Planes {
    cells: Vec<Cells>,
    /// The highest cell of every column.
    tops: Vec<Cells>,
}

impl Planes {
    pub(crate) fn new(rows: u8, columns: u8) -> Self {
        let (rows, columns) = (usize::from(rows), usize::from(columns));
        let row = |row: usize| (0..columns).map(move |column| column * rows + row);
        let cells: Vec<usize> = (0..rows).rev().flat_map(row).collect();
        Self {
            cells: Cells::all(&cells),
            tops: Cells::all(&cells[..columns]),
        }
    }

    /// Writes both planes of all cells.
    #[inline]
    pub(crate) fn draw(&self, own: u128, other: u128, board: &mut [u8]) {
        if board.len() < 2 * TOGETHER {
            let mut whole = [0; 2 * TOGETHER];
            self.draw(own, other, &mut whole);
            board.copy_from_slice(&whole[..board.len()]);
            return;
        }
        let [own, other] = [own, other].map(|stones| u8x16::new(stones.to_le_bytes()));
        for cells in &self.cells {
            let (own, other) = (cells.of(own), cells.of(other));
            let board = &mut board[2 * cells.first..][..2 * TOGETHER];
            let (low, high) = board.split_at_mut(TOGETHER);
            low.copy_from_slice(u8x16::unpack_low(own, other).as_array());
            high.copy_from_slice(u8x16::unpack_high(own, other).as_array());
        }
    }

    /// The columns whose highest cell is free, one bit each.
    #[inline]
    pub(crate) fn open_columns(&self, occupied: u128) -> u128 {
        let free = u8x16::new((!occupied).to_le_bytes());
        self.tops.iter().fold(0, |open, tops| {
            let is_open = tops.of(free).simd_eq(u8x16::splat(1));
            open | u128::from(is_open.to_bitmask()) << tops.first
        })
    }
}
