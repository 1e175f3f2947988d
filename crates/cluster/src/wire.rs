//! Messages between coordinators and workers, and their subjects.

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Version and source hash, which must be the same on all machines that work together.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("GAMETE_SOURCES"));

/// The protocol version, stored in the streams.
pub const PROTOCOL: &str = "1";
/// The metadata key of the protocol version.
pub const PROTOCOL_KEY: &str = "gamete-protocol";

/// The stream of tasks; finished ones are removed.
pub const TASKS: &str = "GAMETE_TASKS";
/// The stream of results: one per subject, never replaced.
pub const RESULTS: &str = "GAMETE_RESULTS";
/// The consumer from which all workers take chunks.
pub const WORKERS: &str = "workers";
/// Workers answer this with their presence.
pub const WHO: &str = "gamete.who";
/// The prefix of workers' inboxes, the only ones they may subscribe to.
pub const WORKER_INBOX: &str = "_INBOX.gamete.worker";

/// The subject of a worker's presence.
#[must_use]
pub fn presence_of(worker: &str) -> String {
    format!("gamete.worker.{worker}")
}

/// The subject of a coordinator's report.
#[must_use]
pub fn report_of(key: &str) -> String {
    format!("gamete.coordinator.{key}")
}

/// Identifies a chunk and its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The key of the study's jobs.
    pub key: String,
    /// The coordinator's session.
    pub session: String,
    /// The batch.
    pub batch: u64,
    /// The chunk.
    pub chunk: u64,
}

impl Slot {
    /// The subject of the task.
    #[must_use]
    pub fn task(&self) -> String {
        format!("gamete.tasks.{}", self.tail())
    }

    /// The subject of the result.
    #[must_use]
    pub fn result(&self) -> String {
        format!("gamete.results.{}", self.tail())
    }

    fn tail(&self) -> String {
        let Self {
            key,
            session,
            batch,
            chunk,
        } = self;
        format!("{key}.{session}.{batch}.{chunk}")
    }

    /// Reads the subject of a task or a result.
    #[must_use]
    pub fn read(subject: &str) -> Option<Self> {
        let mut words = subject.split('.').skip(2);
        let slot = Self {
            key: words.next()?.to_owned(),
            session: words.next()?.to_owned(),
            batch: words.next()?.parse().ok()?,
            chunk: words.next()?.parse().ok()?,
        };
        words.next().is_none().then_some(slot)
    }

    /// The subject for the result of a task.
    #[must_use]
    pub fn result_of(task: &str) -> Option<String> {
        Self::read(task).map(|slot| slot.result())
    }
}

/// A chunk of jobs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Task {
    /// The version that workers must have.
    pub version: String,
    /// The study it belongs to.
    pub study: String,
    /// Proves that the answer comes from a worker that got the task.
    pub token: u64,
    /// After this many silent milliseconds the task is reassigned.
    pub patience: u32,
    /// Number of jobs.
    pub jobs: u32,
    /// The jobs.
    pub body: Bytes,
}

/// The answer to a task.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Answer {
    /// The worker's version.
    pub version: String,
    /// The study it belongs to.
    pub study: String,
    /// That of the task.
    pub token: u64,
    /// The worker.
    pub worker: String,
    /// Elapsed time.
    pub seconds: f64,
    /// The outcome.
    pub outcome: Outcome,
}

/// The outcome of a chunk.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Outcome {
    /// The results.
    Done(Bytes),
    /// Why it failed.
    Failed(String),
}

/// A worker's periodic status.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Presence {
    /// Its unique id.
    pub id: String,
    /// Its display name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Number of concurrent chunks.
    pub cores: usize,
    /// Chunks it holds now.
    pub held: usize,
    /// Chunks it has done.
    pub chunks: u64,
    /// Jobs it has done.
    pub jobs: u64,
    /// Recent jobs per second.
    pub jobs_per_second: f64,
    /// Recent share of busy cores.
    pub busy: f64,
    /// Time since it joined.
    pub seconds: f64,
    /// It is leaving, and takes no more tasks.
    pub leaving: bool,
}

/// A coordinator's periodic status.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The key of its jobs.
    pub key: String,
    /// The study.
    pub study: String,
    /// Its version.
    pub version: String,
    /// Finished jobs.
    pub jobs: u64,
    /// Recent jobs per second.
    pub jobs_per_second: f64,
    /// Jobs in in_flight.
    pub on_their_way: u64,
    /// Results verified locally.
    pub checked: u64,
    /// Time since it started.
    pub seconds: f64,
}

/// Serialises a value.
pub fn pack<T: Serialize>(value: &T) -> Vec<u8> {
    rmp_serde::to_vec(value).expect("plain data can be written")
}

/// Deserialises a value, if the bytes are valid.
#[must_use]
pub fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    rmp_serde::from_slice(bytes).ok()
}
