//! `td`: every weight takes its part of the error.

use spec::{Kind, Parameter};

use super::{LAMBDA, Method};

/// Plain temporal differences.
#[derive(Debug, Clone, Copy)]
pub struct Difference;

impl Method for Difference {
    const KIND: Kind = Kind {
        name: "td",
        about: "temporal differences: every weight takes its part of the error",
        more: "With lambda = 0 only the last position is corrected (TD(0)). Takes a third of the memory of tc, and a learning rate that \
               suits.",
        parameters: &[
            Parameter {
                name: "rate",
                default: "0.1",
                help: "the share of an error that is corrected, above 0, at most 10",
            },
            LAMBDA,
        ],
    };

    type Entry = f32;

    fn entry(weight: f32) -> f32 {
        weight
    }

    #[inline]
    fn weight(entry: &f32) -> f32 {
        *entry
    }

    #[inline]
    fn correct(entry: &mut f32, step: f32, _: f32) {
        *entry += step;
    }
}
