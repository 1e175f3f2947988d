//! A quantity that is known only between two bounds.

use std::ops::{Add, Mul};

use serde::Serialize;

/// From the least to the most that is likely.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Span {
    /// The least.
    pub low: f64,
    /// The most.
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
