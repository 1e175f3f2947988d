//! The jobs of a launch, as SkyPilot tells them.

use cloud::launches::Launched;
use cloud::sky::Job;

/// The head and the workers, as far as they are known.
pub(super) struct Jobs {
    pub(super) head: Option<Job>,
    /// In the order of their numbers.
    pub(super) workers: Vec<Job>,
}

impl Jobs {
    /// Those of a launch.
    pub(super) fn of(launched: &Launched, queue: &[Job]) -> Self {
        let named = |name: String| {
            let own = queue.iter().filter(|job| job.name == name).cloned();
            let mut own: Vec<Job> = own.collect();
            own.sort_by_key(|job| job.id);
            own
        };
        Self {
            head: named(launched.head_job()).pop(),
            workers: named(launched.worker_job()),
        }
    }

    /// All of them, the head first.
    pub(super) fn all(&self) -> impl Iterator<Item = &Job> {
        self.head.iter().chain(&self.workers)
    }

    /// Numbers of those that still have a machine, or wait for one.
    pub(super) fn alive(&self) -> Vec<u64> {
        let alive = self.all().filter(|job| !job.state.is_over());
        alive.map(|job| job.id).collect()
    }
}
