//! Searches for the page: a limited number at a time, each until its time is over, a newer one of the same tab begins, or the client is gone.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::problem::Problem;
use crate::threads::on_thread;

/// Set when nobody waits for the result any more.
pub(crate) type Cancelled = Arc<AtomicBool>;

/// All running searches.
#[derive(Debug)]
pub(crate) struct Searches {
    free: Arc<Semaphore>,
    most: usize,
    /// Whoever does not stop at once when its time is over is waited for so much longer.
    grace: Duration,
    tabs: Mutex<HashMap<String, Cancelled>>,
}

impl Searches {
    pub(crate) fn new(most: usize, grace: Duration) -> Self {
        Self {
            free: Arc::new(Semaphore::new(most)),
            most,
            grace,
            tabs: Mutex::default(),
        }
    }

    /// Runs `work` on a thread of its own.
    pub(crate) async fn think<T, F>(
        &self,
        tab: Option<&str>,
        time: Duration,
        work: F,
    ) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: FnOnce(&Cancelled) -> Result<T, Problem> + Send + 'static,
    {
        let search = self.begin(tab)?;
        let cancelled = Arc::clone(&search.cancelled);
        let permit = self.permit()?;
        let thinking = on_thread(move || {
            // Held until the thread is free again, even if cancelled.
            let _permit = permit;
            work(&cancelled)
        });
        let most = time + self.grace;
        let answer = tokio::time::timeout(most, thinking).await;
        if search.cancelled.load(Ordering::Relaxed) {
            return Err(Problem::conflict(
                "cancelled by a newer search of the same tab",
            ));
        }
        answer.map_err(|_| {
            let most = most.as_secs();
            Problem::too_many(format!("not finished within the limit of {most} s"))
        })?
    }

    /// A permit for one search, for work on a thread of its own.
    pub(crate) fn permit(&self) -> Result<tokio::sync::OwnedSemaphorePermit, Problem> {
        let permit = Arc::clone(&self.free).try_acquire_owned();
        permit.map_err(|_| {
            let most = self.most;
            Problem::too_many(format!(
                "{most} searches are running already; try again soon"
            ))
        })
    }

    /// Begins a search, and cancels the previous one of the same tab.
    fn begin(&self, tab: Option<&str>) -> Result<Search<'_>, Problem> {
        let cancelled = Cancelled::default();
        if let Some(tab) = tab {
            if tab.len() > 100 {
                return Err(Problem::bad("the name of the tab is too long").at("tab"));
            }
            let mut tabs = self.tabs.lock().expect("mutex poisoned");
            if let Some(older) = tabs.insert(tab.to_owned(), Arc::clone(&cancelled)) {
                older.store(true, Ordering::Relaxed);
            }
        }
        Ok(Search {
            searches: self,
            tab: tab.map(str::to_owned),
            cancelled,
        })
    }
}

/// A search that a client waits for. A closed connection drops and so cancels it.
struct Search<'a> {
    searches: &'a Searches,
    tab: Option<String>,
    cancelled: Cancelled,
}

impl Drop for Search<'_> {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
        if let Some(tab) = &self.tab
            && let Ok(mut tabs) = self.searches.tabs.lock()
            && tabs
                .get(tab)
                .is_some_and(|last| Arc::ptr_eq(last, &self.cancelled))
        {
            tabs.remove(tab);
        }
    }
}
