//! Runs a study: starts or resumes all its runs, several at a time, on the same threads.

mod baselines;
pub mod extension;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use self::extension::Extension;
use crate::notify::Message;
use crate::run::context::{RunContext, RunError, RunServices};
use crate::run::event::{Event, Observer};
use crate::run::file::FileError;
use crate::run::ledger::LedgerError;
use crate::run::outcome::Outcome;
use crate::run::provenance::{self, Attributed};
use crate::run::status::State;
use crate::store::{Folder, RunFile, RunFolder, Store, StoreError};
use crate::study::{RunPlan, Study};
use play::batch::Dispatch;
use play::playing::{PlayError, Workers};
use play::stats::Better;
use players::Cancelled;

/// How a study is run. None of this changes a result.
#[derive(Clone, Copy)]
pub struct StudyRunner<'a> {
    /// The store of the runs.
    pub store: &'a Store,
    /// Number of threads.
    pub threads: usize,
    /// Remote workers, if any.
    pub elsewhere: Option<&'a Arc<dyn Dispatch>>,
    /// States are saved at most this often; zero: after every generation.
    pub save_every: Duration,
    /// Gets the events.
    pub observer: &'a dyn Observer,
    /// Becomes true when everything should be saved and stopped.
    pub stop: &'a Cancelled,
}

/// Why a study was not started.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The study has changed since its runs began.
    #[error(
        "the study '{study}' has changed since its runs began: {what}. Repeats and settings can be added, and stop.generations, \
        stop.evaluations, stop.no-progress and train.games can grow; nothing else can change. Its runs in {} are unchanged: run it with --fork to start \
        over in a new folder, give the study another name, or undo the change",
        folder.display()
    )]
    Changed {
        /// The study.
        study: String,
        /// What has changed.
        what: String,
        /// Where its runs are.
        folder: PathBuf,
    },
    /// An external program or bot does not work.
    #[error(transparent)]
    TryOut(RunError),
    /// Threads could not be started.
    #[error(transparent)]
    Threads(#[from] PlayError),
}

/// The most concurrent runs, however many remote workers there are: each takes a local thread that mostly waits.
const MOST_AT_ONCE: usize = 32;

/// How it ended.
#[derive(Debug)]
pub struct StudyRun {
    /// Where the runs are.
    pub folder: Folder,
    /// Number of runs.
    pub runs: usize,
    /// Finished runs.
    pub finished: usize,
    /// Runs that failed this time, and why.
    pub failed: Vec<(String, RunError)>,
    /// Whether it was stopped.
    pub interrupted: bool,
}

impl StudyRun {
    /// The state of the study as a whole.
    #[must_use]
    pub fn state(&self) -> State {
        match (self.failed.is_empty(), self.interrupted) {
            (false, _) => State::Failed,
            (true, true) => State::Interrupted,
            (true, false) => State::Finished,
        }
    }
}

impl StudyRun {
    /// The result in a sentence, for notifications.
    #[must_use]
    pub fn summary(&self, study: &Study) -> String {
        let (name, metric) = (&study.name, &study.compare.0);
        let done = format!("{name}: {} of {} runs finished", self.finished, self.runs);
        let failed = match self.failed.first() {
            Some((run, error)) => format!("; {} failed, first {run}: {error}", self.failed.len()),
            None => String::new(),
        };
        let best = match best_setting(study, &self.folder) {
            Some((label, value)) if study.settings.len() > 1 => {
                format!("; best setting {label}: {metric} {value:.4} on average")
            }
            Some((_, value)) => format!("; {metric} {value:.4} on average"),
            None => String::new(),
        };
        done + &best + &failed
    }
}

impl StudyRun {
    /// The notification message.
    #[must_use]
    pub fn message(&self, study: &Study, report: Option<&PathBuf>) -> Message {
        Message {
            study: study.name.clone(),
            state: self.state().word().to_owned(),
            summary: self.summary(study),
            report: report.cloned(),
        }
    }
}

/// The setting with the best mean of the compared metric, over the finished runs.
fn best_setting<'a>(study: &'a Study, folder: &Folder) -> Option<(&'a str, f64)> {
    let (metric, better) = &study.compare;
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); study.settings.len()];
    for run in study.runs() {
        let outcome = folder.run(&run.folder).outcome().ok().flatten();
        let number = outcome.and_then(|outcome| Some(outcome.metrics.get(metric)?.value));
        values[run.setting].extend(number);
    }
    let means = study.settings.iter().zip(values);
    let means = means.filter(|(_, values)| !values.is_empty());
    let means = means.map(|(setting, values)| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        (setting.label.as_str(), mean)
    });
    means.reduce(|best, other| {
        let is_better = match better {
            Better::Higher => other.1 > best.1,
            Better::Lower => other.1 < best.1,
        };
        if is_better { other } else { best }
    })
}

