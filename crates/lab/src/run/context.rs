//! The context of a run: its directory, threads, observer, and when to save.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::checkpoint::CheckpointError;
use super::event::{Event, Observer};
use super::file::FileError;
use super::ledger::LedgerError;
use super::status::{STATUS, State, Status};
use crate::evolution::evaluator::EvaluatorError;
use crate::evolution::external::ExternalError;
use crate::evolution::{EvolutionError, Generation};
use evolve::ConfigError;
use learn::PlanError;
use play::error::DispatchError;
use play::playing::{PlayError, Workers};
use players::Cancelled;

/// Why a run did not finish.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It was stopped, and can be resumed.
    #[error("stopped; 'gamete resume' continues")]
    Interrupted,
    /// A worker turned out to be wrong after games of its were used: they are removed, and the run goes on without them.
    #[error("games of the worker {0} were used, and it has returned a wrong result since")]
    Distrusted(String),
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A ledger cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Invalid settings of the algorithm.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Games could not be played.
    #[error(transparent)]
    Play(PlayError),
    /// An external program gave no fitness.
    #[error(transparent)]
    External(#[from] ExternalError),
    /// A network does not fit the game.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A network does not fit into memory.
    #[error(
        "the network {network} needs {needed} with {method}, and this machine has {available} left; td needs a third of what tc does"
    )]
    Memory {
        /// The network.
        network: String,
        /// What it needs.
        needed: String,
        /// The method.
        method: String,
        /// What there is.
        available: String,
    },
    /// It was finished before, and files of it are damaged.
    #[error("{0}")]
    Damaged(String),
    /// A bug.
    #[error("internal error: {0}")]
    Panicked(String),
}

impl RunError {
    /// The error of a run that panicked.
    pub(crate) fn of_panic(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Self::Panicked(text.unwrap_or("it panicked").to_owned())
    }
}

impl From<PlayError> for RunError {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Stopped | PlayError::Dispatch(DispatchError::Stopped) => Self::Interrupted,
            PlayError::Dispatch(DispatchError::Distrusted(workers)) => Self::Distrusted(workers),
            other => Self::Play(other),
        }
    }
}

impl From<EvaluatorError> for RunError {
    fn from(error: EvaluatorError) -> Self {
        match error {
            EvaluatorError::Play(error) => error.into(),
            EvaluatorError::External(error) => error.into(),
        }
    }
}

impl From<EvolutionError> for RunError {
    fn from(error: EvolutionError) -> Self {
        match error {
            EvolutionError::Config(error) => error.into(),
            EvolutionError::Evaluator(error) => error.into(),
        }
    }
}

/// The name of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunName {
    /// The study and the run: `my-study/s2-r1`.
    pub id: String,
    /// Its setting.
    pub setting: Arc<str>,
    /// Its repeat, from 1.
    pub repeat: u32,
}

/// Services shared by all runs of a study.
#[derive(Clone, Copy)]
pub struct RunServices<'a> {
    /// Threads that play. When they stop, runs save and stop.
    pub workers: &'a Workers,
    /// Threads for what a run does by itself: its share of all, as several runs go on side by side.
    pub own_threads: usize,
    /// Workers whose games are not used.
    pub distrusted: &'a [String],
    /// Gets the events.
    pub observer: &'a dyn Observer,
    /// States are saved at most this often.
    pub save_every: Duration,
}

/// The context of a run.
pub struct RunContext<'a> {
    /// The run.
    pub run: &'a RunName,
    directory: PathBuf,
    services: RunServices<'a>,
    /// Its progress.
    pub status: Status,
    /// Time it worked before it was resumed.
    before: f64,
    started: Instant,
    saved: Option<Instant>,
    /// Duration of the last save.
    saving: Duration,
    status_written: Instant,
}

/// How often a status is written between two saves.
const STATUS_EVERY: Duration = Duration::from_secs(1);
/// Saving may take at most one part in this many of the time between two saves.
const SAVING_SHARE: u32 = 100;

impl<'a> RunContext<'a> {
    /// Opens the context of a run, continuing from its saved status.
    pub fn open(
        run: &'a RunName,
        directory: &Path,
        services: RunServices<'a>,
    ) -> Result<Self, FileError> {
        let (status, damage) = Status::recover(&directory.join(STATUS))?;
        let mut status = status.unwrap_or_else(|| Status::begin(services.workers.threads()));
        status.state = State::Running;
        status.attempts += 1;
        status.error = None;
        status.threads = services.workers.threads();
        let now = Instant::now();
        let context = Self {
            run,
            directory: directory.to_owned(),
            services,
            before: status.seconds,
            status,
            started: now,
            saved: None,
            saving: Duration::ZERO,
            status_written: now,
        };
        damage.into_iter().for_each(|text| context.note(text));
        Ok(context)
    }

