//! An external program as the fitness function, asked in JSON lines.
//!
//! Several copies of the program run in parallel and are reused, so that each starts only once. A request depends only on
//! the seed, the generation and the game number, as games do: the number and order of copies change when a request
//! is sent, never its content. A copy that fails is killed and restarted, and the request is sent again.

mod answer;
mod error;
mod program;
mod settings;

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use evolve::{Candidate, Scores, Space};
use streams::derive;

pub use error::ExternalError;
pub use program::{Program, Programs};
pub use settings::{Genes, Goal, Settings, SettingsError};

use crate::evolution::fitness::game_number;
use answer::{Question, converse};
use error::Fault;
use play::bots::{Process, shell};

/// How long a copy may take to exit at the end.
const FAREWELL: Duration = Duration::from_secs(5);
/// Bits cut off a seed, so that it is an exact integer in every language (below 2^53).
const SEED_SHIFT: u32 = 11;

/// A program that scores genomes. Its copies run as long as this value exists.
#[derive(Debug)]
pub struct External {
    settings: Settings,
    /// The copies.
    copies: Mutex<Copies>,
    /// Signals that a copy is idle, or that another may be started.
    free: Condvar,
    /// The id of the next request.
    next_id: AtomicU64,
}

/// The copies of a program. Every request takes one, so there are never more than the settings allow.
#[derive(Debug, Default)]
struct Copies {
    /// Running and waiting for a request.
    idle: Vec<Process>,
    /// How many are answering or starting.
    busy: usize,
}

/// How often a thread waiting for a copy checks whether the answer is still needed.
const LOOK: Duration = Duration::from_millis(200);

