//! Work for the page: a limited number at a time, each until its time is over, a newer one of the same tab begins, or the client is gone.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(crate) use players::Cancelled;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::Problem;
use crate::threads::on_thread;

/// Requests that read something large (a study, a replay) at the same time; the others wait.
const MOST_READING: usize = 2;

/// Replays that clients send at the same time.
const MOST_UPLOADS: usize = 2;

/// All running searches.
#[derive(Debug)]
pub(crate) struct Searches {
    free: Arc<Semaphore>,
    most: usize,
    reading: Arc<Semaphore>,
    uploads: Arc<Semaphore>,
    /// Whoever does not stop at once when its time is over is waited for so much longer.
    grace: Duration,
    tabs: Mutex<HashMap<String, Cancelled>>,
}

/// Held by the thread that works, until it has stopped.
pub(crate) type Place = OwnedSemaphorePermit;

/// Work that somebody waits for. Dropped with the connection, it is cancelled.
#[derive(Debug, Default)]
pub(crate) struct Wanted(Cancelled);

impl Wanted {
    /// Becomes true when nobody waits any more.
    pub(crate) fn cancelled(&self) -> &Cancelled {
        &self.0
    }
}

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Searches {
    pub(crate) fn new(most: usize, grace: Duration) -> Self {
        Self {
            free: Arc::new(Semaphore::new(most)),
            most,
            reading: Arc::new(Semaphore::new(MOST_READING)),
            uploads: Arc::new(Semaphore::new(MOST_UPLOADS)),
            grace,
            tabs: Mutex::default(),
        }
    }

    /// Runs `work` on a thread of its own, if there is a place for it.
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
        let thinking = work_at(self.place()?, &search.wanted, work);
        let most = time + self.grace;
        let answer = tokio::time::timeout(most, thinking).await;
        if search.wanted.cancelled().load(Ordering::Relaxed) {
            return Err(Problem::conflict(
                "cancelled by a newer search of the same tab",
            ));
        }
        answer.map_err(|_| {
            let most = most.as_secs();
            Problem::too_many(format!("not finished within the limit of {most} s"))
        })?
    }

    /// A place for a search, if there is one.
    pub(crate) fn place(&self) -> Result<Place, Problem> {
        let place = Arc::clone(&self.free).try_acquire_owned();
        place.map_err(|_| {
            let most = self.most;
            Problem::too_many(format!(
                "{most} searches are running already; try again soon"
            ))
        })
    }

    /// A place for a client that sends a replay, if there is one.
    pub(crate) fn upload(&self) -> Result<Place, Problem> {
        let place = Arc::clone(&self.uploads).try_acquire_owned();
        place.map_err(|_| {
            Problem::too_many(format!(
                "{MOST_UPLOADS} replays are being read already; try again soon"
            ))
        })
    }

    /// Waits for a place.
    pub(crate) async fn next_place(&self) -> Place {
        let place = Arc::clone(&self.free).acquire_owned().await;
        place.expect("the semaphore is never closed")
    }

    /// Runs `work`, which reads something large, on a thread of its own as soon as it is its turn.
    pub(crate) async fn read<T, F>(&self, work: F) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: FnOnce() -> Result<T, Problem> + Send + 'static,
    {
        let place = Arc::clone(&self.reading).acquire_owned().await;
        let place = place.expect("the semaphore is never closed");
        on_thread(move || {
            let _place = place;
            work()
        })
        .await
    }

    /// Begins a search, and cancels the previous one of the same tab.
    fn begin(&self, tab: Option<&str>) -> Result<Search<'_>, Problem> {
        let wanted = Wanted::default();
        if let Some(tab) = tab {
            if tab.len() > 100 {
                return Err(Problem::bad("the name of the tab is too long").at("tab"));
            }
            let mut tabs = self.tabs.lock().expect("mutex poisoned");
            if let Some(older) = tabs.insert(tab.to_owned(), Arc::clone(wanted.cancelled())) {
                older.store(true, Ordering::Relaxed);
            }
        }
        Ok(Search {
            searches: self,
            tab: tab.map(str::to_owned),
            wanted,
        })
    }
}

/// Runs `work` on a thread of its own, which leaves the place when it has stopped, even if nobody waits any more.
pub(crate) async fn work_at<T, F>(place: Place, wanted: &Wanted, work: F) -> Result<T, Problem>
where
    T: Send + 'static,
    F: FnOnce(&Cancelled) -> Result<T, Problem> + Send + 'static,
{
    let cancelled = Arc::clone(wanted.cancelled());
    on_thread(move || {
        let _place = place;
        work(&cancelled)
    })
    .await
}

/// A search that a client waits for. A closed connection drops and so cancels it.
struct Search<'a> {
    searches: &'a Searches,
    tab: Option<String>,
    wanted: Wanted,
}

impl Drop for Search<'_> {
    fn drop(&mut self) {
        if let Some(tab) = &self.tab
            && let Ok(mut tabs) = self.searches.tabs.lock()
            && tabs
                .get(tab)
                .is_some_and(|last| Arc::ptr_eq(last, self.wanted.cancelled()))
        {
            tabs.remove(tab);
        }
    }
}
