//! A position of Connect-N is solved by several threads at once. They share what they find; the answer is the same for any number of them,
//! since whatever is proved is exact.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use players::solver::{AnySolver, Budget, Team};

/// After so many questions whether to stop, some ten thousand positions, others join in: what is solved before needs no help.
const ALONE: u32 = 16;

/// The threads that solve positions of one game.
#[derive(Debug)]
pub struct Helpers {
    threads: usize,
    team: Arc<Team>,
}

impl Helpers {
    /// This many threads, one of which is the caller's, with a common table of 2^`table` positions.
    #[must_use]
    pub fn new(threads: usize, table: u32) -> Self {
        Self {
            threads,
            team: Arc::new(Team::new(table)),
        }
    }

    /// Asks the solver a question, and the helpers the same one. Returns the solver's answer and the positions that the helpers have
    /// searched for it. With a limit of positions there are no helpers, as the answer would depend on them.
    pub fn ask<T>(
        &self,
        solver: &mut AnySolver,
        budget: &Budget<'_>,
        question: impl FnOnce(&mut AnySolver, &Budget<'_>) -> T,
        of_helper: impl Fn(&mut AnySolver, &Budget<'_>) -> u64 + Sync,
    ) -> (T, u64) {
        if self.threads < 2 || budget.nodes.is_some() || !solver.join(&self.team) {
            return (question(solver, budget), 0);
        }
        let done = AtomicBool::new(false);
        let help = |mut helper: AnySolver, begin: &mpsc::Receiver<()>| {
            if begin.recv().is_err() {
                return 0;
            }
            helper.join(&self.team);
            let budget = Budget {
                cancelled: Some(&done),
                ..Budget::default()
            };
            of_helper(&mut helper, &budget)
        };
        let help = &help;
        std::thread::scope(|scope| {
            let started = (1..self.threads).map(|_| {
                let (begin, begins) = mpsc::channel();
                let helper = solver.anew();
                (begin, scope.spawn(move || help(helper, &begins)))
            });
            let (begins, helpers): (Vec<_>, Vec<_>) = started.unzip();
            let asked = Cell::new(0);
            let stop = || {
                asked.set(asked.get() + 1);
                if asked.get() == ALONE {
                    // A helper waits until it is told, or nobody can tell it any more.
                    begins
                        .iter()
                        .for_each(|begin| begin.send(()).unwrap_or_default());
                }
                budget.stop.is_some_and(|stop| stop())
            };
            let budget = Budget {
                stop: Some(&stop),
                ..*budget
            };
            let answer = question(solver, &budget);
            done.store(true, Ordering::Relaxed);
            drop(begins);
            let nodes = helpers
                .into_iter()
                .map(|helper| helper.join().expect("a helper panicked"));
            (answer, nodes.sum())
        })
    }
}
