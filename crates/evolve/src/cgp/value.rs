//! The values of programs: numbers (`f64`), or bits, 64 cases per word (`u64`).
//!
//! Numbers stay finite, so no output is ever NaN or infinite. A NaN input becomes 0; an infinite input or result becomes the
//! largest number of its sign; x / 0 = 1 (Koza's protected division), and a root is that of the absolute value. With finite
//! arguments no function returns NaN. All operations are exact to the last bit on every machine.

use std::fmt::Debug;

use super::function::{Arithmetic, Function, Logic};
use super::set::FunctionSet;

/// A type of value that programs can compute with.
pub trait Value: Copy + PartialEq + Debug {
    /// Its functions.
    type Function: Function;

    /// What the nodes of a cyclic program hold before they are computed for the first time.
    const ZERO: Self;

    /// The functions of a set, if they take this type of value.
    fn functions(set: &FunctionSet) -> Option<&[Self::Function]>;

    /// The value that an input is replaced by.
    #[must_use]
    fn admitted(self) -> Self;

    /// Applies a function to two values; a unary function takes the first.
    #[must_use]
    fn apply(function: Self::Function, x: Self, y: Self) -> Self;
}

impl Value for f64 {
    type Function = Arithmetic;

    const ZERO: Self = 0.0;

    fn functions(set: &FunctionSet) -> Option<&[Arithmetic]> {
        match set {
            FunctionSet::Arithmetic(functions) => Some(functions),
            FunctionSet::Logic(_) => None,
        }
    }

    #[inline]
    fn admitted(self) -> Self {
        if self.is_nan() { 0.0 } else { finite(self) }
    }

    #[inline]
    fn apply(function: Arithmetic, x: Self, y: Self) -> Self {
        match function {
            Arithmetic::Add => finite(x + y),
            Arithmetic::Subtract => finite(x - y),
            Arithmetic::Multiply => finite(x * y),
            Arithmetic::Divide if y == 0.0 => 1.0,
            Arithmetic::Divide => finite(x / y),
            // Not `f64::min`: for 0 and -0 its result depends on the machine.
            Arithmetic::Min => {
                if y < x {
                    y
                } else {
                    x
                }
            }
            Arithmetic::Max => {
                if y > x {
                    y
                } else {
                    x
                }
            }
            Arithmetic::Average => x / 2.0 + y / 2.0,
            Arithmetic::Greater => f64::from(u8::from(x > y)),
            Arithmetic::Gate => {
                if x > 0.0 {
                    y
                } else {
                    0.0
                }
            }
            Arithmetic::Negate => -x,
            Arithmetic::Absolute => x.abs(),
            Arithmetic::Root => x.abs().sqrt(),
        }
    }
}

#[inline]
fn finite(number: f64) -> f64 {
    number.clamp(f64::MIN, f64::MAX)
}

impl Value for u64 {
    type Function = Logic;

    const ZERO: Self = 0;

    fn functions(set: &FunctionSet) -> Option<&[Logic]> {
        match set {
            FunctionSet::Logic(functions) => Some(functions),
            FunctionSet::Arithmetic(_) => None,
        }
    }

    #[inline]
    fn admitted(self) -> Self {
        self
    }

    #[inline]
    fn apply(function: Logic, x: Self, y: Self) -> Self {
        // Without a branch, which would go another way in almost every node.
        let (both, one, inverted) = match function {
            Logic::And => (u64::MAX, 0, 0),
            Logic::Or => (u64::MAX, u64::MAX, 0),
            Logic::Nand => (u64::MAX, 0, u64::MAX),
            Logic::Nor => (u64::MAX, u64::MAX, u64::MAX),
            Logic::Xor => (0, u64::MAX, 0),
        };
        (x & y & both) ^ ((x ^ y) & one) ^ inverted
    }
}
