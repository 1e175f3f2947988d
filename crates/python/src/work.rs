//! Long work: on other threads, with the interpreter released, while this one listens to Ctrl-C and tells how far it is.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use players::Cancelled;
use pyo3::prelude::*;

/// How often Python may say something.
const PAUSE: Duration = Duration::from_millis(50);

/// What the work and the thread that waits for it know of each other.
#[derive(Default)]
pub(crate) struct Watch {
    /// Becomes true when the work is to end.
    pub(crate) stop: Cancelled,
    done: AtomicU64,
    failure: Mutex<Option<PyErr>>,
}

impl Watch {
    /// Another part is done.
    pub(crate) fn count(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Ends the work with this exception; the first one counts.
    pub(crate) fn fail(&self, error: PyErr) {
        self.failure
            .lock()
            .expect("mutex poisoned")
            .get_or_insert(error);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Has the work been told to end?
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The exception that ended the work.
    pub(crate) fn failure(&self) -> Option<PyErr> {
        self.failure.lock().expect("mutex poisoned").take()
    }

    /// Signals that have come, and progress, a function that is called with the parts done so far.
    fn look(&self, progress: Option<&Py<PyAny>>) {
        let looked = Python::attach(|py| {
            py.check_signals()?;
            let done = self.done.load(Ordering::Relaxed);
            progress.map_or(Ok(()), |progress| progress.call1(py, (done,)).map(drop))
        });
        if let Err(error) = looked {
            self.fail(error);
        }
    }
}

/// Does the work and returns its result, or the exception that ended it.
pub(crate) fn conduct<T: Send>(
    py: Python<'_>,
    watch: &Arc<Watch>,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let result = py.detach(|| {
        std::thread::scope(|scope| {
            let (ended, waiting) = channel();
            let worker = scope.spawn(move || {
                let result = work();
                // Whoever waits is there until it hears this.
                let _ = ended.send(());
                result
            });
            while waiting.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                watch.look(progress.as_ref());
            }
            worker.join()
        })
    });
    if progress.is_some() {
        watch.look(progress.as_ref());
    }
    if let Some(error) = watch.failure() {
        return Err(error);
    }
    result.map_err(|panic| std::panic::resume_unwind(panic))
}
