//! The index of all runs, kept fresh in the background: a list of ten thousand runs is answered from the database, without a look at ten
//! thousand directories.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use lab::store::{Changes, Index, IndexError, Query, Row, Store};

/// A look at all directories comes at most this often, and takes at most a tenth of the time.
const PAUSE: Duration = Duration::from_secs(1);
const SHARE: u32 = 10;
/// A look that is as quick as this is taken before answering, so that the answer is of now.
const QUICK: Duration = Duration::from_millis(20);
/// So long the first answer waits for the first look; then it comes from what the index knew before.
const FIRST: Duration = Duration::from_millis(50);
/// What was seen so short a time ago is of now.
const JUST_NOW: Duration = Duration::from_millis(50);

/// Hears of runs that are further.
type Tell = dyn Fn(&[Row]) + Send + Sync;

/// The index, and when it was last brought up to date.
pub(crate) struct Catalogue {
    store: Store,
    index: Mutex<Index>,
    /// Who looks: one at a time.
    looking: Mutex<()>,
    tell: Box<Tell>,
    freshness: Mutex<Freshness>,
    asked: Condvar,
    /// The first look is over.
    first: Condvar,
    /// Whether the index knew runs before the first look: then there is something to answer, and to tell, before it is over.
    knew: bool,
    over: AtomicBool,
}

#[derive(Debug, Clone, Copy)]
struct Freshness {
    looked: Option<Instant>,
    cost: Duration,
    wanted: bool,
}

impl Catalogue {
    /// Opens the index; `tell` hears of runs that are further than the index knew, but not of all runs if it knew none.
    pub(crate) fn open(
        store: &Store,
        tell: impl Fn(&[Row]) + Send + Sync + 'static,
    ) -> Result<Self, IndexError> {
        let index = Index::open(store)?;
        Ok(Self {
            store: store.clone(),
            knew: index.find(&Query::default())?.total > 0,
            index: Mutex::new(index),
            looking: Mutex::new(()),
            tell: Box::new(tell),
            freshness: Mutex::new(Freshness {
                looked: None,
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

    /// Answers from the index. If looking is quick it is of now; else of the last look, and the next one is asked for.
    pub(crate) fn ask<T>(
        &self,
        question: impl FnOnce(&Index) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        let is_quick = self
            .looked()
            .map_or(!self.knew, |Freshness { cost, .. }| cost <= QUICK);
        if is_quick {
            self.look()?;
        } else {
            self.want();
        }
        question(&self.index())
    }

    /// How fresh the index is; none if the first look is not over and takes its time.
    fn looked(&self) -> Option<Freshness> {
        let freshness = self.freshness();
        let is_first = |freshness: &mut Freshness| self.knew && freshness.looked.is_none();
        let waited = self.first.wait_timeout_while(freshness, FIRST, is_first);
        let freshness = *waited.expect("mutex poisoned").0;
        freshness.looked.map(|_| freshness)
    }

    /// Asks for a look in the background.
    pub(crate) fn want(&self) {
        self.freshness().wanted = true;
        self.asked.notify_all();
    }

    /// Looks at all directories, unless somebody just did.
    fn look(&self) -> Result<(), IndexError> {
        let _looking = self.looking.lock().expect("nobody panics while looking");
        let before = self.freshness().looked;
        if before.is_some_and(|looked| looked.elapsed() < JUST_NOW) {
            return Ok(());
        }
        self.look_after(before)
    }

    /// Looks at all directories. What cannot be read now is told to whoever asks.
    pub(crate) fn look_now(&self) {
        let _looking = self.looking.lock().expect("nobody panics while looking");
        let before = self.freshness().looked;
        let _ = self.look_after(before);
    }

    /// Looks at all directories, and tells what has changed since the last look.
    fn look_after(&self, before: Option<Instant>) -> Result<(), IndexError> {
        let started = Instant::now();
        let known = self.index().known()?;
        // Others may ask while the directories are read.
        let changes = Changes::since(&self.store, &known)?;
        self.index().apply(&changes)?;
        {
            let mut freshness = self.freshness();
            freshness.looked = Some(Instant::now());
            freshness.cost = started.elapsed();
            self.first.notify_all();
        }
        if before.is_some() || self.knew {
            let rows: Vec<Row> = changes.rows().cloned().collect();
            (self.tell)(&rows);
        }
        Ok(())
    }

    /// Looks whenever that is wanted, not too often, until all is over.
    pub(crate) fn keep_fresh(&self) {
        while self.wait() {
            // What cannot be read now is told to whoever asks.
            let _ = self.look();
        }
    }

    /// Waits until a look is wanted and due; false when all is over.
    fn wait(&self) -> bool {
        let mut freshness = self.freshness();
        while !self.over.load(Ordering::Relaxed) {
            let pause = PAUSE.max(freshness.cost * SHARE);
            let left = freshness.looked.map_or(Duration::ZERO, |looked| {
                pause.saturating_sub(looked.elapsed())
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
