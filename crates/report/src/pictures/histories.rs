//! Histories of runs, each read only once for all charts.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::results::RunResults;
use lab::run::history::HistoryReader;

/// The histories read so far.
#[derive(Default)]
pub(super) struct Histories {
    known: RefCell<BTreeMap<String, Option<Rc<HistoryReader>>>>,
}

impl Histories {
    /// The history of a run, if it has one with generations in it.
    pub(super) fn of(&self, run: &RunResults) -> Option<Rc<HistoryReader>> {
        let mut known = self.known.borrow_mut();
        let read = || read(run).map(Rc::new);
        known.entry(run.id.clone()).or_insert_with(read).clone()
    }
}

/// A damaged history is reported with its run.
fn read(run: &RunResults) -> Option<HistoryReader> {
    HistoryReader::of_run(&run.path)
        .ok()
        .flatten()
        .filter(|history| !history.generations.is_empty())
}
