//! Tests of the crate as its users see it, one file per subject.

mod algorithms;
mod cgp;
mod operators;
mod optimizer;
mod problems;
