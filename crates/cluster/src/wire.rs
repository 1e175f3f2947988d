//! Messages between coordinators and workers, and their subjects.
//!
//! A coordinator sends orders to each worker under the worker's own subject, and workers send under theirs. A message says nothing of
//! its sender: that stands in its subject, and the server sees to it that it is true.

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Version and source hash, which must be the same on all machines that work together.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("GAMETE_SOURCES"));

/// Workers answer this with their presence.
pub const WHO: &str = "gamete.who";

/// The last word of the subject of a worker's presence; instead of a session.
pub const PRESENCE: &str = "presence";

/// The subject of orders to a worker.
#[must_use]
pub fn orders_to(worker: &str) -> String {
    format!("gamete.orders.{worker}")
}

/// The subject of what a worker sends to the session of a coordinator, or its presence.
#[must_use]
pub fn sent_by(worker: &str, to: &str) -> String {
    format!("gamete.worker.{worker}.{to}")
}

/// The worker of such a subject.
#[must_use]
pub fn sender(subject: &str) -> Option<&str> {
    let mut words = subject.strip_prefix("gamete.worker.")?.split('.');
    words.next()
}

/// The subject of a coordinator's report.
#[must_use]
pub fn report_of(key: &str) -> String {
    format!("gamete.coordinator.{key}")
}

/// What a coordinator tells a worker.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Order {
    /// Do these jobs.
    Do(Task),
    /// Say which chunks of the batch you hold.
    List {
        /// The coordinator's session.
        session: String,
        /// The batch.
        batch: u64,
        /// The number of this request.
        request: u64,
    },
    /// Nothing of this batch is needed any more.
    Forget {
        /// The coordinator's session.
        session: String,
        /// The batch.
        batch: u64,
    },
    /// You cannot work for this study.
    Refuse {
        /// The study.
        study: String,
        /// The version it needs.
        version: String,
    },
}

/// A chunk of jobs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Task {
    /// Identifies the study's jobs; the same for all its sessions.
    pub key: String,
    /// The coordinator's session.
    pub session: String,
    /// The batch.
    pub batch: u64,
    /// The chunk.
    pub chunk: u64,
    /// Number of jobs.
    pub jobs: u32,
    /// Whether it may have crashed workers, and should run in a separate process.
    pub apart: bool,
    /// The jobs.
    pub body: Bytes,
}

/// What a worker sends to a coordinator.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Message {
    /// A chunk is done.
    Answer(Answer),
    /// The chunks of a batch that it holds, after it has read everything that was sent to it before the request.
    Holds {
        /// The batch.
        batch: u64,
        /// The number of the request.
        request: u64,
        /// The chunks.
        chunks: Vec<u64>,
    },
    /// Chunks that it will not do, since it leaves.
    Returns {
        /// The batch.
        batch: u64,
        /// The chunks.
        chunks: Vec<u64>,
    },
}

impl Message {
    /// The batch that it is about.
    #[must_use]
    pub fn batch(&self) -> u64 {
        match self {
            Self::Answer(Answer { batch, .. })
            | Self::Holds { batch, .. }
            | Self::Returns { batch, .. } => *batch,
        }
    }
}

/// The answer to a task.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Answer {
    /// The batch.
    pub batch: u64,
    /// The chunk.
    pub chunk: u64,
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

/// The most cores that a worker is believed to have.
pub const MOST_CORES: usize = 1024;
/// The longest name of a worker that is shown.
const LONGEST_NAME: usize = 64;

/// A worker's periodic status.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Presence {
    /// Its public key; of a presence that was received, that of its subject.
    #[serde(default)]
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

impl Presence {
    /// Reads a presence and believes no more of it than can be: whose it is says the subject, and numbers and texts have limits.
    #[must_use]
    pub fn read(subject: &str, payload: &[u8]) -> Option<Self> {
        let told: Self = serde_json::from_slice(payload).ok()?;
        let rate = |value: f64| match value.is_finite() {
            true => value.clamp(0.0, 1e12),
            false => 0.0,
        };
        Some(Self {
            id: sender(subject)?.to_owned(),
            name: shown(&told.name),
            version: shown(&told.version),
            cores: told.cores.clamp(1, MOST_CORES),
            held: told.held.min(1 << 20),
            jobs_per_second: rate(told.jobs_per_second),
            busy: rate(told.busy).min(1.0),
            seconds: rate(told.seconds),
            ..told
        })
    }
}

/// A text of others, as it may be shown: on one line, short, without control characters.
#[must_use]
pub fn shown(text: &str) -> String {
    let safe = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    safe.take(LONGEST_NAME).collect()
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
    /// Jobs in progress.
    pub on_their_way: u64,
    /// Jobs done twice, to compare.
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
