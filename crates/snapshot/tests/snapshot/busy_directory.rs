//! Snapshots of a directory that others work in are states in which a kill could have left it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use snapshot::{CapturePolicy, Retention, Writer};

use crate::stores::{Files, TestStore};

/// An outcome says that everything is final, a state up to where the history is valid.
const POLICY: CapturePolicy = CapturePolicy {
    phases: 3,
    phase: |path| match path.rsplit('/').next().unwrap_or(path) {
        name if name.ends_with(".new") || name == "state.next" => None,
        "outcome" => Some(0),
        "state" | "state.previous" => Some(1),
        _ => Some(2),
    },
    is_state: |_| true,
};

const GENERATIONS: usize = 30;

/// The entry of a generation.
fn entry(generation: usize) -> Vec<u8> {
    vec![generation as u8; 1 + generation * 97 % 3000]
}

fn replace(path: &Path, contents: &str) {
    let new = path.with_extension("new");
    fs::write(&new, contents).expect("a file");
    fs::rename(&new, path).expect("a file");
}

/// Writes one run: history, then state, with the previous state under another name; an outcome at the very end.
fn work(run: &Path) {
    fs::create_dir_all(run).expect("a directory");
    let path = |name: &str| run.join(name);
    let mut history = File::create(path("history")).expect("a history");
    let mut length = 0;
    for generation in 0..GENERATIONS {
        let entry = entry(generation);
        history.write_all(&entry).expect("an entry");
        length += entry.len();
        replace(&path("state.next"), &length.to_string());
        if path("state").exists() {
            fs::rename(path("state"), path("state.previous")).expect("a state");
        }
        fs::rename(path("state.next"), path("state")).expect("a state");
        thread::sleep(Duration::from_micros(500));
    }
    fs::remove_file(path("state.previous")).expect("a state");
    replace(&path("games.csv"), "games");
    replace(&path("outcome"), &length.to_string());
}

/// A run in a snapshot was killed, or is finished.
fn check_run(name: &str, run: &BTreeMap<&str, &Vec<u8>>) {
    let whole: Vec<u8> = (0..GENERATIONS).flat_map(entry).collect();
    let number = |name: &str| {
        let text = String::from_utf8(run.get(name)?.to_vec()).expect("text");
        Some(text.parse::<usize>().expect("a number"))
    };
    let history = run.get("history").copied().cloned().unwrap_or_default();
    assert!(whole.starts_with(&history), "{name}: another history");
    let lengths: Vec<usize> = ["state", "state.previous"]
        .into_iter()
        .filter_map(number)
        .collect();
    assert!(
        lengths.iter().all(|&length| length <= history.len()),
        "{name}: {lengths:?} of {}",
        history.len()
    );
    let first_two = entry(0).len() + entry(1).len();
    assert!(
        !lengths.is_empty() || history.len() < first_two,
        "{name}: a history of {} bytes without a state",
        history.len()
    );
    if run.contains_key("outcome") {
        assert_eq!(history, whole, "{name}: an outcome with half a history");
        assert!(
            run.contains_key("games.csv"),
            "{name}: an outcome without its games"
        );
    }
}

fn check_runs(files: &Files) -> usize {
    let mut runs: BTreeMap<&str, BTreeMap<&str, &Vec<u8>>> = BTreeMap::new();
    for (path, contents) in files {
        let (run, name) = path.split_once('/').expect("a file of a run");
        runs.entry(run).or_default().insert(name, contents);
    }
    for (name, run) in &runs {
        check_run(name, run);
    }
    runs.len()
}

/// Stops the work, even if a check fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn every_snapshot_of_a_busy_directory_is_a_state_after_a_kill() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    fs::create_dir(&directory).expect("a directory");
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for run in (0..).take_while(|_| !stop.load(Ordering::Relaxed)) {
                work(&directory.join(format!("run-{run}")));
            }
        });
        let _stop = Stop(&stop);
        let view = store.repository().view().expect("a view");
        let mut writer = Writer::new(view, &directory, POLICY, Retention::default());
        let mut seen = 0;
        while seen < 20 {
            writer.snapshot().expect("a snapshot");
            seen = check_runs(&store.restored().0);
        }
    });
}
