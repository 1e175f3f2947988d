//! Statistics: every stochastic result has a confidence interval.
#![deny(clippy::disallowed_methods, clippy::disallowed_macros)]

mod comparison;
mod counts;
mod distributions;
mod elo;
mod groups;
mod mean;
mod median;
mod pairs;
mod power;
mod ranks;
mod ratio;
mod share;
mod significance;
mod sprt;
mod student;
mod summary;
mod verdict;

pub use comparison::{
    Better, Comparison, Described, Difference, Effect, Observed, Outlook, Overall, Pair, Pairing,
    Sample, Spread, Test, compare, compare_games, compare_with,
};
pub(crate) use counts::Counts;
pub use distributions::chi_square_above;
pub use elo::{Crosstable, Rating, ratings};
pub use groups::{GroupTest, friedman, kruskal_wallis};
pub(crate) use mean::interval_of;
pub use mean::{mean_interval, possible};
pub use median::median_interval;
pub use pairs::Pairs;
pub use power::{LEVEL, MEDIUM_EFFECT, POWER, pairs_needed, power, repeats_needed};
pub use ranks::{a12, mann_whitney, paired_effect, wilcoxon};
pub(crate) use ratio::{RatioOfSums, ratio};
pub use share::Share;
pub use significance::{fisher, holm, sign_test};
pub use sprt::{Accepted, Sprt};
pub use student::student_quantile;
pub use summary::Summary;

use summary::quantile;

/// Two-sided quantile of the standard normal distribution for 95 %.
const NORMAL_95: f64 = 1.959_963_984_540_054;
