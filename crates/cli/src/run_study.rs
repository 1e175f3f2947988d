//! Conducts studies for a person: progress while they run, Ctrl-C, and the end.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressStyle};
use lab::run::event::{Event, Observer};
use lab::run::status::{State, now};
use lab::runner::{RunnerError, StudyRun, StudyRunner};
use lab::store::Store;
use lab::study::Study;

use crate::backup::Backup;
use crate::interrupt::interrupted;
use crate::output::{Failure, harmless_json, in_line, number, print_to_stderr};
use crate::pool::{PoolArguments, PoolWork};
use crate::progress::{brief, threads};

/// How a study is run and what is shown of it.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArguments {
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Save the state of a run at most this often; 0s: after every generation
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = humantime::parse_duration)]
    save_every: Duration,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    /// Write events to standard error as JSON, one object per line
    #[arg(long, value_name = "FORMAT", value_parser = ["json"], conflicts_with = "quiet")]
    log: Option<String>,
    #[command(flatten)]
    pool: PoolArguments,
}

/// Runs a study to its end, or until Ctrl-C.
pub(crate) fn run_study(
    study: &Study,
    store: &Store,
    arguments: &RunArguments,
    backup: Option<&Backup>,
) -> Result<StudyRun, Failure> {
    let stop = stop_flag()?;
    let observer: Arc<dyn Observer> = match (&arguments.log, arguments.quiet) {
        (Some(_), _) => Arc::new(JsonLog),
        (None, true) => Arc::new(Silence),
        (None, false) => Arc::new(Screen::new(study)),
    };
    let pool = arguments
        .pool
        .open(PoolWork::of_study(study, store, &observer), &stop)?;
    let watch = backup.map(|backup| backup.watch(&observer, &stop));
    let runner = StudyRunner {
        store,
        threads: threads(arguments.threads),
        elsewhere: pool.as_ref(),
        save_every: arguments.save_every,
        observer: watch.as_ref().map_or(&*observer, |watch| watch),
        stop: &stop,
    };
    Ok(runner.run(study)?)
}

/// One handler for the whole process, however many studies it conducts.
fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    static FLAG: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);
    let mut flag = FLAG.lock().expect("mutex poisoned");
    if flag.is_none() {
        let text = "saves what is done and stops; Ctrl-C again stops at once and loses nothing that was saved\n";
        *flag = Some(interrupted(text)?);
    }
    Ok(flag.clone().expect("it was just made"))
}

impl From<RunnerError> for Failure {
    fn from(error: RunnerError) -> Self {
        match error {
            RunnerError::Changed { .. } => Self::Usage(error.to_string()),
            RunnerError::Store(error) => error.into(),
            other => Self::Failed(other.into()),
        }
    }
}

/// Shows only what a person should know, e.g. of a damaged file.
struct Silence;

impl Observer for Silence {
    fn hear(&self, event: &Event) {
        if let Event::Note { run, text } = event {
            let note = format!("note: {run}: {text}");
            print_to_stderr(in_line(&note));
        }
    }

    fn game_over(&self, _: &str) {}
}

/// Writes every event as a line of JSON.
struct JsonLog;

impl Observer for JsonLog {
    fn hear(&self, event: &Event) {
        if let Ok(mut line) = serde_json::to_value(event) {
            line["time"] = now().into();
            print_to_stderr(harmless_json(&line.to_string()));
        }
    }

    fn game_over(&self, _: &str) {}
}

/// Progress of a study: a bar for the whole and a line per run on a terminal, a plain line every few seconds elsewhere.
struct Screen {
    /// What is counted: games, or evaluations by a program.
    unit: &'static str,
    bars: MultiProgress,
    whole: ProgressBar,
    started: Instant,
    games: AtomicU64,
    state: Mutex<Progress>,
}

/// How far all runs are.
struct Progress {
    runs: usize,
    finished: usize,
    /// Share of the study that was done when it was started or resumed.
    before: f64,
    /// Runs that are being worked on: their line, and what part of them is done.
    active: BTreeMap<String, (ProgressBar, f64)>,
    /// When the last line was printed.
    printed: Instant,
}

/// Without a terminal a line comes at most this often.
const PLAIN_LINES: Duration = Duration::from_secs(5);
/// Steps of the bar for the whole.
const STEPS: u64 = 1000;

impl Screen {
    fn new(study: &Study) -> Self {
        let bars = MultiProgress::new();
        let whole = bars.add(ProgressBar::new(STEPS));
        let style = ProgressStyle::with_template("{prefix} {bar:25} {wide_msg}")
            .expect("the template is right");
        whole.set_style(style);
        whole.set_prefix(study.name.clone());
        whole.enable_steady_tick(Duration::from_millis(200));
        let now = Instant::now();
        let state = Progress {
            runs: study.runs().len(),
            finished: 0,
            before: 0.0,
            active: BTreeMap::new(),
            printed: now,
        };
        Self {
            unit: study.unit(),
            bars,
            whole,
            started: now,
            games: AtomicU64::new(0),
            state: Mutex::new(state),
        }
    }

