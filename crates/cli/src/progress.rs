//! Long work: how many threads do it, and how far it is.

use std::num::NonZeroUsize;

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::number;

/// As many threads as were asked for, or one per core.
pub(crate) fn threads(asked: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    asked.map_or_else(cores, usize::from)
}

/// A bar on a terminal; indicatif shows none in a pipe.
pub(crate) fn progress(games: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{bar:30} {human_pos}/{human_len} games, {speed}, {eta} left")
            .expect("the template is right")
            .with_key(
                "speed",
                |state: &indicatif::ProgressState, text: &mut dyn std::fmt::Write| {
                    // When the line is too long nothing can be done about it.
                    let _ = write!(text, "{}/s", number(state.per_sec(), 0));
                },
            );
    ProgressBar::new(games).with_style(style)
}

/// A fitness in few characters: whole for large ones, with decimals for small ones.
pub(crate) fn brief(value: f64) -> String {
    number(value, if value.abs() < 10.0 { 3 } else { 0 })
}
