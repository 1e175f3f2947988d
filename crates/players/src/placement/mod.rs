//! What a placement in Tetris is worth: weights times features.
//!
//! How it is fast: a board is made ready once ([`ground`]), each rotation of a piece once and for all
//! ([`turned`]); then the features of a rotation are computed for all columns at once, as exact changes,
//! in loops over fixed arrays of which the compiler makes vector instructions. A feature is a whole
//! number until it is weighed, always in the same order, so a value does not depend on the way there.

mod features;
mod ground;
mod judge;
mod lack;
mod lanes;
mod turned;

pub(crate) use features::{
    Change, FEATURES, Family, Features, Points, READING, Set, Surface, WEIGHTS, with_features,
};
pub(crate) use judge::{Judge, Judged, Ready};
pub(crate) use lanes::LOST;
