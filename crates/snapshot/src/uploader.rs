//! Backs up a directory while others work in it: a thread that takes snapshots at intervals.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::error::SnapshotError;
use crate::writer::Writer;

/// What an uploader reports.
#[derive(Debug)]
pub enum Notice {
    /// Snapshots fail. Work can continue; it is backed up once the store is available again.
    Unavailable(SnapshotError),
    /// The store is available again, and everything is backed up.
    Recovered,
    /// Another process has taken over: work must stop. [`Uploader::finish`] says more.
    TakenOver,
}

/// Takes snapshots until it is told to finish.
#[derive(Debug)]
pub struct Uploader {
    finish: Sender<()>,
    thread: JoinHandle<Result<(), SnapshotError>>,
}

/// Unreferenced blobs are deleted after this many snapshots, and at the end.
const PRUNE_EVERY: u64 = 20;
/// How often to try the last snapshot, with a pause between attempts.
const LAST_ATTEMPTS: u32 = 3;
const LAST_PAUSE: Duration = Duration::from_secs(2);

impl Uploader {
    /// Takes the first snapshot at once, then one per interval if anything has changed. `report` is called from the uploader's thread.
    #[must_use]
    pub fn start(
        writer: Writer,
        interval: Duration,
        report: impl Fn(Notice) + Send + 'static,
    ) -> Self {
        let (finish, finished) = mpsc::channel();
        let uploads = Uploads {
            writer,
            is_unavailable: false,
            report: Box::new(report),
        };
        Self {
            finish,
            thread: thread::spawn(move || uploads.run(interval, &finished)),
        }
    }

    /// Takes a last snapshot. An error means that the latest state is not backed up: the store is unavailable, or another process has taken over.
    pub fn finish(self) -> Result<(), SnapshotError> {
        // A thread that lost its race has ended already; its result says so.
        let _ = self.finish.send(());
        self.thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// What the thread works with.
struct Uploads {
    writer: Writer,
    is_unavailable: bool,
    report: Box<dyn Fn(Notice) + Send>,
}

impl Uploads {
    fn run(mut self, interval: Duration, finished: &Receiver<()>) -> Result<(), SnapshotError> {
        loop {
            self.try_snapshot()?;
            match finished.recv_timeout(interval) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return self.finish(),
            }
        }
    }

    /// A snapshot that may fail: only a lost race ends the thread.
    fn try_snapshot(&mut self) -> Result<(), SnapshotError> {
        match self.snapshot_and_prune() {
            Ok(()) if self.is_unavailable => {
                self.is_unavailable = false;
                (self.report)(Notice::Recovered);
            }
            Ok(()) => {}
            Err(error) if error.is_taken_over() => {
                (self.report)(Notice::TakenOver);
                return Err(error);
            }
            Err(error) if !self.is_unavailable => {
                self.is_unavailable = true;
                (self.report)(Notice::Unavailable(error));
            }
            Err(_) => {}
        }
        Ok(())
    }

    fn snapshot_and_prune(&mut self) -> Result<(), SnapshotError> {
        match self.writer.snapshot()? {
            Some(number) if number % PRUNE_EVERY == 0 => self.writer.prune(),
            _ => Ok(()),
        }
    }

    fn finish(mut self) -> Result<(), SnapshotError> {
        let mut last = self.writer.snapshot();
        for _ in 1..LAST_ATTEMPTS {
            match &last {
                Err(error) if !error.is_taken_over() => thread::sleep(LAST_PAUSE),
                _ => break,
            }
            last = self.writer.snapshot();
        }
        last?;
        // Everything is backed up; garbage can be deleted another time.
        let _ = self.writer.prune();
        Ok(())
    }
}
