//! A quantity that is only known to lie between two bounds.

use std::ops::{Add, Mul};

use serde::Serialize;

/// A likely range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Span {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Mul<f64> for Span {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self {
            low: self.low * factor,
            high: self.high * factor,
        }
    }
}

impl Add for Span {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            low: self.low + other.low,
            high: self.high + other.high,
        }
    }
}
