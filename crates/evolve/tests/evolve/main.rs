//! Tests of the crate as its users see it, one file a subject.

mod algorithms;
mod cgp;
mod operators;
mod optimizer;
mod problems;
