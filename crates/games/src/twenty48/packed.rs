//! The 4x4 board on 64 bits: four bits per cell, moves by looking rows up in tables.
//!
//! Four bits hold exponents up to 15, the tile 32768. [`Packed::may_overflow`] is asked before a move that
//! could make a larger one; the wide board then makes it.

use std::sync::LazyLock;

use rand_core::Rng;
use serde::{Deserialize, Serialize};

use super::direction::Direction;
use super::rules::Variant;
use super::slide::slide;
use streams::{Stream, below_given};

/// The lowest bit of every cell.
const ONES: u64 = 0x1111_1111_1111_1111;

/// Cell `row * 4 + column` is the nibble of that number; row and column 0 are at the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Packed(pub u64);

/// Rows after a slide, for both ways: towards index 0, and (from 65536 on) away from it; and what sliding a row scores.
pub(super) struct Tables {
    rows: Box<[u16; 2 << 16]>,
    gains: Box<[u32; 1 << 16]>,
}

impl Tables {
    /// The tables of a variant; made once.
    pub(super) fn of(variant: Variant) -> &'static Self {
        static STANDARD: LazyLock<Tables> = LazyLock::new(|| Tables::new(Variant::Standard));
        static FER: LazyLock<Tables> = LazyLock::new(|| Tables::new(Variant::Fer));
        match variant {
            Variant::Standard => &STANDARD,
            Variant::Fer => &FER,
        }
    }

    fn new(variant: Variant) -> Self {
        let mut rows = vec![0; 2 << 16];
        let mut gains = vec![0; 1 << 16];
        for row in 0..=u16::MAX {
            let cells = [0, 4, 8, 12].map(|shift| (row >> shift) as u8 & 15);
            let slid = slide(&cells, variant);
            // Play never looks up a row that would need a fifth bit, since may_overflow comes first; a
            // search may, and then a 32768 is nearer the truth than nothing.
            let packed = (0..4).fold(0, |packed, i| {
                packed | u16::from(slid[i].min(15)) << (4 * i)
            });
            gains[usize::from(row)] = (merged(&slid) - merged(&cells)) as u32;
            rows[usize::from(row)] = packed;
            rows[(1 << 16) | usize::from(mirror(row))] = mirror(packed);
        }
        Self {
            rows: boxed(rows),
            gains: boxed(gains),
        }
    }

    /// What merging scores when these rows are slid, whichever way.
    #[inline]
    fn gain(&self, board: u64) -> u32 {
        let row = |shift: u32| self.gains[usize::from((board >> shift) as u16)];
        row(0) + row(16) + row(32) + row(48)
    }

    #[inline]
    fn slide_rows(&self, board: u64, away: usize) -> u64 {
        let [first, second, third, fourth] = self.slid_rows(board, away);
        first | second << 16 | third << 32 | fourth << 48
    }

    /// The rows of a board after sliding.
    #[inline]
    pub(super) fn slid_rows(&self, board: u64, away: usize) -> [u64; 4] {
        [0, 16, 32, 48].map(|shift| {
            let row = usize::from((board >> shift) as u16);
            u64::from(self.rows[(away << 16) | row])
        })
    }
}

fn boxed<T: std::fmt::Debug, const N: usize>(numbers: Vec<T>) -> Box<[T; N]> {
    let numbers = numbers.into_boxed_slice();
    numbers.try_into().expect("the length is that of the array")
}

/// What merging 2s up to these tiles has scored.
fn merged(line: &[u8]) -> u64 {
    let tiles = line.iter().filter(|&&exponent| exponent > 0);
    tiles.map(|&e| (u64::from(e) - 1) << e).sum()
}

fn mirror(row: u16) -> u16 {
    row << 12 | (row & 0xf0) << 4 | (row >> 4) & 0xf0 | row >> 12
}

#[inline]
fn transpose(board: u64) -> u64 {
    let swapped = (board ^ (board >> 12)) & 0x0000_f0f0_0000_f0f0;
    let board = board ^ swapped ^ (swapped << 12);
    let swapped = (board ^ (board >> 24)) & 0x0000_0000_ff00_ff00;
    board ^ swapped ^ (swapped << 24)
}

