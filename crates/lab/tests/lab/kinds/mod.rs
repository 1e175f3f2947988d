//! Kinds of studies: the same outcome for any number of threads and after any interruption, and all mistakes told at once.

mod deviation;
mod evolve;
mod measure;
mod speed;
mod train;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lab::run::event::{Event, Observer};
use lab::run::outcome::Outcome;
use lab::run::status::{State, Status};
use lab::runner::{RunnerError, StudyRun, StudyRunner};
use lab::store::{OUTCOME, Store};
use lab::study::{Form, Study};

/// Keeps events, and stops the study after this many games.
struct Notes {
    stop: Arc<AtomicBool>,
    games: AtomicU64,
    stop_after: u64,
    events: Mutex<Vec<Event>>,
}

impl Observer for Notes {
    fn hear(&self, event: &Event) {
        let mut events = self.events.lock().expect("mutex poisoned");
        events.push(event.clone());
    }

    fn game_over(&self, _: &str) {
        if self.games.fetch_add(1, Ordering::Relaxed) + 1 == self.stop_after {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

const NEVER: u64 = u64::MAX;

/// Conducts a study in a directory until it is over or this many games are.
fn run_study(text: &str, root: &Path, threads: usize, stop_after: u64) -> (StudyRun, Vec<Event>) {
    let (ran, events) = try_to_run(text, root, threads, stop_after);
    (ran.expect("the study can be run"), events)
}

fn try_to_run(
    text: &str,
    root: &Path,
    threads: usize,
    stop_after: u64,
) -> (Result<StudyRun, RunnerError>, Vec<Event>) {
    let study = Study::parse(text, "study.toml", root, Form::Whole);
    let study = study.unwrap_or_else(|flaws| panic!("{flaws}"));
    let notes = Notes {
        stop: Arc::default(),
        games: AtomicU64::new(0),
        stop_after,
        events: Mutex::default(),
    };
    let runner = StudyRunner {
        store: &Store::new(root),
        threads,
        elsewhere: None,
        save_every: Duration::ZERO,
        observer: &notes,
        stop: &notes.stop,
    };
    let ran = runner.run(&study);
    let failed = ran.iter().flat_map(|ran| &ran.failed);
    assert_eq!(failed.count(), 0, "{ran:?}");
    let events = notes.events.into_inner();
    (ran, events.expect("mutex poisoned"))
}

/// The files of this name of all runs, in their order.
fn files(ran: &StudyRun, name: &str) -> Vec<String> {
    let runs = ran.folder.runs().expect("the study has runs");
    let read = |path| std::fs::read_to_string(path).expect("every run has the file");
    runs.iter().map(|run| read(run.path.join(name))).collect()
}

/// Conducts a study to its end, on this many threads.
fn finished(text: &str, threads: usize) -> (Vec<Outcome>, Vec<Status>, Vec<String>) {
    let root = tempfile::tempdir().expect("a directory");
    let (ran, _) = run_study(text, root.path(), threads, NEVER);
    assert_eq!(ran.state(), State::Finished);
    let bytes = files(&ran, OUTCOME);
    let outcomes = bytes
        .iter()
        .map(|text| Outcome::read(text.as_bytes()).expect("an outcome"));
    let statuses = files(&ran, "status.json");
    let statuses = statuses
        .iter()
        .map(|text| serde_json::from_str(text).expect("a status"));
    (outcomes.collect(), statuses.collect(), bytes)
}

/// Neither threads nor an interruption after this many games change an outcome.
fn check_same(text: &str, stop_after: u64) {
    let (_, _, alone) = finished(text, 1);
    let (_, _, together) = finished(text, 3);
    assert_eq!(alone, together);
    let root = tempfile::tempdir().expect("a directory");
    let (stopped, _) = run_study(text, root.path(), 2, stop_after);
    assert!(
        stopped.interrupted,
        "{} of {} runs are over",
        stopped.finished, stopped.runs
    );
    let (resumed, events) = run_study(text, root.path(), 3, NEVER);
    assert_eq!(files(&resumed, OUTCOME), alone);
    let gone_on = |event: &Event| matches!(event, Event::RunBegan { done, .. } if *done > 0);
    assert!(events.iter().any(gone_on), "it began anew");
}

/// What is wrong with a study: the lines and keys, in their order.
fn check_flaws(text: &str, expected: &[(usize, &str)]) -> String {
    let flaws = Study::parse(text, "study.toml", Path::new("."), Form::Whole);
    let flaws = flaws.expect_err("the study is wrong");
    let found = flaws
        .flaws
        .iter()
        .map(|flaw| (flaws.line(flaw), flaw.key.as_str()));
    assert_eq!(found.collect::<Vec<_>>(), expected, "{flaws}");
    flaws.to_string()
}

/// The steps of a run of the short form.
fn short_steps(text: &str) -> u64 {
    let study = Study::parse(text, "study.toml", Path::new("."), Form::Short);
    let study = study.unwrap_or_else(|flaws| panic!("{flaws}"));
    study.settings[0].experiment.steps()
}
