//! Studies that were started from the page: one runs at a time, the others wait.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use lab::run::event::{Event, Observer};
use lab::run::status::State as RunState;
use lab::runner::{StudyRun, StudyRunner};
use lab::store::Store;
use lab::study::Study;

/// States are saved at most this often.
const SAVE_EVERY: Duration = Duration::from_secs(1);

/// Studies that wait, and the one that is worked on.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Arc<Study>>,
    running: Option<Running>,
    over: bool,
}

#[derive(Debug, Clone)]
struct Running {
    study: Arc<Study>,
    stop: Arc<AtomicBool>,
}

/// What a request to stop did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// It had not begun, and will not.
    NeverBegun,
    /// It saves and stops.
    Stopping,
    /// It is not worked on here.
    NotHere,
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("mutex poisoned")
    }

    /// Adds a study at the end; false if it is in the queue already.
    pub(crate) fn add(&self, study: Study) -> bool {
        let mut state = self.state();
        if state.find(&study.name).is_some() {
            return false;
        }
        state.waiting.push_back(Arc::new(study));
        self.changed.notify_all();
        true
    }

    /// Is the study worked on here, or waiting?
    pub(crate) fn has(&self, study: &str) -> bool {
        self.study(study).is_some()
    }

    /// The study of this name, if it is worked on here or waits.
    pub(crate) fn study(&self, name: &str) -> Option<Arc<Study>> {
        self.state().find(name).cloned()
    }

    /// The study that is worked on, and those that wait.
    pub(crate) fn names(&self) -> (Option<String>, Vec<String>) {
        let state = self.state();
        let running = state.running.as_ref();
        let running = running.map(|running| running.study.name.clone());
        let waiting = state.waiting.iter().map(|study| study.name.clone());
        (running, waiting.collect())
    }

    /// Takes a study out of the queue, or lets it save and stop.
    pub(crate) fn stop(&self, study: &str) -> Stopped {
        let mut state = self.state();
        let before = state.waiting.len();
        state.waiting.retain(|waiting| waiting.name != study);
        if state.waiting.len() < before {
            return Stopped::NeverBegun;
        }
        match &state.running {
            Some(running) if running.study.name == study => {
                running.stop.store(true, Ordering::Relaxed);
                Stopped::Stopping
            }
            _ => Stopped::NotHere,
        }
    }

    /// Lets the running study save and stop, and begins no other.
    pub(crate) fn end(&self) {
        let mut state = self.state();
        state.over = true;
        state.waiting.clear();
        if let Some(running) = &state.running {
            running.stop.store(true, Ordering::Relaxed);
        }
        self.changed.notify_all();
    }

    /// Works studies off until all is over; `ended` is called after each, while it is still known as ours.
    pub(crate) fn work(
        &self,
        store: &Store,
        threads: usize,
        observer: &dyn Observer,
        ended: &dyn Fn(),
    ) {
        while let Some((study, stop)) = self.next() {
            let deferred = DeferredEnd::new(observer);
            let runner = StudyRunner {
                store,
                threads,
                elsewhere: None,
                save_every: SAVE_EVERY,
                observer: &deferred,
                stop: &stop,
            };
            run_or_report_panic(&runner, &study);
            ended();
            self.state().running = None;
            deferred.report_end();
        }
    }

    /// Waits for a study.
    fn next(&self) -> Option<(Arc<Study>, Arc<AtomicBool>)> {
        let mut state = self.state();
        loop {
            if state.over {
                return None;
            }
            if let Some(study) = state.waiting.pop_front() {
                let stop = Arc::<AtomicBool>::default();
                state.running = Some(Running {
                    study: Arc::clone(&study),
                    stop: Arc::clone(&stop),
                });
                return Some((study, stop));
            }
            let woken = self.changed.wait(state);
            state = woken.expect("mutex poisoned");
        }
    }
}

impl State {
    fn find(&self, name: &str) -> Option<&Arc<Study>> {
        let running = self.running.iter().map(|running| &running.study);
        let mut all = running.chain(&self.waiting);
        all.find(|study| study.name == name)
    }
}

/// Passes events on, but holds the end of the study back until its report is written.
struct DeferredEnd<'a> {
    observer: &'a dyn Observer,
    end: Mutex<Option<Event>>,
}

impl<'a> DeferredEnd<'a> {
    fn new(observer: &'a dyn Observer) -> Self {
        let end = Mutex::default();
        Self { observer, end }
    }

    fn report_end(self) {
        let end = self.end.into_inner().expect("mutex poisoned");
        end.iter().for_each(|event| self.observer.hear(event));
    }
}

impl Observer for DeferredEnd<'_> {
    fn hear(&self, event: &Event) {
        match event {
            Event::StudyOver { .. } => {
                let mut end = self.end.lock().expect("mutex poisoned");
                *end = Some(event.clone());
            }
            _ => self.observer.hear(event),
        }
    }

    fn game_over(&self, run: &str) {
        self.observer.game_over(run);
    }
}

/// As [`run_study`]; a study that panics has failed, and the next one begins.
fn run_or_report_panic(runner: &StudyRunner<'_>, study: &Study) {
    if catch_unwind(AssertUnwindSafe(|| run_study(runner, study))).is_err() {
        report_failure(runner, study, "internal error: the study panicked");
    }
}

fn report_failure(runner: &StudyRunner<'_>, study: &Study, text: &str) {
    let (name, text) = (study.name.clone(), text.to_owned());
    let run = name.clone();
    runner.observer.hear(&Event::Note { run, text });
    runner.observer.hear(&Event::StudyOver {
        study: name,
        state: RunState::Failed,
        finished: 0,
        runs: study.settings.len() * study.repeats as usize,
    });
}

/// Conducts a study and writes its report. Whatever goes wrong is told as a note.
fn run_study(runner: &StudyRunner<'_>, study: &Study) {
    let note = |text: String| {
        let run = study.name.clone();
        runner.observer.hear(&Event::Note { run, text });
    };
    match runner.run(study) {
        Ok(ran) => write_report(study, &ran).into_iter().for_each(note),
        Err(error) => report_failure(runner, study, &error.to_string()),
    }
}

/// Writes the report and sends the study's notifications; says what did not work.
fn write_report(study: &Study, ran: &StudyRun) -> Vec<String> {
    match notify::report_and_notify(study, ran) {
        Ok((_, _, errors)) => errors.iter().map(ToString::to_string).collect(),
        Err(error) => vec![format!("no report could be written: {error}")],
    }
}
