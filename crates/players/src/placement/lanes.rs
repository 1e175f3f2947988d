//! Lanes: one number per landing column, in arrays of a fixed length that compile to vector instructions.
//!
//! The compiler does that as long as a step is a loop over all lanes that reads arrays and writes one. Where
//! it sees several steps and a sum or maximum over lanes at once, it is tempted to take the lanes apart:
//! that is why the larger steps are `inline(never)`.

use games::tetris::{MAX_COLUMNS, MAX_SIDE};

/// What a placement is worth that cannot be made, or leads to none that can.
pub(crate) const LOST: f64 = f64::NEG_INFINITY;

/// Walls to the left of the first column.
pub(crate) const WALLS: usize = 2;

/// Columns with their walls: a piece in the last lane, the column beside it and the next must exist.
pub(crate) const ROOM: usize = WALLS + MAX_COLUMNS + MAX_SIDE + 1;

/// One number of each column, walls included.
pub(crate) type ByColumn<T> = [T; ROOM];

/// The numbers that the lanes see `place` columns to the right of the one [`WALLS`] to their left.
#[inline(always)]
pub(crate) fn lanes<T, const N: usize>(numbers: &ByColumn<T>, place: usize) -> &[T; N] {
    numbers[place..place + N]
        .try_into()
        .expect("the slice is as long as the array")
}

/// The numbers that the lanes see in column `place` of the piece.
#[inline(always)]
pub(crate) fn under<T, const N: usize>(numbers: &ByColumn<T>, place: usize) -> &[T; N] {
    lanes(numbers, WALLS + place)
}

/// What the features of a lane are worth: the one sum, in the one order, that all values are made by.
#[inline(always)]
fn weigh<const F: usize, const N: usize>(
    weights: &[f64; F],
    features: &[[i32; N]; F],
    lane: usize,
) -> f64 {
    let mut value = weights[0] * f64::from(features[0][lane]);
    for feature in 1..F {
        value += weights[feature] * f64::from(features[feature][lane]);
    }
    value
}

/// The values of all lanes; [`LOST`] where the row is above the `highest`.
#[inline(never)]
pub(crate) fn values<const F: usize, const N: usize>(
    weights: &[f64; F],
    features: &[[i32; N]; F],
    rows: &[i32; N],
    highest: i32,
) -> [f64; N] {
    let mut values = [0.0; N];
    for lane in 0..N {
        let value = weigh(weights, features, lane);
        values[lane] = if rows[lane] <= highest { value } else { LOST };
    }
    values
}

/// The larger of two values that are numbers.
#[inline(always)]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The highest value.
#[inline(always)]
pub(crate) fn highest<const N: usize>(values: &[f64; N]) -> f64 {
    // Four by four, as many as fit a vector.
    let mut best = [LOST; 4];
    for four in values.chunks_exact(4) {
        for place in 0..4 {
            best[place] = larger(best[place], four[place]);
        }
    }
    let [a, b, c, d] = best;
    larger(larger(a, c), larger(b, d))
}

/// The lanes whose number is not 0, as a set.
#[inline(always)]
pub(crate) fn lanes_with<const N: usize>(numbers: &[u32; N]) -> u32 {
    let lanes = numbers.iter().enumerate();
    lanes.fold(0, |set, (lane, &number)| {
        set | u32::from(number != 0) << lane
    })
}
