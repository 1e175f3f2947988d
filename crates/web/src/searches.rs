//! Players that think for the page: so many at a time, each until its time is over, a newer question of the same tab comes, or nobody waits any more.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::problem::Problem;
use crate::threads::on_thread;

/// Whether whoever asked has lost interest.
pub(crate) type Cancelled = Arc<AtomicBool>;

/// All players that are thinking.
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

    /// Lets `work` think on a thread of its own.
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
        let question = self.begin(tab)?;
        let cancelled = Arc::clone(&question.cancelled);
        let permit = self.permit()?;
        let thinking = on_thread(move || {
            // Held until the thread is free again, whether anybody waits or not.
            let _permit = permit;
            work(&cancelled)
        });
        let most = time + self.grace;
        let answer = tokio::time::timeout(most, thinking).await;
        if question.cancelled.load(Ordering::Relaxed) {
            return Err(Problem::conflict(
                "cancelled: a newer question of the same tab has come",
            ));
        }
        answer.map_err(|_| {
            let most = most.as_secs();
            Problem::too_many(format!(
                "this takes longer than the {most} s that it may take"
            ))
        })?
    }

    /// A place among those who think, for whoever does it on a thread of their own.
    pub(crate) fn permit(&self) -> Result<tokio::sync::OwnedSemaphorePermit, Problem> {
        let permit = Arc::clone(&self.free).try_acquire_owned();
        permit.map_err(|_| {
            let most = self.most;
            Problem::too_many(format!(
                "{most} players are thinking already; try again soon"
            ))
        })
    }

    /// Cancels what the tab asked before.
    fn begin(&self, tab: Option<&str>) -> Result<Question<'_>, Problem> {
        let cancelled = Cancelled::default();
        if let Some(tab) = tab {
            if tab.len() > 100 {
                return Err(Problem::bad("the name of the tab is too long").at("tab"));
            }
            let mut tabs = self.tabs.lock().expect("nobody panics with the tabs");
            if let Some(older) = tabs.insert(tab.to_owned(), Arc::clone(&cancelled)) {
                older.store(true, Ordering::Relaxed);
            }
        }
        Ok(Question {
            searches: self,
            tab: tab.map(str::to_owned),
            cancelled,
        })
    }
}

/// A question that somebody waits for. A connection that ends drops it, and with it the search.
struct Question<'a> {
    searches: &'a Searches,
    tab: Option<String>,
    cancelled: Cancelled,
}

impl Drop for Question<'_> {
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
