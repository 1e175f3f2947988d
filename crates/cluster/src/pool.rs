//! The coordinator's side: cuts errands into chunks, gives them to workers, and takes every result once.
//!
//! The server is disposable: whatever it forgets is given out again, since what is still missing is known here.

mod batch;
mod coordinator;
mod streams;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use self::batch::Batch;
use self::coordinator::Coordinator;
use crate::address::Address;
use crate::link::{Link, LinkError, Role};

pub use self::streams::reset;

/// Many jobs that can be done in any order, each any number of times, with the same result.
pub trait JobSource: Sync {
    /// How many jobs.
    fn jobs(&self) -> usize;

    /// Some of the jobs, as a worker reads them.
    fn body(&self, jobs: Range<usize>) -> Vec<u8>;

    /// Takes over what came of some jobs; false if that cannot be their result. Called once a job.
    fn accept(&self, jobs: Range<usize>, answer: &[u8]) -> bool;

    /// Does the jobs here, and says whether the same comes out.
    fn is_right(&self, jobs: Range<usize>, answer: &[u8]) -> bool;
}

/// How a pool is used.
#[derive(Clone)]
pub struct Settings {
    /// The study, for people.
    pub study: String,
    /// What tells its errands from those of others: the same when it is resumed. Letters and digits.
    pub key: String,
    /// A worker that says nothing for so long has lost its chunk.
    pub patience: Duration,
    /// The share of results that are done again here.
    pub checked: f64,
    /// Becomes true when everything is to stop.
    pub stop: Arc<AtomicBool>,
    /// Hears what a person should know.
    pub tell: Arc<dyn Fn(String) + Send + Sync>,
}

impl fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Settings");
        shown.field("study", &self.study).field("key", &self.key);
        shown.finish_non_exhaustive()
    }
}

/// Why an source is not done.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PoolError {
    /// The connection is of no use.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// Streams of another version.
    #[error(
        "the server at {url} holds tasks of another gamete (it talks version {theirs}, this one version {}): let its studies end, then \
         'gamete cluster reset --pool ...' clears them away",
        crate::wire::PROTOCOL
    )]
    Protocol {
        /// The address.
        url: String,
        /// Theirs.
        theirs: String,
    },
    /// The server does not do what it should.
    #[error("the server at {url} cannot keep tasks: {why}")]
    Server {
        /// The address.
        url: String,
        /// Why.
        why: String,
    },
    /// The system did not give what is needed.
    #[error("cannot use the pool: {0}")]
    System(String),
    /// It was stopped.
    #[error("stopped")]
    Stopped,
    /// Jobs that no worker can do.
    #[error("workers failed twice at the same jobs, each time in a process of their own: {why}")]
    Poison {
        /// What happened.
        why: String,
    },
    /// A job that does not fit into a message.
    #[error(
        "a job takes {bytes} bytes, and the server at {url} takes messages of {most}: raise its max_payload"
    )]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The largest.
        most: usize,
        /// The address.
        url: String,
    },
    /// A worker that gave right results at first gave a wrong one.
    #[error(
        "the worker {worker} returned a bad result after passing verification. What it computed in this study was not all checked: remove the study's \
         runs ('gamete rm') and begin anew without it"
    )]
    Wrong {
        /// The worker.
        worker: String,
    },
}

/// Workers elsewhere, as one.
#[derive(Debug)]
pub struct Pool {
    runtime: tokio::runtime::Runtime,
    coordinator: Arc<Coordinator>,
}

impl Pool {
    /// Joins the server, makes its streams ready, and clears away what an earlier life of the same study has left. Whatever is
    /// wrong is told at once.
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

    /// How many jobs are done at once, as far as is known; at least one.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.coordinator.registry.slots().max(1)
    }

    /// Waits until there is a worker, at most so long.
    pub fn await_worker(&self, most: Duration) {
        let until = std::time::Instant::now() + most;
        while self.coordinator.registry.slots() == 0
            && std::time::Instant::now() < until
            && !self.coordinator.settings.stop.load(Ordering::Relaxed)
        {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Does an source to its end, or until it is stopped.
    pub fn run(&self, source: &dyn JobSource, stop: &AtomicBool) -> Result<(), PoolError> {
        if source.jobs() == 0 {
            return Ok(());
        }
        Batch::run(&self.coordinator, self.runtime.handle(), source, stop)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // What is left there would be computed for nobody.
        let clearing = self.coordinator.clear_away();
        self.runtime.block_on(async {
            let _ = tokio::time::timeout(Duration::from_secs(2), clearing).await;
        });
    }
}