    /// A file of the run.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// The threads.
    #[must_use]
    pub fn workers(&self) -> &'a Workers {
        self.services.workers
    }

    /// Threads for the work that only this run does.
    #[must_use]
    pub fn own_threads(&self) -> usize {
        self.services.own_threads
    }

    /// Is this a worker whose games are not used?
    #[must_use]
    pub fn is_distrusted(&self, worker: &str) -> bool {
        self.services.distrusted.iter().any(|one| one == worker)
    }

    /// Should it save and stop?
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.services.workers.is_stopped()
    }

    /// Becomes true when it should stop.
    #[must_use]
    pub fn stop(&self) -> &'a Cancelled {
        self.services.workers.stop()
    }

    /// Time worked, before it was resumed and since.
    #[must_use]
    pub fn worked(&self) -> Duration {
        Duration::from_secs_f64(self.before) + self.started.elapsed()
    }

    /// Time since it was started or resumed.
    #[must_use]
    pub fn since_resumed(&self) -> Duration {
        self.started.elapsed()
    }

    /// To be called after every game.
    pub fn game_over(&self) {
        self.services.observer.game_over(&self.run.id);
    }

    /// Reports that the run starts or resumes.
    pub fn begin(&mut self, done: u64, of: u64) {
        (self.status.done, self.status.of) = (done, of);
        self.hear(&Event::RunBegan {
            run: self.run.id.clone(),
            setting: self.run.setting.to_string(),
            repeat: self.run.repeat,
            done,
            of,
        });
    }

    /// Reports a note for the user.
    pub fn note(&self, text: impl Into<String>) {
        self.hear(&Event::Note {
            run: self.run.id.clone(),
            text: text.into(),
        });
    }

    /// Passes on an event.
    pub fn hear(&self, event: &Event) {
        self.services.observer.hear(event);
    }

    /// A generation is over.
    pub fn generation_over(&mut self, generation: &Generation) {
        self.block_over(generation, u64::from(generation.number) + 1);
    }

    /// A block of steps is over, and so many are done.
    pub fn block_over(&mut self, block: &Generation, done: u64) {
        self.status.best = Some(block.best);
        self.status.mean = Some(block.mean);
        self.status.games = block.games;
        self.progress(done);
    }

    /// Reports progress.
    pub fn progress(&mut self, done: u64) {
        self.status.done = done;
        self.status.seconds = self.worked().as_secs_f64();
        self.hear(&Event::Progress {
            run: self.run.id.clone(),
            done,
            of: self.status.of,
            best: self.status.best,
            mean: self.status.mean,
            games: self.status.games,
            seconds: self.status.seconds,
        });
    }

    /// Reports finished games of the champion's measurement, which are counted separately from the steps of the run.
    pub fn measuring(&self, done: u64, of: u64) {
        let run = self.run.id.clone();
        self.hear(&Event::Measuring { run, done, of });
    }

    /// Is it time to save? Not more often than configured, nor so often that saving takes more than 1 % of the time.
    #[must_use]
    pub fn is_saving_due(&self) -> bool {
        let pause = match self.services.save_every {
            Duration::ZERO => Duration::ZERO,
            every => every.max(self.saving * SAVING_SHARE),
        };
        self.saved.is_none_or(|saved| saved.elapsed() >= pause)
    }

    /// Calls `save`, then writes the status.
    pub fn save(&mut self, save: impl FnOnce() -> Result<(), RunError>) -> Result<(), RunError> {
        let began = Instant::now();
        save()?;
        self.write_status()?;
        self.saved = Some(Instant::now());
        self.saving = began.elapsed();
        Ok(())
    }

    /// Writes the status where the state is saved so seldom that whoever looks would see an old one.
    pub fn refresh_status(&mut self) -> Result<(), FileError> {
        match self.status_written.elapsed() >= STATUS_EVERY {
            true => self.write_status(),
            false => Ok(()),
        }
    }

    /// Writes the status.
    pub fn write_status(&mut self) -> Result<(), FileError> {
        self.status.seconds = self.worked().as_secs_f64();
        self.status_written = Instant::now();
        let path = self.path(STATUS);
        self.status.write(&path)
    }
}
