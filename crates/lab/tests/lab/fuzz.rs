//! Study files, the files of runs, and lines of programs as they come from outside.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use evolve::{Candidate, Genome};
use fixtures::fuzz::{cases, fuzz, fuzz_times};
use fixtures::scripts::Folder as Scripts;
use lab::evolution::external::{External, Genes, Settings};
use lab::fsck;
use lab::run::checkpoint::Checkpoint;
use lab::run::curve::{Curve, PopulationCurve};
use lab::run::event::{Event, Observer};
use lab::run::history::HistoryReader;
use lab::run::outcome::Outcome;
use lab::run::status::Status;
use lab::runner::StudyRunner;
use lab::store::{Index, Store, played};
use lab::study::{Form, Study, template, templates};

struct Nobody;

impl Observer for Nobody {
    fn hear(&self, _: &Event) {}

    fn game_over(&self, _: &str) {}
}

const STUDY: &str = r#"
name = "fuzzed"
game.name = "2048"
fitness.games = 1
optimizer.population = 4
stop.generations = 3
final = { games = 3, finalists = 2 }
"#;

/// A store with a finished run.
fn store(root: &Path) -> Store {
    let study = Study::parse(STUDY, "study.toml", root, Form::Whole).expect("a study");
    let store = Store::new(root);
    let runner = StudyRunner {
        store: &store,
        threads: 1,
        elsewhere: None,
        save_every: Duration::ZERO,
        observer: &Nobody,
        stop: &Arc::default(),
    };
    let ran = runner.run(&study).expect("it runs");
    assert_eq!((ran.finished, ran.failed.len()), (1, 0));
    store
}

#[test]
fn any_text_is_a_study_or_refused() {
    let mut valid: Vec<String> = templates()
        .iter()
        .filter_map(|one| template(&one.name))
        .collect();
    valid.push(STUDY.to_owned());
    valid.push("name = \"a\"\nkind = \"cost\"\n[check]\nconnect = [2, 3]\nboards = [\"3x3\"]\n[[vary]]\nsettings = [{ label = \"a\", cost.games = 1 }]\n".to_owned());
    fuzz("studies", &valid, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        for form in [Form::Whole, Form::Short] {
            match Study::parse(&text, "study.toml", Path::new("/nowhere"), form) {
                Ok(study) if study.settings.len() * study.repeats as usize <= 10_000 => {
                    assert!(!study.runs().is_empty());
                }
                Ok(_) => {}
                Err(flaws) => assert!(!flaws.to_string().is_empty()),
            }
        }
    });
}

/// Every file of a run and of its study, read by everything that reads it.
#[test]
fn any_file_of_a_run_is_read_or_refused() {
    let root = tempfile::tempdir().expect("a directory");
    let store = store(root.path());
    let folder = store.folder("fuzzed");
    let run = folder.run("r1");
    let names = [
        "run.json",
        "status.json",
        "outcome.json",
        "history",
        "checkpoint",
        "champion.json",
        "games.csv",
        "best-game.json",
    ];
    let paths = names.map(|name| run.path.join(name)).into_iter();
    for path in paths.chain(["study.toml", "study.json"].map(|name| folder.path().join(name))) {
        let good = fs::read(&path).expect("a file");
        let name = path.display().to_string();
        let cases = (cases() / 10).max(1);
        fuzz_times(&name, cases, &[&good], |bytes| {
            fs::write(&path, bytes).expect("damaged");
            let found = fsck::check(&folder, None).expect("a check");
            // Nothing may be taken for whole that is not.
            assert_eq!(found.is_damaged(), bytes != good, "{found:?}");
            let _ = (run.file(), run.outcome(), run.status(false), folder.study());
            let _ = (
                Curve::read(&run.path, 10, 1),
                PopulationCurve::read(&run.path, 3, 3),
            );
            let _ = (played::games(&run.path), played::plan(&folder, &run));
            let mut index = Index::open(&store).expect("an index");
            index.refresh().expect("one study hides no other");
        });
        fs::write(&path, &good).expect("repaired");
    }
}

#[test]
fn any_bytes_are_a_state_or_refused() {
    let root = tempfile::tempdir().expect("a directory");
    let path = root.path().join("checkpoint");
    let checkpoint = Checkpoint::new(&path);
    checkpoint
        .save_last(&vec![(1_u32, "text".to_owned()); 20])
        .expect("saved");
    let good = fs::read(&path).expect("a state");
    let read = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("a file");
        let _ = Checkpoint::inspect(&path);
        let _ = checkpoint.load::<Vec<(u32, String)>>();
        // Thousands of files set aside would be looked through for a free number.
        let _ = fs::remove_file(root.path().join("checkpoint.damaged-1"));
    };
    // A damaged state is set aside, which waits for the disk.
    fuzz_times("states", (cases() / 10).max(1), &[good], |bytes| {
        read(bytes);
        // With a checksum that fits, too.
        read(&[bytes, blake3::hash(bytes).as_bytes()].concat());
    });
}

#[test]
fn any_bytes_are_a_history_or_refused() {
    let root = tempfile::tempdir().expect("a directory");
    let store = store(root.path());
    let path = store.folder("fuzzed").run("r1").path.join("history");
    let good = fs::read(&path).expect("a history");
    fuzz("histories", &[good], |bytes| {
        fs::write(&path, bytes).expect("a file");
        if let Ok(history) = HistoryReader::read(&path) {
            for place in 0..history.generations.len() {
                let _ = history.rows(place);
            }
        }
    });
}

#[test]
fn any_text_is_a_status_or_an_outcome_or_refused() {
    let status = serde_json::to_string_pretty(&Status::begin(2)).expect("plain data");
    let mut outcome = Outcome::default();
    outcome.number("score", 12.5);
    fuzz(
        "statuses and outcomes",
        &[status, outcome.text()],
        |bytes| {
            let _ = (Status::parse(bytes), Outcome::read(bytes));
        },
    );
}

#[test]
fn any_lines_of_a_program_are_answers_or_refused() {
    let folder = Scripts::new();
    let lines = folder.file("lines");
    let valid = [
        "{\"id\":1,\"fitness\":3.25}\n",
        "3.25\n",
        "{\"id\":1,\"error\":\"no\"}\n",
        "{\"fitness\":1e999,\"id\":1.0}\n\n",
        "NaN\n",
    ];
    let candidate = Candidate {
        id: 1,
        generation: 0,
        slot: 0,
        games_before: 0,
        genome: Genome::Reals(vec![0.5, 1.0]),
    };
    // A process is started for every case.
    fuzz_times(
        "lines of programs",
        (cases() / 10).max(1),
        &valid,
        |bytes| {
            fs::write(&lines, bytes).expect("a file");
            let command = folder.command("read question; cat lines");
            let mut settings = Settings::new(command, Genes::Count(2), -5.0, 5.0);
            settings.retries = 0;
            let external = External::new(settings).expect("settings");
            let _ = external.score(
                std::slice::from_ref(&candidate),
                1,
                true,
                7,
                &AtomicBool::new(false),
                &|| (),
            );
        },
    );
}
