//! The jobs of a launch, from SkyPilot's queue.

use cloud::launches::Launch;
use cloud::sky::Job;

/// The head and the workers, as far as SkyPilot knows them.
pub(super) struct Jobs {
    pub(super) head: Option<Job>,
    /// Sorted by job number.
    pub(super) workers: Vec<Job>,
}

impl Jobs {
    /// The jobs of a launch.
    pub(super) fn of(launch: &Launch, queue: &[Job]) -> Self {
        let named = |name: String| {
            let own = queue.iter().filter(|job| job.name == name).cloned();
            let mut own: Vec<Job> = own.collect();
            own.sort_by_key(|job| job.id);
            own
        };
        Self {
            head: named(launch.head_job()).pop(),
            workers: named(launch.worker_job()),
        }
    }

    /// All jobs, the head first.
    pub(super) fn all(&self) -> impl Iterator<Item = &Job> {
        self.head.iter().chain(&self.workers)
    }

    /// Numbers of the jobs that have a machine or wait for one.
    pub(super) fn alive(&self) -> Vec<u64> {
        let alive = self.all().filter(|job| !job.state.is_over());
        alive.map(|job| job.id).collect()
    }
}
