//! SkyPilot's queue of managed jobs.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A managed job.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Job {
    /// Its number.
    pub id: u64,
    /// The name it was launched with.
    pub name: String,
    /// Its state.
    pub state: JobState,
    /// Seconds it has run.
    pub seconds: f64,
    /// How often its machine was lost and replaced.
    pub recoveries: u64,
}

/// The state of a job, as SkyPilot calls it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct JobState(pub String);

impl JobState {
    /// Has the job ended, successfully or not? Then it has no machine any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_done() || self.0 == "CANCELLED" || self.0.starts_with("FAILED")
    }

    /// Has it succeeded?
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.0 == "SUCCEEDED"
    }
}

#[derive(Deserialize)]
struct Record {
    job_id: Option<u64>,
    job_name: Option<String>,
    status: Option<String>,
    job_duration: Option<f64>,
    recovery_count: Option<u64>,
}

/// The jobs in an answer; an error says what is wrong with it.
pub(super) fn jobs(answer: &Value) -> Result<Vec<Job>, String> {
    let records = Vec::<Record>::deserialize(answer).map_err(|error| error.to_string())?;
    records.into_iter().map(Record::job).collect()
}

impl Record {
    fn job(self) -> Result<Job, String> {
        Ok(Job {
            id: self.job_id.ok_or("a job has no job_id")?,
            name: self.job_name.unwrap_or_default(),
            state: JobState(self.status.ok_or("a job has no status")?),
            seconds: self.job_duration.unwrap_or(0.0),
            recoveries: self.recovery_count.unwrap_or(0),
        })
    }
}
