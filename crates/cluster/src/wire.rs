//! What coordinators and workers say to each other, and where.

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Who computes: machines that work together must have the same version and sources.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("GAMETE_SOURCES"));

/// How they talk. It stands in the streams, so that others are told apart.
pub const PROTOCOL: &str = "1";
/// The key of a stream's metadata under which the protocol stands.
pub const PROTOCOL_KEY: &str = "gamete-protocol";

/// The stream of chunks that are to be done; whatever is done leaves it.
pub const TASKS: &str = "GAMETE_TASKS";
/// The stream of results: one a subject, and none is ever replaced.
pub const RESULTS: &str = "GAMETE_RESULTS";
/// The consumer from which all workers take chunks.
pub const WORKERS: &str = "workers";
/// Whoever hears this says that it is there.
pub const WHO: &str = "gamete.who";
/// Where inboxes of workers are: the only ones they may listen to.
pub const WORKER_INBOX: &str = "_INBOX.gamete.worker";

/// The subject under which a worker tells of itself.
#[must_use]
pub fn presence_of(worker: &str) -> String {
    format!("gamete.worker.{worker}")
}

/// The subject under which a coordinator tells of itself.
#[must_use]
pub fn report_of(errands: &str) -> String {
    format!("gamete.coordinator.{errands}")
}

/// Where a chunk and its result stand: whose it is, in which life of the coordinator, in which batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The errands' key.
    pub key: String,
    /// The coordinator's life.
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

    /// Where the result of a task is to go.
    #[must_use]
    pub fn result_of(task: &str) -> Option<String> {
        Self::read(task).map(|slot| slot.result())
    }
}

/// A chunk of jobs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Task {
    /// Who may do it.
    pub version: String,
    /// The study it belongs to.
    pub study: String,
    /// Only who has seen the task knows it, so that nobody else can answer.
    pub token: u64,
    /// After this many milliseconds without a word it is given to another worker.
    pub patience: u32,
    /// How many jobs.
    pub jobs: u32,
    /// The jobs.
    pub body: Bytes,
}

/// What came of a chunk.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Answer {
    /// Who did it.
    pub version: String,
    /// The study it belongs to.
    pub study: String,
    /// That of the task.
    pub token: u64,
    /// The worker.
    pub worker: String,
    /// Time it took.
    pub seconds: f64,
    /// What came out.
    pub outcome: Outcome,
}

/// What came out of a chunk.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Outcome {
    /// The results.
    Done(Bytes),
    /// It cannot be done, and why.
    Failed(String),
}

/// What a worker tells of itself now and then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Presence {
    /// Its id, which no other worker has.
    pub id: String,
    /// Its name, for people.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Chunks it does at once.
    pub cores: usize,
    /// Chunks it has now.
    pub held: usize,
    /// Chunks it has done.
    pub chunks: u64,
    /// Jobs it has done.
    pub jobs: u64,
    /// Jobs a second, lately.
    pub jobs_per_second: f64,
    /// The share of its cores that was busy lately.
    pub busy: f64,
    /// Time since it joined.
    pub seconds: f64,
    /// It is leaving, and takes nothing more.
    pub leaving: bool,
}

/// What a coordinator tells of itself now and then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The key of its errands.
    pub key: String,
    /// The study.
    pub study: String,
    /// Its version.
    pub version: String,
    /// Jobs that came back.
    pub jobs: u64,
    /// Jobs a second, lately.
    pub jobs_per_second: f64,
    /// Jobs that are on their way.
    pub on_their_way: u64,
    /// Results that were done again here to see whether they are right.
    pub checked: u64,
    /// Time since it began.
    pub seconds: f64,
}

/// As bytes.
pub fn pack<T: Serialize>(value: &T) -> Vec<u8> {
    rmp_serde::to_vec(value).expect("plain data can be written")
}

/// From bytes, if they are one.
#[must_use]
pub fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    rmp_serde::from_slice(bytes).ok()
}