impl StudyRunner<'_> {
    /// Starts or resumes a study.
    pub fn run(&self, study: &Study) -> Result<StudyRun, RunnerError> {
        let folder = self.store.folder(&study.name);
        let runs = study.runs();
        let workers = Workers::new(self.threads)?
            .with(self.elsewhere.cloned())
            .until(self.stop);
        let extension = Extension::of(study, &runs, &folder)?;
        try_out(study, &runs, &extension, &workers)?;
        let _lock = folder.lock()?;
        // Again, now that the lock prevents other changes.
        let mut extension = Extension::of(study, &runs, &folder)?;
        extension.prepare(&runs, &folder)?;
        for text in folder.write_study(study)? {
            self.note(&study.name, text);
        }
        extension.settle(study, &runs, &folder)?;
        self.begin(study, &runs, &folder)?;
        let mut distrusted = provenance::distrusted(folder.path())?;
        if let Some(elsewhere) = self.elsewhere {
            elsewhere.distrust(&distrusted);
        }
        self.remove_games_of(&distrusted, &runs, &folder)?;
        let mut left = self.left(study, &runs, &folder)?;
        self.observer.hear(&Event::StudyBegan {
            study: study.name.clone(),
            runs: runs.len(),
            finished: runs.len() - left.len(),
        });
        let mut failed = damaged(&runs, &left, &folder);
        failed.extend(loop {
            let failed = self.work_off(study, &left, &workers, &distrusted);
            distrusted = self.elsewhere.map_or(distrusted, |pool| pool.distrusted());
            if !self.remove_games_of(&distrusted, &runs, &folder)? {
                break failed;
            }
            left = self.left(study, &runs, &folder)?;
        });
        let finished = runs
            .iter()
            .filter(|run| is_over(&folder.run(&run.folder)))
            .count();
        if finished > 0 && !self.is_stopped() {
            self.measure_baselines(study, &folder)?;
        }
        let ran = StudyRun {
            runs: runs.len(),
            interrupted: self.is_stopped() && finished < runs.len(),
            finished,
            failed,
            folder,
        };
        self.observer.hear(&Event::StudyOver {
            study: study.name.clone(),
            state: ran.state(),
            finished,
            runs: runs.len(),
        });
        Ok(ran)
    }

    /// Makes the folders of new runs, as far as it gets before it is stopped.
    fn begin(&self, study: &Study, runs: &[RunPlan], folder: &Folder) -> Result<(), StoreError> {
        for run in runs {
            if self.is_stopped() {
                break;
            }
            let place = folder.run(&run.folder);
            if place.file()?.is_none() {
                place.begin(&RunFile::of(study, run))?;
            }
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn note(&self, run: &str, text: String) {
        let run = run.to_owned();
        self.observer.hear(&Event::Note { run, text });
    }

    /// Removes the games of workers that were found wrong, and what follows from them; were there any?
    fn remove_games_of(
        &self,
        workers: &[String],
        runs: &[RunPlan],
        folder: &Folder,
    ) -> Result<bool, StoreError> {
        let mut are_some = false;
        for run in runs.iter().filter(|_| !workers.is_empty()) {
            if let Some(text) = folder.run(&run.folder).remove_games_of(workers)? {
                self.note(&run.name.id, text);
                are_some = true;
            }
        }
        Ok(are_some)
    }

    /// The unfinished runs.
    fn left<'r>(
        &self,
        study: &Study,
        runs: &'r [RunPlan],
        folder: &Folder,
    ) -> Result<Vec<(&'r RunPlan, RunFolder)>, StoreError> {
        let mut left = Vec::new();
        for run in runs {
            let place = folder.run(&run.folder);
            let steps = study.settings[run.setting].experiment.steps();
            let (is_over, damage) = place.settle(steps)?;
            if let Some(text) = damage {
                self.note(&run.name.id, text);
            }
            if !is_over {
                left.push((run, place));
            }
        }
        Ok(left)
    }

    /// Processes the runs, one per thread at a time: while one breeds, the others' games keep all threads busy.
    fn work_off(
        &self,
        study: &Study,
        left: &[(&RunPlan, RunFolder)],
        workers: &Workers,
        distrusted: &[String],
    ) -> Vec<(String, RunError)> {
        let at_once = self.at_once(study, workers).min(left.len());
        let own_threads = self.threads.checked_div(at_once).unwrap_or(1).max(1);
        let queue = Mutex::new(left.iter());
        let failed = Mutex::new(Vec::new());
        let one_by_one = || {
            while !self.is_stopped() {
                let next = queue.lock().expect("mutex poisoned").next();
                let Some((run, place)) = next else { break };
                if let Err(error) = self.work(study, run, place, workers, own_threads, distrusted) {
                    let mut failed = failed.lock().expect("mutex poisoned");
                    failed.push((run.name.id.clone(), error));
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..at_once {
                scope.spawn(one_by_one);
            }
        });
        let failed = failed.into_inner().expect("mutex poisoned");
        let failures = failed.into_iter().filter(|(_, error)| !is_resumable(error));
        failures.collect()
    }

    /// As many as there are threads, or remote workers. A run with a time limit needs the machine to itself.
    fn at_once(&self, study: &Study, workers: &Workers) -> usize {
        let alone = study
            .settings
            .iter()
            .any(|setting| setting.experiment.wants_the_machine());
        match alone {
            true => 1,
            false => workers
                .slots()
                .clamp(self.threads, MOST_AT_ONCE.max(self.threads)),
        }
    }

    /// Works on one run to its end.
    fn work(
        &self,
        study: &Study,
        run: &RunPlan,
        place: &RunFolder,
        workers: &Workers,
        own_threads: usize,
        distrusted: &[String],
    ) -> Result<(), RunError> {
        let workers = match self.elsewhere {
            Some(elsewhere) => {
                let attributed = Attributed::open(Arc::clone(elsewhere), &place.path)?;
                workers.clone().with(Some(Arc::new(attributed)))
            }
            None => workers.clone(),
        };
        let services = RunServices {
            workers: &workers,
            own_threads,
            distrusted,
            observer: self.observer,
            save_every: self.save_every,
        };
        let mut context = RunContext::open(&run.name, &place.path, services)?;
        let experiment = &study.settings[run.setting].experiment;
        // Whatever is wrong with one run, the others go on.
        let result = catch_unwind(AssertUnwindSafe(|| experiment.run(run.seed, &mut context)))
            .unwrap_or_else(|panic| Err(RunError::of_panic(&*panic)));
        let result = result.and_then(|outcome| {
            place.keep(&outcome)?;
            Ok(outcome)
        });
        context.status.state = match &result {
            Ok(_) => State::Finished,
            Err(error) if is_resumable(error) => State::Interrupted,
            Err(_) => State::Failed,
        };
        let error = result.as_ref().err().map(ToString::to_string);
        context.status.error = error
            .clone()
            .filter(|_| context.status.state == State::Failed);
        let written = context.write_status();
        let metric = |outcome: &Outcome| {
            let number = outcome.metrics.get(&study.compare.0);
            let time = context.status.times.get(&study.compare.0);
            number.map(|metric| metric.value).or(time.copied())
        };
        context.hear(&Event::RunOver {
            run: run.name.id.clone(),
            state: context.status.state,
            value: result.as_ref().ok().and_then(metric),
            error: context.status.error.clone(),
            seconds: context.status.seconds,
        });
        if matches!(
            &result,
            Err(RunError::File(_) | RunError::Ledger(LedgerError::File(_)))
        ) {
            // If one run cannot write, the others cannot either.
            self.stop.store(true, Ordering::Relaxed);
        }
        result?;
        Ok(written?)
    }
}

/// Does the run go on where it was, or without some of its games, when it is started again?
fn is_resumable(error: &RunError) -> bool {
    matches!(error, RunError::Interrupted | RunError::Distrusted(_))
}

/// The finished runs whose files are damaged, as failures.
fn damaged(
    runs: &[RunPlan],
    left: &[(&RunPlan, RunFolder)],
    folder: &Folder,
) -> Vec<(String, RunError)> {
    let is_left = |run: &RunPlan| left.iter().any(|(other, _)| other.folder == run.folder);
    let finished = runs.iter().filter(|run| !is_left(run));
    let damaged = finished.filter_map(|run| {
        let found = folder.run(&run.folder).damage();
        let texts: Vec<String> = found.into_iter().map(|damage| damage.text).collect();
        let error = || RunError::Damaged(texts.join("; "));
        (!texts.is_empty()).then(|| (run.name.id.clone(), error()))
    });
    damaged.collect()
}

/// Is the run finished?
#[must_use]
pub fn is_over(place: &RunFolder) -> bool {
    place.outcome().is_ok_and(|outcome| outcome.is_some())
}

/// Tries out the settings that have unfinished runs.
fn try_out(
    study: &Study,
    runs: &[RunPlan],
    extension: &Extension,
    workers: &Workers,
) -> Result<(), RunnerError> {
    for (place, setting) in study.settings.iter().enumerate() {
        let mut plans = runs.iter().enumerate();
        if plans.any(|(index, run)| run.setting == place && !extension.is_over(index)) {
            let tried = setting.experiment.try_out(workers);
            tried.map_err(RunnerError::TryOut)?;
        }
    }
    Ok(())
}
