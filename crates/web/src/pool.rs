//! Workers on other machines, as the page shows them. The server is given a view of them when it is started.

use std::fmt::Debug;

use serde::Serialize;
use utoipa::ToSchema;

/// Looks at the workers.
pub trait PoolView: Debug + Send + Sync {
    /// Their state, or why it is not known.
    fn survey(&self) -> Result<PoolSurvey, String>;

    /// The same in the text format of Prometheus.
    fn metrics(&self) -> Result<String, String>;
}

/// The state of a pool.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PoolSurvey {
    /// The server.
    pub url: String,
    /// Cores of all workers that can be used.
    pub cores: usize,
    /// Jobs per second of all workers.
    pub jobs_per_second: f64,
    /// Chunks that wait for a worker.
    pub waiting: u64,
    /// Chunks that workers have.
    pub begun: u64,
    /// The share of the cores that is busy.
    pub efficiency: f64,
    /// The workers.
    pub workers: Vec<PoolWorker>,
    /// The studies that they play for.
    pub studies: Vec<PoolStudy>,
}

/// A worker.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PoolWorker {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its version, if that is why it is refused.
    pub refused_version: Option<String>,
    /// Games it plays at once.
    pub cores: usize,
    /// Jobs it has done.
    pub jobs: u64,
    /// Jobs per second, lately.
    pub jobs_per_second: f64,
    /// The share of its cores that was busy lately.
    pub busy: f64,
}

/// A study that workers play for.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PoolStudy {
    /// Its name.
    pub study: String,
    /// Jobs that came back.
    pub jobs: u64,
    /// Jobs per second, lately.
    pub jobs_per_second: f64,
    /// Jobs in progress.
    pub on_their_way: u64,
    /// Jobs that were done again to check them.
    pub checked: u64,
}
