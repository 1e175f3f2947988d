//! Studies that are stopped at an inconvenient moment, and runs that go wrong.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use games::AnyGame;
use lab::run::context::{RunContext, RunError};
use lab::run::event::{Event, Observer};
use lab::run::outcome::Outcome;
use lab::run::status::State;
use lab::runner::{StudyRun, StudyRunner};
use lab::store::Store;
use lab::study::kind::Experiment;
use lab::study::{Form, Study};
use play::playing::Workers;
use play::stats::Better;

/// Says stop a moment after a run has begun.
struct StopSoon(Arc<AtomicBool>);

impl Observer for StopSoon {
    fn hear(&self, event: &Event) {
        if matches!(event, Event::RunBegan { .. }) {
            let stop = Arc::clone(&self.0);
            std::thread::spawn(move || {
                // The players have begun to think by then, or never get to.
                std::thread::sleep(Duration::from_millis(200));
                stop.store(true, Ordering::Relaxed);
            });
        }
    }

    fn game_over(&self, _: &str) {}
}

/// Hears nothing.
struct Nobody;

impl Observer for Nobody {
    fn hear(&self, _: &Event) {}
    fn game_over(&self, _: &str) {}
}

fn study(text: &str) -> Study {
    Study::parse(text, "study.toml", Path::new("."), Form::Whole)
        .unwrap_or_else(|flaws| panic!("{flaws}"))
}

fn run(study: &Study, root: &Path, observer: &dyn Observer, stop: &Arc<AtomicBool>) -> StudyRun {
    let runner = StudyRunner {
        store: &Store::new(root),
        threads: 2,
        elsewhere: None,
        save_every: Duration::ZERO,
        observer,
        stop,
    };
    runner.run(study).expect("the study can be run")
}

/// A move of these takes hours.
const ENDLESS: [&str; 6] = [
    "kind = \"measure\"\nplayer = \"minimax(depth=60)\"\n[game]\nname = \"connect\"\n[measure]\ngames = 2\n",
    "preset = \"connect-ga\"\n[game]\nname = \"connect\"\n[fitness]\nagainst = [\"minimax(depth=60)\"]\n",
    "kind = \"deviation\"\npreset = \"connect-ga\"\nfitness.against = [\"minimax(depth=60)\"]\ngame.name = \"connect\"\n",
    "kind = \"speed\"\nplayer = \"minimax(depth=60)\"\n[game]\nname = \"connect\"\n",
    "kind = \"optimality\"\nplayer = \"minimax(depth=60)\"\n[check]\nboards = [\"6x7\"]\n",
    "kind = \"cost\"\n[cost]\nplayers = [\"minimax(depth=60)\"]\n[check]\nboards = [\"6x7\"]\n",
];

/// If one waited for the move, this would not end.
#[test]
fn a_stop_ends_a_run_in_the_middle_of_a_move() {
    for text in ENDLESS {
        let folder = tempfile::tempdir().unwrap();
        let stop = Arc::<AtomicBool>::default();
        let study = study(&format!("name = \"endless\"\n{text}"));
        let ran = run(&study, folder.path(), &StopSoon(Arc::clone(&stop)), &stop);
        assert_eq!(ran.state(), State::Interrupted, "{text}");
        for place in ran.folder.runs().unwrap() {
            assert!(place.outcome().unwrap().is_none(), "{text}");
            let status = place.status(false).unwrap();
            assert_eq!(status.map_or(0, |status| status.done), 0, "{text}");
        }
    }
}

#[test]
fn a_stop_ends_the_making_of_folders() {
    let folder = tempfile::tempdir().unwrap();
    let stop = Arc::new(AtomicBool::new(true));
    let text = "name = \"many\"\nkind = \"measure\"\nplayer = \"random\"\nrepeats = 10000\n[game]\nname = \"2048\"\n";
    let ran = run(&study(text), folder.path(), &Nobody, &stop);
    assert_eq!(ran.state(), State::Interrupted);
    assert!(ran.folder.runs().unwrap().is_empty());
}

/// An experiment with a bug.
#[derive(Debug)]
struct Buggy;

impl Experiment for Buggy {
    fn steps(&self) -> u64 {
        1
    }

    fn step_name(&self) -> &'static str {
        "steps"
    }

    fn games(&self) -> Option<u64> {
        None
    }

    fn game(&self) -> Option<&AnyGame> {
        None
    }

    fn main_metric(&self) -> (String, Better) {
        ("score".to_owned(), Better::Higher)
    }

    fn run(&self, _: u64, _: &mut RunContext<'_>) -> Result<Outcome, RunError> {
        panic!("on purpose, in a test");
    }

    fn calibrate(&self, _: u64, _: &Workers, _: Duration) -> Result<Duration, RunError> {
        Ok(Duration::ZERO)
    }
}

#[test]
fn a_run_that_panics_has_failed_and_the_others_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let text = "name = \"bug\"\nkind = \"measure\"\n[game]\nname = \"2048\"\n[measure]\ngames = 2\n[[vary]]\nplayer = [\"random\", \"greedy\"]\n";
    let mut study = study(text);
    study.settings[0].experiment = Arc::new(Buggy);
    let ran = run(&study, folder.path(), &Nobody, &Arc::default());
    assert_eq!((ran.finished, ran.failed.len()), (1, 1));
    let (name, error) = &ran.failed[0];
    assert_eq!(name, "bug/s1-r1");
    assert_eq!(error.to_string(), "internal error: on purpose, in a test");
    let status = ran.folder.run("s1-r1").status(false).unwrap().unwrap();
    assert_eq!(status.state, State::Failed);
    assert_eq!(status.error, Some(error.to_string()));
}

#[test]
fn a_run_goes_on_whatever_its_status_says_about_time() {
    let text = "name = \"time\"\nkind = \"measure\"\nplayer = \"random\"\n[game]\nname = \"2048\"\n[measure]\ngames = 3\n";
    for seconds in ["-1.0", "1e30", "1e308"] {
        let folder = tempfile::tempdir().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let whole = run(&study(text), folder.path(), &Nobody, &stop);
        let place = whole.folder.run("r1").path;
        std::fs::remove_file(place.join("outcome.json")).unwrap();
        let status = std::fs::read_to_string(place.join("status.json")).unwrap();
        let line = status.lines().find(|line| line.contains("\"seconds\":"));
        let changed = status.replace(line.unwrap(), &format!("  \"seconds\": {seconds},"));
        std::fs::write(place.join("status.json"), changed).unwrap();
        let again = run(&study(text), folder.path(), &Nobody, &stop);
        assert_eq!(again.state(), State::Finished, "{seconds}");
    }
}
