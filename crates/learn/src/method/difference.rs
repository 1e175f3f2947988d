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

    const KEPT: usize = 0;

    #[inline]
    fn correct(weight: &mut f32, _: &mut [f32], step: f32, _: f32) {
        *weight += step;
    }
}
