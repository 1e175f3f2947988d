//! Blocking work, on threads made for it.

use crate::problem::Problem;

/// Does the work on a thread for blocking work.
pub(crate) async fn on_thread<T, F>(work: F) -> Result<T, Problem>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, Problem> + Send + 'static,
{
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Problem::failed("internal error: a task panicked")))
}
