//! Lanes: one number per landing column, eight columns at a time, in vector instructions where the machine has them.

use std::array::from_fn;

use bytemuck::cast;
use games::tetris::{ColumnBits, MAX_COLUMNS, MAX_SIDE};
use wide::{f64x4, i32x4, i32x8, u32x8};

/// What a placement is worth that cannot be made, or leads to none that can.
pub(crate) const LOST: f64 = f64::NEG_INFINITY;

/// Columns that are looked at together.
pub(crate) const LANES: usize = 8;

/// A number, or a set of rows in the piece's box, for each of the lanes.
pub(crate) type Lanes = i32x8;

/// Walls to the left of the first column.
pub(crate) const WALLS: usize = 2;

/// Columns with their walls: a piece in the last lane, the column beside it and the next must exist.
pub(crate) const ROOM: usize = WALLS + MAX_COLUMNS + MAX_SIDE + 1;

/// One number of each column, walls included.
pub(crate) type ByColumn<T> = [T; ROOM];

/// The numbers of eight columns from this one on, which is counted with the walls.
#[inline(always)]
pub(crate) fn eight<T>(numbers: &[T], from: usize) -> &[T; LANES] {
    numbers[from..from + LANES]
        .try_into()
        .expect("the slice is as long as the array")
}

/// The same as lanes.
#[inline(always)]
pub(crate) fn lanes(numbers: &ByColumn<i32>, from: usize) -> Lanes {
    Lanes::new(*eight(numbers, from))
}

/// Lanes made one by one; the compiler makes vector instructions of what is simple.
#[inline(always)]
pub(crate) fn each_lane(number: impl Fn(usize) -> i32) -> Lanes {
    Lanes::new(from_fn(number))
}

/// Words of 32 bits, for which there are vector instructions, as lanes.
#[inline(always)]
fn words<C: ColumnBits>(columns: &[C; LANES]) -> u32x8 {
    u32x8::new(columns.map(|column| column.window(0)))
}

const fn has_short_words<C: ColumnBits>() -> bool {
    C::ROWS == u32::BITS
}

/// The rows of eight columns from the lane's row on, moved down to the floor.
#[inline(always)]
pub(crate) fn windows<C: ColumnBits>(columns: &[C; LANES], rows: Lanes) -> Lanes {
    if has_short_words::<C>() {
        return cast(words(columns).unbounded_shr(cast(rows)));
    }
    let rows = rows.to_array();
    each_lane(|lane| columns[lane].window(rows[lane] as u32) as i32)
}

/// The empty cells in one run below the lane's row.
#[inline(always)]
pub(crate) fn runs_below<C: ColumnBits>(columns: &[C; LANES], rows: Lanes) -> Lanes {
    if has_short_words::<C>() {
        let below: Lanes = cast(words(columns) & rows_below(rows));
        return rows - heights(below);
    }
    let rows = rows.to_array();
    each_lane(|lane| rows[lane] - columns[lane].height_below(rows[lane] as u32) as i32)
}

#[inline(always)]
fn rows_below(rows: Lanes) -> u32x8 {
    u32x8::ONE.unbounded_shl(cast(rows)) - u32x8::ONE
}

/// The heights of rows that do not reach bit 31, by way of floating-point exponents.
#[inline(always)]
fn heights(rows: Lanes) -> Lanes {
    // Without the bit next to the highest no rounding can reach the next power of two.
    let bits: Lanes = cast((rows & !(rows >> 1_i32)).round_float());
    ((bits >> 23_i32) - Lanes::splat(126)).max(Lanes::ZERO)
}

/// How many rows are in each set.
#[inline(always)]
pub(crate) fn counts(sets: Lanes) -> Lanes {
    let [pairs, fours, bytes] = [0x5555_5555, 0x3333_3333, 0x0f0f_0f0f].map(Lanes::splat);
    let sets = sets - ((sets >> 1_i32) & pairs);
    let sets = (sets & fours) + ((sets >> 2_i32) & fours);
    let sets = (sets + (sets >> 4_i32)) & bytes;
    let sets = sets + (sets >> 8_i32);
    (sets + (sets >> 16_i32)) & Lanes::splat(0x3f)
}

/// A set of rows for each lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sets<C>([C; LANES]);

impl<C: ColumnBits> Sets<C> {
    /// The same rows, counted from the lane's row.
    #[inline(always)]
    pub(crate) fn moved_up(set: C, rows: Lanes) -> Self {
        if set.is_empty() {
            return Self([C::NONE; LANES]);
        }
        Self(rows.to_array().map(|row| set.up(row as u32)))
    }

    /// Adds the rows from the top of a pile, which begins at the floor, to the lane's row.
    #[inline(always)]
    pub(crate) fn add_between(&mut self, piles: &[C; LANES], rows: Lanes) {
        if has_short_words::<C>() {
            let sets = words(&self.0) | (rows_below(rows) & !words(piles));
            self.0 = sets.to_array().map(C::from_word);
            return;
        }
        let rows = rows.to_array();
        for lane in 0..LANES {
            self.0[lane] |= C::below(rows[lane] as u32) & !piles[lane];
        }
    }

    /// How many rows of each set are not in the other.
    #[inline(always)]
    pub(crate) fn count_without(self, other: C) -> Lanes {
        if has_short_words::<C>() {
            return counts(cast(words(&self.0) & !words(&[other; LANES])));
        }
        each_lane(|lane| (self.0[lane] & !other).count() as i32)
    }
}

/// All ones if the row is in the set, else zero.
#[inline(always)]
pub(crate) fn ones_if(sets: Lanes, row: usize) -> Lanes {
    (sets << (31 - row as i32)) >> 31_i32
}

/// The lanes whose number is not 0, as a set.
#[inline(always)]
pub(crate) fn lanes_with(numbers: Lanes) -> u32 {
    !numbers.simd_eq(Lanes::ZERO).to_bitmask() & 0xff
}

/// The values of the lanes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Values([f64x4; 2]);

impl Values {
    /// No number is more than these.
    pub(crate) const ANY: Self = Self([f64x4::splat(f64::INFINITY); 2]);

    /// The one sum, in the one order, that all values are made by; [`LOST`] where the row is above the `highest`.
    #[inline(always)]
    pub(crate) fn weigh<const F: usize>(
        weights: &[f64; F],
        features: &[Lanes; F],
        rows: Lanes,
        highest: i32,
    ) -> Self {
        let features: [[f64x4; 2]; F] = from_fn(|feature| halves(features[feature]));
        let rows = halves(rows);
        Self(from_fn(|half| {
            let mut value = f64x4::splat(weights[0]) * features[0][half];
            for feature in 1..F {
                value += f64x4::splat(weights[feature]) * features[feature][half];
            }
            let is_inside = rows[half].simd_le(f64x4::splat(highest.into()));
            is_inside.select(value, f64x4::splat(LOST))
        }))
    }

    /// The highest.
    #[inline(always)]
    pub(crate) fn highest(self) -> f64 {
        let [a, b, c, d] = self.0[0].fast_max(self.0[1]).to_array();
        larger(larger(a, c), larger(b, d))
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [f64; LANES] {
        cast(self.0)
    }
}

#[inline(always)]
fn halves(numbers: Lanes) -> [f64x4; 2] {
    let halves: [i32x4; 2] = cast(numbers);
    halves.map(f64x4::from_i32x4)
}

/// The larger of two values that are numbers.
#[inline(always)]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
