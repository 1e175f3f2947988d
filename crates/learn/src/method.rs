//! How an error changes the weights that it came from.

use bytemuck::{Pod, Zeroable};

/// A way to correct weights.
pub trait Method: Copy {
    /// What is kept of every weight.
    type Entry: Pod;

    /// The weight itself.
    fn weight(entry: &Self::Entry) -> f32;

    /// Corrects a weight: `step` is its part of the error times the learning rate, `error` the whole error.
    fn correct(entry: &mut Self::Entry, step: f32, error: f32);
}

/// Every weight takes its part of the error: TD(0), or TD(lambda).
#[derive(Debug, Clone, Copy)]
pub struct Plain;

impl Method for Plain {
    type Entry = f32;

    #[inline]
    fn weight(entry: &f32) -> f32 {
        *entry
    }

    #[inline]
    fn correct(entry: &mut f32, step: f32, _: f32) {
        *entry += step;
    }
}

/// Temporal coherence (Beal and Smith 1999): a weight whose errors cancel out has found its value and takes less of the next.
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
    type Entry = Coherent;

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
