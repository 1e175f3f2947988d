//! Chunks waiting for a core, and the threads that do them.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use bytes::Bytes;
use tokio::sync::mpsc::UnboundedSender;

use super::JobHandler;

/// A chunk to do.
pub(super) struct Job {
    /// Its key among the chunks that the worker holds.
    pub(super) place: u64,
    pub(super) body: Bytes,
    /// Whether to run it in a separate process.
    pub(super) apart: bool,
}

/// A finished chunk.
pub(super) struct Done {
    pub(super) place: u64,
    pub(super) seconds: f64,
    pub(super) outcome: Result<Vec<u8>, String>,
}

/// Waiting chunks, and whether more will come.
#[derive(Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    is_closed: bool,
}

/// Chunks waiting for a core.
#[derive(Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    /// Suspicious chunks run one at a time.
    apart: Mutex<()>,
    busy_nanoseconds: AtomicU64,
}

impl Queue {
    /// Starts this many threads.
    pub(super) fn start(
        cores: usize,
        handler: &Arc<dyn JobHandler>,
        over: &UnboundedSender<Done>,
    ) -> std::io::Result<Arc<Self>> {
        let queue = Arc::new(Self::default());
        for _ in 0..cores {
            let (queue, handler, over) = (Arc::clone(&queue), Arc::clone(handler), over.clone());
            std::thread::Builder::new()
                .name("jobs".to_owned())
                .spawn(move || queue.work(&*handler, &over))?;
        }
        Ok(queue)
    }

    pub(super) fn add(&self, job: Job) {
        self.waiting().jobs.push_back(job);
        self.changed.notify_one();
    }

    /// Closes the queue; returns the chunks that were not started.
    pub(super) fn close(&self) -> Vec<u64> {
        let mut waiting = self.waiting();
        waiting.is_closed = true;
        self.changed.notify_all();
        waiting.jobs.drain(..).map(|job| job.place).collect()
    }

    /// Drops chunks that were not started; returns them.
    pub(super) fn drop_waiting(&self, is_stale: impl Fn(u64) -> bool) -> Vec<u64> {
        let mut waiting = self.waiting();
        let stale = waiting.jobs.iter().map(|job| job.place);
        let stale: Vec<u64> = stale.filter(|&place| is_stale(place)).collect();
        if !stale.is_empty() {
            waiting.jobs.retain(|job| !is_stale(job.place));
        }
        stale
    }

    /// Total working time of all cores.
    pub(super) fn busy_seconds(&self) -> f64 {
        self.busy_nanoseconds.load(Ordering::Relaxed) as f64 / 1e9
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.waiting.lock().expect("mutex poisoned")
    }

    fn next(&self) -> Option<Job> {
        let mut waiting = self.waiting();
        loop {
            if let Some(job) = waiting.jobs.pop_front() {
                return Some(job);
            }
            if waiting.is_closed {
                return None;
            }
            waiting = (self.changed.wait(waiting)).expect("mutex poisoned");
        }
    }

    fn work(&self, handler: &dyn JobHandler, over: &UnboundedSender<Done>) {
        while let Some(job) = self.next() {
            let began = Instant::now();
            let outcome = self.compute(handler, &job);
            let took = began.elapsed();
            self.busy_nanoseconds
                .fetch_add(took.as_nanos() as u64, Ordering::Relaxed);
            let done = Done {
                place: job.place,
                seconds: took.as_secs_f64(),
                outcome,
            };
            if over.send(done).is_err() {
                return;
            }
        }
    }

    fn compute(&self, handler: &dyn JobHandler, job: &Job) -> Result<Vec<u8>, String> {
        let work = || {
            if !job.apart {
                return handler.work(&job.body);
            }
            let _alone = self
                .apart
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            handler.work_apart(&job.body)
        };
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(format!("it panicked: {}", text.unwrap_or("no message")))
        })
    }
}
