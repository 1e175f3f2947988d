//! Where a run works: its directory, the threads, who listens, and when to save.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::checkpoint::CheckpointError;
use super::event::{Event, Observer};
use super::file::FileError;
use super::ledger::LedgerError;
use super::status::{State, Status};
use crate::evolution::evaluator::EvaluatorError;
use crate::evolution::external::ExternalError;
use crate::evolution::{EvolutionError, Generation};
use evolve::ConfigError;
use play::error::DispatchError;
use play::playing::{PlayError, Workers};

/// Why a run is not over.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It was stopped, and can go on.
    #[error("stopped; 'gamete resume' continues")]
    Interrupted,
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A ledger cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The algorithm cannot be set like that.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Games could not be played.
    #[error(transparent)]
    Play(PlayError),
    /// A program gave no fitness.
    #[error(transparent)]
    External(#[from] ExternalError),
}

impl From<PlayError> for RunError {
    fn from(error: PlayError) -> Self {
        match error {
            // Workers elsewhere stop in the middle of a generation.
            PlayError::Dispatch(DispatchError::Stopped) => Self::Interrupted,
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

/// What a run is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunName {
    /// The study and the run: `my-study/s2-r1`.
    pub id: String,
    /// Its setting.
    pub setting: String,
    /// Its repeat, from 1.
    pub repeat: u32,
}

/// What all runs of a study share.
#[derive(Clone, Copy)]
pub struct RunServices<'a> {
    /// Threads that play.
    pub workers: &'a Workers,
    /// Who listens.
    pub observer: &'a dyn Observer,
    /// Becomes true when runs are to save and stop.
    pub stop: &'a AtomicBool,
    /// States are saved at most this often.
    pub save_every: Duration,
}

/// Where a run works.
pub struct RunContext<'a> {
    /// The run.
    pub run: &'a RunName,
    directory: PathBuf,
    services: RunServices<'a>,
    /// How it is getting on.
    pub status: Status,
    /// Time it worked before it was resumed.
    before: f64,
    started: Instant,
    saved: Option<Instant>,
    /// What the last saving took.
    saving: Duration,
}

/// The file of the status.
pub const STATUS: &str = "status.json";

/// Saving may take this part of the time between two savings.
const SAVING_SHARE: u32 = 100;

impl<'a> RunContext<'a> {
    /// Opens the context of a run; what its status says is gone on with.
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

    /// Is it to save and stop?
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.services.stop.load(Ordering::Relaxed)
    }

    /// What becomes true when it is to stop.
    #[must_use]
    pub fn stop(&self) -> &'a AtomicBool {
        self.services.stop
    }

    /// Time it has worked, before it was resumed and since.
    #[must_use]
    pub fn worked(&self) -> Duration {
        Duration::from_secs_f64(self.before) + self.started.elapsed()
    }

    /// Time since it was begun or resumed.
    #[must_use]
    pub fn since_resumed(&self) -> Duration {
        self.started.elapsed()
    }

    /// To be called after every game.
    pub fn game_over(&self) {
        self.services.observer.game_over(&self.run.id);
    }

    /// Tells that the run begins or goes on.
    pub fn begin(&mut self, done: u64, of: u64) {
        (self.status.done, self.status.of) = (done, of);
        self.hear(&Event::RunBegan {
            run: self.run.id.clone(),
            setting: self.run.setting.clone(),
            repeat: self.run.repeat,
            done,
            of,
        });
    }

    /// Tells what a person should know.
    pub fn note(&self, text: impl Into<String>) {
        self.hear(&Event::Note {
            run: self.run.id.clone(),
            text: text.into(),
        });
    }

    /// Tells of something that happened.
    pub fn hear(&self, event: &Event) {
        self.services.observer.hear(event);
    }

    /// A generation is over.
    pub fn generation_over(&mut self, generation: &Generation) {
        self.status.best = Some(generation.best);
        self.status.mean = Some(generation.mean);
        self.status.games = generation.games;
        self.progress(u64::from(generation.number) + 1);
    }

    /// So much is done.
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

    /// This many of the games by which the champion is measured are over; the steps of the run are counted apart.
    pub fn measuring(&self, done: u64, of: u64) {
        let run = self.run.id.clone();
        self.hear(&Event::Measuring { run, done, of });
    }

    /// Is it time to save? Not more often than wanted, and not so often that saving takes more than a hundredth of the time.
    #[must_use]
    pub fn is_saving_due(&self) -> bool {
        let pause = match self.services.save_every {
            Duration::ZERO => Duration::ZERO,
            every => every.max(self.saving * SAVING_SHARE),
        };
        self.saved.is_none_or(|saved| saved.elapsed() >= pause)
    }

    /// Saves whatever is to be saved, and the status.
    pub fn save(&mut self, save: impl FnOnce() -> Result<(), RunError>) -> Result<(), RunError> {
        let began = Instant::now();
        save()?;
        self.write_status()?;
        self.saved = Some(Instant::now());
        self.saving = began.elapsed();
        Ok(())
    }

    /// Writes how it is getting on.
    pub fn write_status(&mut self) -> Result<(), FileError> {
        self.status.seconds = self.worked().as_secs_f64();
        let path = self.path(STATUS);
        self.status.write(&path)
    }
}
