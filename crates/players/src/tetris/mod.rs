//! Players of Tetris: a placement is worth weights . features, now or over several pieces.
//!
//! [`Weighted`] looks at one or two pieces in full, [`Beam`] at all that are known. What they weigh is
//! one of the feature sets in [`features`].
//!
//! How it is fast: a board is made ready once ([`ground`]), each rotation of a piece once and for all
//! ([`turned`]); then the features of a rotation are computed for all columns at once, as exact changes,
//! in loops over fixed arrays of which the compiler makes vector instructions. A feature is a whole
//! number until it is weighed, always in the same order, so a value does not depend on the way there.

mod beam;
mod features;
mod ground;
mod judge;
mod lack;
mod lanes;
mod program;
mod turned;
mod weighted;

pub use beam::Beam;
pub use program::PlacementProgram;
pub use weighted::Weighted;
