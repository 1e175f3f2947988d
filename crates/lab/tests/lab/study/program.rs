//! Studies whose fitness is a program: the same numbers for any number of copies and threads, and after interruptions.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use lab::run::event::{Event, Observer};
use lab::run::history::HistoryReader;
use lab::run::outcome::Outcome;
use lab::runner::{StudyRun, StudyRunner};
use lab::store::Store;
use lab::study::{Form, Study};

use fixtures::scripts::has_python;

/// A bowl with its lowest point at (1, -2), with a little noise from the seed.
const BOWL: &str = r"
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    a, b = question['genome']
    print((a - 1) ** 2 + (b + 2) ** 2 + question['seed'] % 1000 / 1e6, flush=True)
";

fn study(folder: &Path, more: &str) -> Study {
    std::fs::write(folder.join("bowl.py"), BOWL).unwrap();
    let text = format!(
        "name = \"bowl\"\nrepeats = 2\n[fitness]\nexec = \"python3 bowl.py\"\ntime-limit = \"10m\"\nnames = [\"a\", \"b\"]\nlow = -3\nhigh = 3\n\
         goal = \"lowest\"\ngames = 2\n[final]\ngames = 20\nfinalists = 3\n{more}"
    );
    Study::parse(&text, "bowl.toml", folder, Form::Whole).unwrap()
}

/// Stops after this many generations.
struct Watcher<'a> {
    stop: &'a AtomicBool,
    left: AtomicUsize,
}

impl Observer for Watcher<'_> {
    fn hear(&self, event: &Event) {
        let is_step = matches!(event, Event::Progress { .. });
        if is_step && self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn game_over(&self, _: &str) {}
}

fn run_study(study: &Study, store: &Store, threads: usize, steps: usize) -> StudyRun {
    let stop = Arc::<AtomicBool>::default();
    let left = AtomicUsize::new(steps);
    let observer = Watcher { stop: &stop, left };
    let runner = StudyRunner {
        store,
        threads,
        elsewhere: None,
        save_every: Duration::ZERO,
        observer: &observer,
        stop: &stop,
    };
    runner.run(study).unwrap()
}

fn outcomes(ran: &StudyRun) -> Vec<Outcome> {
    let runs = ran.folder.runs().unwrap();
    let outcome = |run: &lab::store::RunFolder| run.outcome().unwrap();
    runs.iter().filter_map(outcome).collect()
}

const STOP: &str = "[stop]\ngenerations = 25\n";

#[test]
fn the_lowest_point_is_found_and_told_in_the_programs_numbers() {
    if !has_python("a program as fitness") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let study = study(folder.path(), STOP);
    let store = Store::new(&folder.path().join("runs"));
    let ran = run_study(&study, &store, 2, usize::MAX);
    assert_eq!(ran.finished, 2);
    for outcome in outcomes(&ran) {
        let genome = outcome.genome.as_ref().expect("a genome");
        assert!((genome["a"] - 1.0).abs() < 0.1, "{genome:?}");
        assert!((genome["b"] + 2.0).abs() < 0.1, "{genome:?}");
        let fitness = outcome.metrics["fitness"];
        assert!((0.0..0.02).contains(&fitness.value), "{fitness:?}");
        assert!(fitness.ci95.is_some());
        assert!(outcome.metrics["selected at"].value >= 0.0);
        assert_eq!(outcome.metrics["generations"].value, 25.0);
    }
    let run = ran.folder.runs().unwrap().remove(0);
    let status = run.status(false).unwrap().unwrap();
    assert!(
        status.best.unwrap() >= 0.0 && status.best < status.mean,
        "{status:?}"
    );
    let history = HistoryReader::read(&run.path.join("history")).unwrap();
    let first = &history.generations[0];
    assert_eq!(first.quartiles[0], first.generation.best);
    let champion = std::fs::read_to_string(run.path.join("champion.json")).unwrap();
    assert!(champion.contains("gamete-genome"), "{champion}");
}

#[test]
fn copies_threads_and_interruptions_change_no_number() {
    if !has_python("a program as fitness") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, more: &str, threads: usize, steps: usize| {
        let store = Store::new(&folder.path().join(name));
        let study = study(folder.path(), &format!("{STOP}{more}"));
        let mut ran = run_study(&study, &store, threads, steps);
        while ran.interrupted {
            ran = run_study(&study, &store, threads, steps);
        }
        outcomes(&ran)
    };
    let expected = run("plain", "", 1, usize::MAX);
    assert_eq!(expected.len(), 2);
    assert_eq!(run("threads", "", 3, usize::MAX), expected);
    assert_eq!(run("stopped", "", 2, 7), expected);
}

#[test]
fn a_target_is_in_the_programs_numbers() {
    if !has_python("a program as fitness") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let study = study(folder.path(), "[stop]\ngenerations = 500\ntarget = 0.5\n");
    let store = Store::new(&folder.path().join("runs"));
    let ran = run_study(&study, &store, 2, usize::MAX);
    for outcome in outcomes(&ran) {
        assert!(outcome.metrics["generations"].value < 100.0);
        assert!(outcome.metrics["selected at"].value <= 0.5);
    }
}

#[test]
fn a_program_that_does_not_answer_is_told_before_anything_is_written() {
    if !has_python("a program as fitness") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut text = study(folder.path(), STOP).text;
    text = text
        .replace("python3 bowl.py", "exit 3")
        .replace("games = 2\n", "games = 2\nretries = 0\n");
    let study = Study::parse(&text, "bowl.toml", folder.path(), Form::Whole).unwrap();
    let store = Store::new(&folder.path().join("runs"));
    let stop = Arc::<AtomicBool>::default();
    let observer = Watcher {
        stop: &stop,
        left: AtomicUsize::new(usize::MAX),
    };
    let runner = StudyRunner {
        store: &store,
        threads: 1,
        elsewhere: None,
        save_every: Duration::ZERO,
        observer: &observer,
        stop: &stop,
    };
    let error = runner.run(&study).unwrap_err().to_string();
    assert!(error.contains("the program 'exit 3'"), "{error}");
    assert!(!store.root().exists());
}
