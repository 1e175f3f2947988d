//! The normal and chi-square distributions, using only `libm`: the system's functions differ between machines in the last
//! digits. Far tails keep their precision, because nothing is subtracted from 1.

use std::f64::consts::SQRT_2;

/// The probability that a standard normal number is below `z`.
pub(super) fn normal_below(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// The probability that a standard normal number is at least as far from 0 as `z`.
pub(super) fn normal_two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() / SQRT_2)
}

/// The value that a standard normal number is below with this probability; by bisection, which needs no table of coefficients.
/// It starts at 39 on both sides, beyond which tails are smaller than any `f64`.
pub(super) fn normal_quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (-39.0, 39.0);
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if normal_below(middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The probability that a chi-square number with `freedom` degrees of freedom is at least `value`.
///
/// Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1), from Q(1/2, x) = erfc(sqrt x) or Q(1, x) = e^-x (Abramowitz and Stegun
/// 1964, 6.5.21): a sum of positive terms, with a = freedom / 2 and x = value / 2.
#[must_use]
pub fn chi_square_above(value: f64, freedom: usize) -> f64 {
    if freedom == 0 || value <= 0.0 {
        return 1.0;
    }
    let x = 0.5 * value;
    let (mut sum, mut a) = if freedom % 2 == 1 {
        (libm::erfc(libm::sqrt(x)), 0.5)
    } else {
        (libm::exp(-x), 1.0)
    };
    for _ in 0..(freedom - 1) / 2 {
        sum += libm::exp(a * libm::log(x) - x - libm::lgamma(a + 1.0));
        a += 1.0;
    }
    sum.min(1.0)
}
