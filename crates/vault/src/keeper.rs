//! Keeps a directory while others work in it: a thread that makes snapshots now and then.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::error::VaultError;
use crate::writer::Writer;

/// What a keeper tells.
#[derive(Debug)]
pub enum Notice {
    /// The store cannot be had. Work goes on, and is kept when the store is back.
    Away(VaultError),
    /// The store is back, and everything is kept.
    Back,
    /// Another process has taken over: work must stop. [`Keeper::finish`] says more.
    Lost,
}

/// Makes snapshots until it is told to finish.
#[derive(Debug)]
pub struct Keeper {
    finish: Sender<()>,
    thread: JoinHandle<Result<(), VaultError>>,
}

/// Blobs that nobody needs are removed with every so many snapshots, and at the end.
const SWEEP_EVERY: u64 = 20;
/// The last snapshot is tried so often, with a pause in between.
const LAST_TRIES: u32 = 3;
const LAST_PAUSE: Duration = Duration::from_secs(2);

impl Keeper {
    /// Makes the first snapshot at once and then one at most every so often, while something changes. `hear` is told what happens.
    #[must_use]
    pub fn start(writer: Writer, every: Duration, hear: impl Fn(Notice) + Send + 'static) -> Self {
        let (finish, told) = mpsc::channel();
        let work = move || {
            Work {
                writer,
                away: false,
                hear: Box::new(hear),
            }
            .keep(every, &told)
        };
        Self {
            finish,
            thread: thread::spawn(work),
        }
    }

    /// Makes a last snapshot. An error means that the newest state is not kept: the store is away, or another process has taken over.
    pub fn finish(self) -> Result<(), VaultError> {
        // A thread that has lost its race is over already, and says so when it is joined.
        let _ = self.finish.send(());
        self.thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

struct Work {
    writer: Writer,
    away: bool,
    hear: Box<dyn Fn(Notice) + Send>,
}

impl Work {
    fn keep(mut self, every: Duration, told: &Receiver<()>) -> Result<(), VaultError> {
        loop {
            self.now_and_then()?;
            match told.recv_timeout(every) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return self.end(),
            }
        }
    }

    /// A snapshot that may fail: only a lost race ends the keeping.
    fn now_and_then(&mut self) -> Result<(), VaultError> {
        match self.keep_once() {
            Ok(()) if self.away => {
                self.away = false;
                (self.hear)(Notice::Back);
            }
            Ok(()) => {}
            Err(error) if error.is_race() => {
                (self.hear)(Notice::Lost);
                return Err(error);
            }
            Err(error) if !self.away => {
                self.away = true;
                (self.hear)(Notice::Away(error));
            }
            Err(_) => {}
        }
        Ok(())
    }

    fn keep_once(&mut self) -> Result<(), VaultError> {
        match self.writer.snapshot()? {
            Some(number) if number % SWEEP_EVERY == 0 => self.writer.sweep(),
            _ => Ok(()),
        }
    }

    fn end(mut self) -> Result<(), VaultError> {
        let mut last = self.writer.snapshot();
        for _ in 1..LAST_TRIES {
            match &last {
                Err(error) if !error.is_race() => thread::sleep(LAST_PAUSE),
                _ => break,
            }
            last = self.writer.snapshot();
        }
        last?;
        // Everything is kept; what is too much can be removed another time.
        let _ = self.writer.sweep();
        Ok(())
    }
}
