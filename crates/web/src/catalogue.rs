//! The index of all runs, refreshed in the background: a list of ten thousand runs comes from the database, without reading ten thousand
//! directories.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use lab::store::{Changes, Index, IndexError, Query, Row, Store};

/// The index is refreshed at most this often, and in at most a tenth of the time.
const PAUSE: Duration = Duration::from_secs(1);
const SHARE: u32 = 10;
/// If refreshing is as quick as this, it is done before answering.
const QUICK: Duration = Duration::from_millis(20);
/// The first answer waits this long for the first refresh; then it comes from what the index knew before.
const FIRST: Duration = Duration::from_millis(50);
/// An index that was refreshed so recently is fresh.
const JUST_NOW: Duration = Duration::from_millis(50);

/// Gets the runs that have changed.
type OnChange = dyn Fn(&[Row]) + Send + Sync;

/// The index, and when it was last brought up to date.
pub(crate) struct Catalogue {
    store: Store,
    index: Mutex<Index>,
    /// Held while the index is refreshed.
    refreshing: Mutex<()>,
    on_change: Box<OnChange>,
    freshness: Mutex<Freshness>,
    asked: Condvar,
    /// The first refresh is over.
    first: Condvar,
    /// Whether the index had runs before the first refresh: then there is something to answer before it is over.
    had_runs: bool,
    over: AtomicBool,
}

#[derive(Debug, Clone, Copy)]
struct Freshness {
    refreshed: Option<Instant>,
    cost: Duration,
    wanted: bool,
}

impl Catalogue {
    /// Opens the index; `on_change` gets the runs that differ from what the index knew, but not all runs if it knew none.
    pub(crate) fn open(
        store: &Store,
        on_change: impl Fn(&[Row]) + Send + Sync + 'static,
    ) -> Result<Self, IndexError> {
        let index = Index::open(store)?;
        Ok(Self {
            store: store.clone(),
            had_runs: index.find(&Query::default())?.total > 0,
            index: Mutex::new(index),
            refreshing: Mutex::new(()),
            on_change: Box::new(on_change),
            freshness: Mutex::new(Freshness {
                refreshed: None,
                cost: Duration::ZERO,
                wanted: true,
            }),
            asked: Condvar::new(),
            first: Condvar::new(),
            over: AtomicBool::new(false),
        })
    }

    fn freshness(&self) -> MutexGuard<'_, Freshness> {
        self.freshness.lock().expect("mutex poisoned")
    }

    fn index(&self) -> MutexGuard<'_, Index> {
        self.index.lock().expect("mutex poisoned")
    }

    /// Answers from the index: refreshed first if that is quick, else as of the last refresh, and the next one is requested.
    pub(crate) fn ask<T>(
        &self,
        question: impl FnOnce(&Index) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        let is_quick = self
            .last_refresh()
            .map_or(!self.had_runs, |Freshness { cost, .. }| cost <= QUICK);
        if is_quick {
            self.refresh()?;
        } else {
            self.want();
        }
        question(&self.index())
    }

    /// How fresh the index is; none if the first refresh is not over and takes long.
    fn last_refresh(&self) -> Option<Freshness> {
        let freshness = self.freshness();
        let is_first = |freshness: &mut Freshness| self.had_runs && freshness.refreshed.is_none();
        let waited = self.first.wait_timeout_while(freshness, FIRST, is_first);
        let freshness = *waited.expect("mutex poisoned").0;
        freshness.refreshed.map(|_| freshness)
    }

    /// Requests a refresh in the background.
    pub(crate) fn want(&self) {
        self.freshness().wanted = true;
        self.asked.notify_all();
    }

    /// Reads all directories, unless that was just done.
    fn refresh(&self) -> Result<(), IndexError> {
        let _refreshing = self.refreshing.lock().expect("mutex poisoned");
        let before = self.freshness().refreshed;
        if before.is_some_and(|refreshed| refreshed.elapsed() < JUST_NOW) {
            return Ok(());
        }
        self.refresh_since(before)
    }

    /// Reads all directories now. An error shows up again in the next answer.
    pub(crate) fn refresh_now(&self) {
        let _refreshing = self.refreshing.lock().expect("mutex poisoned");
        let before = self.freshness().refreshed;
        let _ = self.refresh_since(before);
    }

    /// Reads all directories, and passes on what has changed since the last time.
    fn refresh_since(&self, before: Option<Instant>) -> Result<(), IndexError> {
        let started = Instant::now();
        let known = self.index().known()?;
        // Answers go on while the directories are read.
        let changes = Changes::since(&self.store, &known)?;
        self.index().apply(&changes)?;
        {
            let mut freshness = self.freshness();
            freshness.refreshed = Some(Instant::now());
            freshness.cost = started.elapsed();
            self.first.notify_all();
        }
        if before.is_some() || self.had_runs {
            let rows: Vec<Row> = changes.rows().cloned().collect();
            (self.on_change)(&rows);
        }
        Ok(())
    }

    /// Refreshes the index whenever that is requested, not too often, until the server ends.
    pub(crate) fn keep_fresh(&self) {
        while self.wait() {
            // An error shows up again in the next answer.
            let _ = self.refresh();
        }
    }

    /// Waits until a refresh is requested and due; false when the server ends.
    fn wait(&self) -> bool {
        let mut freshness = self.freshness();
        while !self.over.load(Ordering::Relaxed) {
            let pause = PAUSE.max(freshness.cost * SHARE);
            let left = freshness.refreshed.map_or(Duration::ZERO, |refreshed| {
                pause.saturating_sub(refreshed.elapsed())
            });
            if freshness.wanted && left.is_zero() {
                freshness.wanted = false;
                return true;
            }
            let left = if freshness.wanted { left } else { PAUSE };
            let woken = self.asked.wait_timeout(freshness, left);
            freshness = woken.expect("mutex poisoned").0;
        }
        false
    }

    /// Ends [`keep_fresh`](Self::keep_fresh).
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
        self.asked.notify_all();
    }
}
