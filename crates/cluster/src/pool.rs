//! The coordinator's side: cuts sources of jobs into chunks, hands them to workers, and accepts every result once.
//!
//! The server only passes messages on: what is lost is given out again, since the coordinator knows which results are missing and asks
//! workers what they hold. No result is believed at once: the first of every worker and a share of the others are verified.

mod batch;
mod coordinator;
mod registry;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use self::batch::Batch;
use self::coordinator::Coordinator;
use self::registry::Standing;
use crate::address::Address;
use crate::link::{Link, LinkError, Role};
use crate::worker::JobHandler;

/// Many jobs that can be done in any order, each any number of times, with the same result.
pub trait JobSource: Sync {
    /// Number of jobs.
    fn jobs(&self) -> usize;

    /// Serialises some of the jobs for a worker.
    fn body(&self, jobs: Range<usize>) -> Vec<u8>;

    /// Accepts the result of some jobs; false if it cannot be their result. Called once per job, and again if the worker
    /// whose result was taken turns out to be wrong.
    fn accept(&self, jobs: Range<usize>, answer: &[u8], origin: Origin<'_>) -> bool;

    /// Does the result of some jobs agree with that of a part of them?
    fn agrees(&self, answer: &[u8], part: Range<usize>, of_part: &[u8]) -> bool;
}

/// Where a result comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin<'a> {
    /// The worker's public key; none for a result that was made here.
    pub worker: Option<&'a Arc<str>>,
    /// Those of the jobs, from 0, whose results were compared with others.
    pub checked: Range<usize>,
}

/// How a pool is used.
#[derive(Clone)]
pub struct Settings {
    /// The study's display name.
    pub study: String,
    /// Identifies the study's jobs; the same when it is resumed. Letters and digits.
    pub key: String,
    /// A silent worker's chunk is reassigned after this long.
    pub patience: Duration,
    /// The share of jobs done again locally.
    pub checked: f64,
    /// The share of jobs done by two workers.
    pub doubled: f64,
    /// Does jobs locally, to verify results.
    pub handler: Arc<dyn JobHandler>,
    /// Called with the public key of a worker that returned a wrong result, before anything else happens.
    pub found_wrong: Arc<dyn Fn(&str) + Send + Sync>,
    /// Becomes true when everything should stop.
    pub stop: Arc<AtomicBool>,
    /// Called with messages for the user.
    pub tell: Arc<dyn Fn(String) + Send + Sync>,
}

impl fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Settings");
        shown.field("study", &self.study).field("key", &self.key);
        shown.finish_non_exhaustive()
    }
}

/// Why the jobs were not done.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PoolError {
    /// The connection is not usable.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// A system error.
    #[error("cannot use the pool: {0}")]
    System(String),
    /// It was stopped.
    #[error("stopped")]
    Stopped,
    /// Jobs that no worker can do.
    #[error(
        "workers failed at the same jobs twice, and so did this machine, each time in a separate process: {why}"
    )]
    Poison {
        /// What happened.
        why: String,
    },
    /// A job that does not fit into a message.
    #[error(
        "a job takes {bytes} bytes, and the server at {url} accepts messages of up to {most}: raise its max_payload"
    )]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The largest.
        most: usize,
        /// The address.
        url: String,
    },
}

/// All remote workers together.
#[derive(Debug)]
pub struct Pool {
    runtime: tokio::runtime::Runtime,
    coordinator: Arc<Coordinator>,
}

impl Pool {
    /// Connects to the server. Fails at once if anything is wrong.
    pub fn open(address: &Address, settings: Settings) -> Result<Self, PoolError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("pool")
            .enable_all()
            .build()
            .map_err(|error| PoolError::System(error.to_string()))?;
        let coordinator = runtime.block_on(async {
            let link = Link::open(address, Role::Coordinator).await?;
            Coordinator::open(link, settings).await
        })?;
        Ok(Self {
            runtime,
            coordinator,
        })
    }

    /// How many jobs can run at once, as currently known; at least one.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.coordinator.registry.slots().max(1)
    }

    /// Waits until there is a worker, at most this long.
    pub fn await_worker(&self, most: Duration) {
        let until = std::time::Instant::now() + most;
        while self.coordinator.registry.slots() == 0
            && std::time::Instant::now() < until
            && !self.coordinator.settings.stop.load(Ordering::Relaxed)
        {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Workers that returned a wrong result, by their public keys.
    #[must_use]
    pub fn banned(&self) -> Vec<String> {
        self.coordinator.registry.banned()
    }

    /// Accepts nothing of these workers.
    pub fn ban(&self, workers: &[String]) {
        for worker in workers {
            self.coordinator
                .registry
                .set_standing(worker, Standing::Banned);
        }
    }

    /// The display name of a worker.
    #[must_use]
    pub fn name(&self, worker: &str) -> String {
        self.coordinator.registry.name(worker)
    }

    /// Does all jobs of a source, or until it is stopped.
    pub fn run(&self, source: &dyn JobSource, stop: &AtomicBool) -> Result<(), PoolError> {
        if source.jobs() == 0 {
            return Ok(());
        }
        Batch::run(&self.coordinator, self.runtime.handle(), source, stop)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // The workers are told what is not needed any more.
        let sent = self.coordinator.link.client.flush();
        self.runtime.block_on(async {
            let _ = tokio::time::timeout(Duration::from_secs(2), sent).await;
        });
    }
}
