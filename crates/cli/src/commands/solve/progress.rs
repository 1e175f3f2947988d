//! How far a proof is, on a terminal: the time, the positions searched, and the columns that are proved.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use play::numbers::grouped;
use players::solver::MoveScore;

/// How many positions the solver searches between two questions whether to stop.
const NODES_A_TICK: u64 = 4096;
const PAUSE: Duration = Duration::from_millis(100);
/// What is solved sooner needs no progress.
const FIRST: Duration = Duration::from_millis(500);

/// A line that tells how far the search is; nothing in a pipe.
pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
    next: Cell<Duration>,
    nodes: Cell<u64>,
    columns: RefCell<String>,
}

impl Progress {
    pub(super) fn new(started: Instant) -> Self {
        Self {
            bar: ProgressBar::new_spinner(),
            started,
            next: Cell::new(FIRST),
            nodes: Cell::new(0),
            columns: RefCell::default(),
        }
    }

    /// The solver goes on.
    pub(super) fn tick(&self) {
        self.nodes.set(self.nodes.get() + NODES_A_TICK);
        let elapsed = self.started.elapsed();
        if elapsed < self.next.get() {
            return;
        }
        self.next.set(elapsed + PAUSE);
        let nodes = grouped(self.nodes.get() as f64, 0);
        let columns = self.columns.borrow();
        let message = format!("{} s, {nodes} positions{columns}", elapsed.as_secs());
        self.bar.set_message(message);
    }

    /// These columns are proved.
    pub(super) fn know(&self, moves: &[MoveScore]) {
        let proved = |known: &MoveScore| Some(format!("{}: {}", known.column, known.score()?));
        let proved: Vec<String> = moves.iter().filter_map(proved).collect();
        if !proved.is_empty() {
            *self.columns.borrow_mut() = format!("; column {}", proved.join(", "));
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
