//! `tc`: a weight whose errors cancel out has found its value and takes less of the next.

use spec::{Kind, Parameter};

use super::{LAMBDA, Method};

/// Temporal coherence (Beal and Smith 1999).
#[derive(Debug, Clone, Copy)]
pub struct Coherence;

impl Method for Coherence {
    const KIND: Kind = Kind {
        name: "tc",
        about: "temporal coherence: every weight has a learning rate of its own, which falls as its errors cancel out",
        more: "Beal and Smith (1999). Needs no tuning of the learning rate, and three times the memory of td.",
        parameters: &[
            Parameter {
                name: "rate",
                default: "1",
                help: "the share of an error that is corrected at first, above 0, at most 10",
            },
            LAMBDA,
        ],
    };

    /// The sum of its errors, and the sum of their sizes.
    const KEPT: usize = 2;

    #[inline]
    fn correct(weight: &mut f32, kept: &mut [f32], step: f32, error: f32) {
        let [sum, sizes] = kept else {
            unreachable!("two numbers are kept")
        };
        let rate = if *sizes > 0.0 {
            sum.abs() / *sizes
        } else {
            1.0
        };
        *weight += rate * step;
        *sum += error;
        *sizes += error.abs();
    }
}
