//! Long work: how many threads do it, and how far it is.

use std::num::NonZeroUsize;

use indicatif::{ProgressBar, ProgressStyle};

/// So many threads as were asked for, or one a core.
pub(crate) fn threads(asked: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    asked.map_or_else(cores, usize::from)
}

/// A bar on a terminal; indicatif shows none in a pipe.
pub(crate) fn progress(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{bar:30} {human_pos}/{human_len} games, {per_sec}, {eta} left",
    )
    .expect("the template is right");
    ProgressBar::new(games).with_style(style)
}