impl External {
    /// The program of these settings. It is started with the first request.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self {
            settings,
            copies: Mutex::default(),
            free: Condvar::new(),
            next_id: AtomicU64::new(1),
        })
    }

    /// How the program is run.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The space of its genomes: real numbers that start in the range and may leave it.
    #[must_use]
    pub fn space(&self) -> Space {
        let Settings { low, high, .. } = self.settings;
        Space::reals(self.settings.genes.count(), low, high, false)
    }

    /// Sends one request, with the middle of the range: does the program answer at all?
    pub fn try_out(&self) -> Result<(), ExternalError> {
        let Settings { low, high, .. } = self.settings;
        let middle = vec![low / 2.0 + high / 2.0; self.settings.genes.count()];
        let question = Question {
            id: 0,
            genome: &middle,
            seed: 1,
        };
        self.ask(&question, &|| false).map(drop)
    }

    /// Scores candidates, in their order, by this many requests each; higher is better, whatever the goal
    /// ([`Goal::fitness`] converts back). With `common`, all candidates of a generation get the same seeds.
    /// `finished` is called after every answer, from any thread. Ends with an error when `stop` is true.
    ///
    /// # Panics
    /// If a genome is not one of [`space`](Self::space).
    pub fn score(
        &self,
        candidates: &[Candidate],
        games: u32,
        common: bool,
        seed: u64,
        stop: &AtomicBool,
        finished: &(dyn Fn() + Sync),
    ) -> Result<Vec<Scores>, ExternalError> {
        let questions = self.questions(candidates, games, common, seed);
        let fitness = self.ask_all(&questions, stop, finished)?;
        let mut scores = fitness
            .into_iter()
            .map(|fitness| self.settings.goal.score(fitness));
        let told = candidates.iter().map(|candidate| Scores {
            id: candidate.id,
            scores: scores.by_ref().take(games as usize).collect(),
        });
        Ok(told.collect())
    }

    /// The requests for the candidates, one after the other.
    fn questions<'a>(
        &self,
        candidates: &'a [Candidate],
        games: u32,
        common: bool,
        seed: u64,
    ) -> Vec<Question<'a>> {
        let count = candidates.len() as u64 * u64::from(games);
        let first = self.next_id.fetch_add(count, Ordering::Relaxed);
        let each = candidates
            .iter()
            .flat_map(|candidate| (0..games).map(move |game| (candidate, game)));
        (first..)
            .zip(each)
            .map(|(id, (candidate, game))| Question {
                id,
                genome: candidate.genome.reals(),
                seed: question_seed(candidate, game, common, seed),
            })
            .collect()
    }

    /// The answers, in the order of the requests.
    fn ask_all(
        &self,
        questions: &[Question],
        stop: &AtomicBool,
        finished: &(dyn Fn() + Sync),
    ) -> Result<Vec<f64>, ExternalError> {
        let next = AtomicUsize::new(0);
        let failure = OnceLock::new();
        let is_unwanted = || failure.get().is_some() || stop.load(Ordering::Relaxed);
        let work = || self.work(questions, &next, &failure, &is_unwanted, finished);
        let mut answers = thread::scope(|scope| {
            let others = self.settings.copies.min(questions.len()).saturating_sub(1);
            // If the system refuses threads, fewer copies do the same work.
            let others: Vec<_> = (0..others)
                .filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
                .collect();
            let mut answers = work();
            for other in others {
                let theirs = other.join();
                answers.extend(theirs.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            answers
        });
        if let Some(failure) = failure.into_inner() {
            return Err(failure);
        }
        answers.sort_unstable_by_key(|&(place, _)| place);
        Ok(answers.into_iter().map(|(_, fitness)| fitness).collect())
    }

    /// Takes one request after the other, until there are none or one has failed.
    fn work(
        &self,
        questions: &[Question],
        next: &AtomicUsize,
        failure: &OnceLock<ExternalError>,
        is_unwanted: &dyn Fn() -> bool,
        finished: &(dyn Fn() + Sync),
    ) -> Vec<(usize, f64)> {
        let mut answers = Vec::new();
        while failure.get().is_none() {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(question) = questions.get(place) else {
                break;
            };
            match self.ask(question, is_unwanted) {
                Ok(fitness) => answers.push((place, fitness)),
                Err(error) => {
                    // Only the first failure is reported: the others may follow from it.
                    let _ = failure.set(error);
                    break;
                }
            }
            finished();
        }
        answers
    }

    /// Retries until there is an answer, as often as the settings allow, unless it is no longer needed.
    fn ask(
        &self,
        question: &Question,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<f64, ExternalError> {
        let idle = self.take(is_unwanted).map_err(|fault| {
            let command = self.settings.command.clone();
            ExternalError::new(command, fault, 0, String::new(), question.line())
        })?;
        let result = self.ask_patiently(idle, question, is_unwanted);
        let mut copies = self.copies();
        copies.busy -= 1;
        let result = result.map(|(fitness, copy)| {
            copies.idle.push(copy);
            fitness
        });
        drop(copies);
        self.free.notify_one();
        result
    }

    /// The answer, and the copy that gave it. One that fails is killed.
    fn ask_patiently(
        &self,
        idle: Option<Process>,
        question: &Question,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<(f64, Process), ExternalError> {
        let line = question.line();
        let mut copy = idle.map_or_else(|| self.start(), Ok);
        let mut tries = 1;
        loop {
            match self.ask_copy(copy, question.id, &line, is_unwanted) {
                Ok(answer) => return Ok(answer),
                Err(_) if tries <= self.settings.retries && !is_unwanted() => tries += 1,
                Err((fault, last_words)) => {
                    let command = self.settings.command.clone();
                    return Err(ExternalError::new(command, fault, tries, last_words, line));
                }
            }
            // A new one: whatever killed this one may have killed the idle ones.
            copy = self.start();
        }
    }

    /// The answer of a copy; on failure the fault and the end of its standard error, and the copy is killed.
    fn ask_copy(
        &self,
        copy: io::Result<Process>,
        id: u64,
        line: &str,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<(f64, Process), (Fault, String)> {
        let mut copy = copy.map_err(|error| (Fault::NotStarted(error), String::new()))?;
        let time = self.settings.time_limit;
        match converse(&mut copy, id, line, time, is_unwanted) {
            Ok(fitness) => Ok((fitness, copy)),
            Err(fault) => Err((fault, copy.last_words())),
        }
    }

    fn copies(&self) -> MutexGuard<'_, Copies> {
        self.copies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until another request is allowed, and takes an idle copy, if there is one.
    fn take(&self, is_unwanted: &dyn Fn() -> bool) -> Result<Option<Process>, Fault> {
        let mut copies = self.copies();
        loop {
            if is_unwanted() {
                return Err(Fault::Unwanted);
            }
            if copies.busy < self.settings.copies {
                break;
            }
            let waited = self.free.wait_timeout(copies, LOOK);
            copies = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        copies.busy += 1;
        Ok(copies.idle.pop())
    }

    fn start(&self) -> io::Result<Process> {
        let mut command = shell(&self.settings.command);
        if let Some(folder) = &self.settings.folder {
            command.current_dir(folder);
        }
        Process::spawn(&mut command)
    }
}

impl Drop for External {
    /// Lets all copies exit by themselves at the same time; those that do not are killed.
    fn drop(&mut self) {
        let copies = self
            .copies
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        thread::scope(|scope| {
            for copy in &mut copies.idle {
                let farewell = || copy.wait_for_end(FAREWELL);
                let _ = thread::Builder::new().spawn_scoped(scope, farewell);
            }
        });
    }
}

/// The seed of a request: below 2^53, so that it survives JSON in every language.
fn question_seed(candidate: &Candidate, game: u32, common: bool, seed: u64) -> u64 {
    let number = game_number(candidate, game, common);
    derive(seed, &[u64::from(candidate.generation), number]) >> SEED_SHIFT
}