/// The board whose columns these rows are.
#[inline]
pub(super) fn turned([first, second, third, fourth]: [u64; 4]) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        const COLUMN: u64 = 0x000f_000f_000f_000f;
        let [first, second, third, fourth] = [(first, 0), (second, 4), (third, 8), (fourth, 12)]
            .map(|(row, shift)| safe_arch::population_deposit_u64(row, COLUMN << shift));
        first | second | third | fourth
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    transpose(first | second << 16 | third << 32 | fourth << 48)
}

/// The board upside down.
#[inline]
fn flip(board: u64) -> u64 {
    let halves = board.rotate_left(32);
    (halves & 0xffff_0000_ffff_0000) >> 16 | (halves & 0x0000_ffff_0000_ffff) << 16
}

/// Marks the lowest bit of every cell that is 0.
#[inline]
pub(super) fn zero_cells(board: u64) -> u64 {
    let pairs = board | (board >> 2);
    !(pairs | (pairs >> 1)) & ONES
}

impl Packed {
    /// The board with rows and columns exchanged.
    #[inline]
    #[must_use]
    pub fn transposed(self) -> Self {
        Self(transpose(self.0))
    }

    /// Could a move make a tile that does not fit? That takes two tiles 32768; under `fer` rules four
    /// tiles 16384 in a line would do.
    #[inline]
    pub(super) fn may_overflow(self, variant: Variant) -> bool {
        let large = self.0 >> 1 & self.0 >> 2 & self.0 >> 3 & ONES;
        match variant {
            Variant::Standard => {
                let largest = large & self.0;
                largest & largest.wrapping_sub(1) != 0
            }
            Variant::Fer => large != 0,
        }
    }

    /// The board after sliding. [`may_overflow`](Self::may_overflow) must be false.
    #[inline]
    pub(super) fn slid(self, direction: Direction, tables: &Tables) -> Self {
        // Without branches on the direction, which is as good as random to the processor.
        let vertical = direction.is_vertical();
        let board = if vertical { transpose(self.0) } else { self.0 };
        let slid = tables.slide_rows(board, usize::from(direction.is_away()));
        Self(if vertical { transpose(slid) } else { slid })
    }

    /// The boards after sliding in all directions, in the order of [`Direction::ALL`], and what each scores.
    /// [`may_overflow`](Self::may_overflow) must be false.
    #[inline]
    pub(super) fn slides(self, tables: &Tables) -> [(Self, u32); 4] {
        let turned = transpose(self.0);
        let across = tables.gain(self.0);
        let along = tables.gain(turned);
        Direction::ALL.map(|direction| {
            let away = usize::from(direction.is_away());
            if direction.is_vertical() {
                (Self(transpose(tables.slide_rows(turned, away))), along)
            } else {
                (Self(tables.slide_rows(self.0, away)), across)
            }
        })
    }

    /// The board as it is, turned and mirrored: all eight views of it.
    #[inline]
    #[must_use]
    pub fn views(self) -> [Self; 8] {
        let (own, turned) = (self.0, transpose(self.0));
        let (flipped, turned_flipped) = (flip(own), flip(turned));
        let (third, fourth) = (transpose(flipped), transpose(turned_flipped));
        [
            own,
            turned,
            flipped,
            turned_flipped,
            third,
            fourth,
            flip(third),
            flip(fourth),
        ]
        .map(Self)
    }

    /// The lowest bit of every empty cell.
    #[inline]
    #[must_use]
    pub fn empty_cells(self) -> u64 {
        zero_cells(self.0)
    }

    /// Has a cell at least this exponent?
    #[inline]
    pub(super) fn has_at_least(self, exponent: u8) -> bool {
        const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        if exponent > 15 {
            return false;
        }
        // Every second cell at a time has room for the carry that shows it.
        let lack = u64::from(16 - exponent) * 0x0101_0101_0101_0101;
        let carries = ((self.0 & LOW) + lack) | ((self.0 >> 4 & LOW) + lack);
        carries & !LOW != 0
    }

    /// What merging 2s up to these tiles has scored.
    #[inline]
    pub(super) fn merged(self) -> u64 {
        static ROWS: LazyLock<Box<[u32; 1 << 16]>> = LazyLock::new(|| {
            let of_cell = |e: u32| if e == 0 { 0 } else { (e - 1) << e };
            let rows =
                (0..1_u32 << 16).map(|row| (0..4).map(|i| of_cell(row >> (4 * i) & 15)).sum());
            let rows: Vec<u32> = rows.collect();
            rows.try_into().expect("there are 65,536 rows")
        });
        let rows = &**ROWS;
        let row = |shift: u32| u64::from(rows[usize::from((self.0 >> shift) as u16)]);
        row(0) + row(16) + row(32) + row(48)
    }

