//! Work that would hold the server up, on threads where it may take its time.

use crate::problem::Problem;

/// Does the work on a thread of its own.
pub(crate) async fn on_thread<T, F>(work: F) -> Result<T, Problem>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, Problem> + Send + 'static,
{
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Problem::failed("something went wrong that should not have")))
}
