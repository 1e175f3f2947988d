//! `tc`: a weight whose errors cancel out has found its value and takes less of the next.

use bytemuck::{Pod, Zeroable};
use spec::{Kind, Parameter};

use super::{LAMBDA, Method};

/// Temporal coherence (Beal and Smith 1999).
#[derive(Debug, Clone, Copy)]
pub struct Coherence;

/// A weight, the sum of its errors, and the sum of their sizes.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Coherent {
    weight: f32,
    sum: f32,
    sizes: f32,
}

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

    type Entry = Coherent;

    fn entry(weight: f32) -> Coherent {
        Coherent {
            weight,
            sum: 0.0,
            sizes: 0.0,
        }
    }

    #[inline]
    fn weight(entry: &Coherent) -> f32 {
        entry.weight
    }

    #[inline]
    fn correct(entry: &mut Coherent, step: f32, error: f32) {
        let rate = if entry.sizes > 0.0 {
            entry.sum.abs() / entry.sizes
        } else {
            1.0
        };
        entry.weight += rate * step;
        entry.sum += error;
        entry.sizes += error.abs();
    }
}
