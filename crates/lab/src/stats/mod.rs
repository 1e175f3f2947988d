//! Statistics: no number without its interval where chance is involved.

mod elo;
mod ranks;
mod share;
mod significance;
mod summary;

pub use elo::{Crosstable, Rating, Score, ratings};
pub use ranks::{a12, mann_whitney};
pub use share::Share;
pub use significance::{holm, sign_test};
pub use summary::Summary;

/// Two-sided quantile of the standard normal distribution for 95 %.
const NORMAL_95: f64 = 1.959_963_984_540_054;
