//! Colours for values from worst to best, which can be told apart in print and without colour vision.

use kuva::plot::heatmap::ColorMap;

/// The colour of a share from 0, the worst, to 1, the best, which is the lightest.
pub(super) fn shade(share: f64) -> String {
    ColorMap::Viridis.map(share.clamp(0.0, 1.0))
}

/// Black or white, whichever is readable on the colour of a share.
pub(super) fn ink(share: f64) -> &'static str {
    if share > 0.55 { "#111111" } else { "#ffffff" }
}

/// How good a value is within a range: from 0 to 1, the best.
pub(super) fn share(value: f64, (low, high): (f64, f64), lower_is_better: bool) -> f64 {
    let share = (value - low) / (high - low);
    if lower_is_better { 1.0 - share } else { share }
}