    fn line(&self, run: &str) -> ProgressBar {
        let bar = self.bars.add(ProgressBar::new_spinner());
        bar.set_style(
            ProgressStyle::with_template("  {prefix} {wide_msg}").expect("the template is right"),
        );
        bar.set_prefix(run.to_owned());
        bar
    }

    /// Notes stay on the screen above the bars.
    fn say(&self, text: &str) {
        let text = &in_line(text);
        if std::io::stderr().is_terminal() {
            let _ = self.bars.println(text);
        } else {
            print_to_stderr(text);
        }
    }

    fn show(&self, state: &mut Progress) {
        let elapsed = self.started.elapsed();
        let active: f64 = state.active.values().map(|(_, share)| share).sum();
        let share = ((state.finished as f64 + active) / state.runs.max(1) as f64).min(1.0);
        let (done, all) = (share - state.before, 1.0 - state.before);
        let left = if done > 0.001 {
            format!(
                "{:#} left",
                HumanDuration(elapsed.mul_f64(((all - done) / done).clamp(0.0, 1e6)))
            )
        } else {
            "time left unknown yet".to_owned()
        };
        let speed = self.games.load(Ordering::Relaxed) as f64 / elapsed.as_secs_f64().max(0.001);
        let line = format!(
            "{} of {} runs, {} {}/s, {left}",
            state.finished,
            state.runs,
            number(speed, 0),
            self.unit
        );
        self.whole.set_position((share * STEPS as f64) as u64);
        if !std::io::stderr().is_terminal() && state.printed.elapsed() >= PLAIN_LINES {
            state.printed = Instant::now();
            print_to_stderr(format_args!(
                "{}: {:.0} % done, {line}",
                self.whole.prefix(),
                share * 100.0
            ));
        }
        self.whole.set_message(line);
    }
}

impl Observer for Screen {
    fn hear(&self, event: &Event) {
        let mut state = self.state.lock().expect("mutex poisoned");
        match event {
            Event::StudyBegan { finished, runs, .. } => {
                (state.finished, state.runs) = (*finished, *runs);
                state.before = *finished as f64 / (*runs).max(1) as f64;
                if *finished > 0 && finished < runs {
                    self.say(&format!(
                        "{finished} of {runs} runs are finished; continuing with the others"
                    ));
                }
            }
            Event::RunBegan {
                run,
                done,
                of,
                setting,
                ..
            } => {
                let line = self.line(run);
                line.set_message(in_line(setting).into_owned());
                let share = *done as f64 / (*of).max(1) as f64;
                state.before += share / state.runs.max(1) as f64;
                state.active.insert(run.clone(), (line, share));
                if *done > 0 {
                    self.say(&format!("{run} goes on after {done} of {of}"));
                }
            }
            Event::Progress {
                run,
                done,
                of,
                best,
                mean,
                ..
            } => {
                if let Some((line, share)) = state.active.get_mut(run) {
                    *share = *done as f64 / (*of).max(1) as f64;
                    let value = |name: &str, value: &Option<f64>| {
                        value
                            .map(|value| format!(", {name} {}", brief(value)))
                            .unwrap_or_default()
                    };
                    line.set_message(format!(
                        "{done}/{of}{}{}",
                        value("best", best),
                        value("mean", mean)
                    ));
                }
            }
            Event::FinalsBegan { run, games } => {
                if let Some((line, _)) = state.active.get(run) {
                    line.set_message(format!(
                        "{} fresh {} for the champion",
                        number(*games as f64, 0),
                        self.unit
                    ));
                }
            }
            Event::Measuring { run, done, of } => {
                if let Some((line, _)) = state.active.get(run) {
                    line.set_message(format!(
                        "{} of {} fresh {} for the champion",
                        number(*done as f64, 0),
                        number(*of as f64, 0),
                        self.unit
                    ));
                }
            }
            Event::Note { run, text } => self.say(&format!("note: {run}: {text}")),
            Event::RunOver {
                run,
                error,
                state: ended,
                ..
            } => {
                if let Some((line, _)) = state.active.remove(run) {
                    line.finish_and_clear();
                }
                match error {
                    Some(error) => self.say(&format!("{run} failed: {error}")),
                    // A run that was stopped is not over.
                    None if *ended == State::Finished => state.finished += 1,
                    None => {}
                }
            }
            Event::StudyOver { .. } => self.whole.finish_and_clear(),
        }
        self.show(&mut state);
    }

    fn game_over(&self, _: &str) {
        self.games.fetch_add(1, Ordering::Relaxed);
    }
}