    /// How many cells are empty.
    #[inline]
    pub(super) fn empty(self) -> u32 {
        self.empty_cells().count_ones()
    }

    /// Is a move possible on this board, provided it is full?
    #[inline]
    pub(super) fn has_equal_neighbours(self) -> bool {
        let beside = zero_cells(self.0 ^ (self.0 >> 4)) & 0x0111_0111_0111_0111;
        let below = zero_cells(self.0 ^ (self.0 >> 16)) & 0x0000_1111_1111_1111;
        beside | below != 0
    }

    /// Is any move possible under standard rules?
    #[inline]
    pub(super) fn has_move(self) -> bool {
        zero_cells(self.0) != 0 || self.has_equal_neighbours()
    }

    /// The directions in which sliding changes the board, one bit each: up, right, down, left. Without a table, where all four are asked for.
    #[inline]
    pub(super) fn movable(self) -> u8 {
        /// All cells that have one to the right of them, or below.
        const LEFT: u64 = 0x0111_0111_0111_0111;
        const UPPER: u64 = 0x0000_1111_1111_1111;
        let empty = self.empty_cells();
        let tiles = !empty & ONES;
        let equal = |shift: u32| zero_cells(self.0 ^ self.0 >> shift) & tiles;
        let (beside, below) = (equal(4) & LEFT, equal(16) & UPPER);
        let up = below | empty & tiles >> 16;
        let down = below | tiles & empty >> 16;
        let left = beside | empty & tiles >> 4 & LEFT;
        let right = beside | tiles & empty >> 4 & LEFT;
        let bit = |moves: u64, place: u8| u8::from(moves != 0) << place;
        bit(up, 0) | bit(right, 1) | bit(down, 2) | bit(left, 3)
    }

    /// The exponent of a cell.
    #[inline]
    #[must_use]
    pub fn exponent(self, cell: u32) -> u8 {
        (self.0 >> (4 * cell)) as u8 & 15
    }

    /// Puts a tile on an empty cell.
    #[inline]
    pub(super) fn put(&mut self, cell: u32, exponent: u8) {
        self.0 |= u64::from(exponent) << (4 * cell);
    }

    /// Puts a random tile on a random empty cell, of which there must be one.
    #[inline]
    pub(super) fn spawn(&mut self, four: u64, rng: &mut Stream) -> Spawned {
        let empty = zero_cells(self.0);
        let spawned = Spawned::draw(empty, empty.count_ones(), four, rng);
        self.0 |= spawned.cell << u32::from(spawned.is_four);
        spawned
    }
}

/// A tile that chance has added.
pub(super) struct Spawned {
    /// The lowest bit of the cell.
    pub(super) cell: u64,
    /// A 4, or else a 2.
    pub(super) is_four: bool,
    /// How many cells are still empty.
    pub(super) empty: u32,
}

impl Spawned {
    /// Draws a tile and its cell: one of those that are marked, of which there are `count`.
    #[inline(always)]
    pub(super) fn draw(marked: u64, count: u32, four: u64, rng: &mut Stream) -> Self {
        let word = rng.next_u64();
        let chosen = below_given((word >> 32) as u32, rng, count);
        Self {
            cell: nth_cell(marked, chosen),
            is_four: (word & 0xffff_ffff) < four,
            empty: count - 1,
        }
    }

    /// The number of the cell.
    pub(super) fn cell(&self) -> u32 {
        self.cell.trailing_zeros() / 4
    }
}

/// The bit of the `n`-th marked cell (from 0), without a loop that the processor would mispredict.
#[inline]
fn nth_cell(marked: u64, n: u32) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    return safe_arch::population_deposit_u64(1 << n, marked);
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        // Each cell of the product counts the marked cells up to and with it (16 wraps to 0, as n + 1 does).
        let ranks = marked.wrapping_mul(ONES);
        let wanted = u64::from((n + 1) & 15) * ONES;
        zero_cells(ranks ^ wanted) & marked
    }
}
