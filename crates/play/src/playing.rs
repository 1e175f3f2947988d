//! Plays batches of games on all cores or on workers; records are in the order of the games.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use games::with_game;
use players::{Cancelled, SpecError};
use rayon::prelude::*;

use crate::batch::{Dispatch, GameBatch, PreparedBatch};
pub use crate::error::PlayError;
pub use crate::record::{Interest, Origin, Record};
pub use crate::seating::Table;

/// Threads, each of which takes the next game when idle, so that all are busy to the end; and remote workers, for
/// the games that can be played there. All stop when they are told to, even in the middle of a move.
#[derive(Debug, Clone)]
pub struct Workers {
    threads: Arc<rayon::ThreadPool>,
    elsewhere: Option<Arc<dyn Dispatch>>,
    stop: Cancelled,
}

impl Workers {
    /// Starts this many threads.
    pub fn new(threads: usize) -> Result<Self, PlayError> {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
        Ok(Self {
            threads: Arc::new(builder.build()?),
            elsewhere: None,
            stop: Cancelled::default(),
        })
    }

    /// The same, but portable games are played by the workers.
    #[must_use]
    pub fn with(mut self, elsewhere: Option<Arc<dyn Dispatch>>) -> Self {
        self.elsewhere = elsewhere;
        self
    }

    /// The same, until `stop` is true: games that are not over by then are dropped.
    #[must_use]
    pub fn until(mut self, stop: &Cancelled) -> Self {
        self.stop = Arc::clone(stop);
        self
    }

    /// Becomes true when they stop.
    #[must_use]
    pub fn stop(&self) -> &Cancelled {
        &self.stop
    }

    /// Have they been told to stop?
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// How many games can run at once, locally or on workers.
    #[must_use]
    pub fn slots(&self) -> usize {
        let elsewhere = self.elsewhere.as_ref();
        elsewhere.map_or(self.threads(), |pool| pool.slots())
    }

    /// Plays all games of a batch; [`PlayError::Stopped`] if not all are over when they stop. `finished` is called after every game, from
    /// any thread. The players have been tried out.
    pub fn play_all(
        &self,
        batch: &GameBatch,
        finished: &(dyn Fn() + Sync),
    ) -> Result<Vec<Record>, PlayError> {
        let records = in_order(batch.len(), finished, |done| {
            self.play_each(batch, Interest::Result, done)
        })?;
        let all: Option<Vec<Record>> = records.into_iter().collect();
        all.ok_or(PlayError::Stopped)
    }

    /// Plays the games of a batch and passes on every record as soon as it is available, with its index in the batch, in
    /// any order. Games that are not over when they stop have no record.
    pub fn play_each(
        &self,
        batch: &GameBatch,
        interest: Interest,
        done: &(dyn Fn(usize, Record) + Sync),
    ) -> Result<(), PlayError> {
        match &self.elsewhere {
            Some(elsewhere) if batch.can_travel(interest) => {
                Ok(elsewhere.play(batch, &self.stop, done)?)
            }
            _ => Ok(self.play_here(batch, interest, done)?),
        }
    }

    /// What the function gives for each item, in their order, on all threads.
    pub(crate) fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        each: impl Fn(&T) -> R + Sync,
    ) -> Vec<R> {
        self.threads
            .install(|| items.par_iter().with_max_len(1).map(&each).collect())
    }

    fn play_here(
        &self,
        batch: &GameBatch,
        interest: Interest,
        done: &(dyn Fn(usize, Record) + Sync),
    ) -> Result<(), SpecError> {
        with_game!(&batch.game, game => {
            let prepared = PreparedBatch::new(game, batch);
            let at_once = prepared.at_once(interest);
            self.threads.install(|| {
                (0..batch.len().div_ceil(at_once))
                    .into_par_iter()
                    .with_max_len(1)
                    .filter(|_| !self.is_stopped())
                    .try_for_each(|part| {
                        let places = part * at_once..batch.len().min((part + 1) * at_once);
                        prepared.play_some(places, interest, &self.stop, done)
                    })
            })
        })
    }
}

/// Collects records that arrive in any order and returns them by index; `None` for those that never arrived.
pub(crate) fn in_order(
    count: usize,
    finished: &(dyn Fn() + Sync),
    play: impl FnOnce(&(dyn Fn(usize, Record) + Sync)) -> Result<(), PlayError>,
) -> Result<Vec<Option<Record>>, PlayError> {
    let records = Mutex::new(vec![None; count]);
    play(&|place, record| {
        records.lock().expect("mutex poisoned")[place] = Some(record);
        finished();
    })?;
    Ok(records.into_inner().expect("mutex poisoned"))
}
