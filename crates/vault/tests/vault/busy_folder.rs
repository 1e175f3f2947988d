//! Snapshots of a directory in which others work are states that it could have been left in by a kill.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use vault::{Care, Thrift, Writer};

use crate::stores::{Files, Store};

/// An outcome vouches for everything, a state for the history up to its mark.
const CARE: Care = Care {
    turns: 3,
    turn: |path| match path.rsplit('/').next().unwrap_or(path) {
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

/// One run, as a laboratory writes it: history, then state; the state before keeps another name; an outcome at the very end.
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

/// A run in a snapshot is one that was killed, or is over.
fn check_run(name: &str, run: &BTreeMap<&str, &Vec<u8>>) {
    let whole: Vec<u8> = (0..GENERATIONS).flat_map(entry).collect();
    let number = |name: &str| {
        let text = String::from_utf8(run.get(name)?.to_vec()).expect("text");
        Some(text.parse::<usize>().expect("a number"))
    };
    let history = run.get("history").copied().cloned().unwrap_or_default();
    assert!(
        whole.starts_with(&history),
        "{name}: the history is another"
    );
    let marks: Vec<usize> = ["state", "state.previous"]
        .into_iter()
        .filter_map(number)
        .collect();
    assert!(
        marks.iter().all(|&mark| mark <= history.len()),
        "{name}: {marks:?} of {}",
        history.len()
    );
    let first_two = entry(0).len() + entry(1).len();
    assert!(
        !marks.is_empty() || history.len() < first_two,
        "{name}: a history of {} bytes without a state",
        history.len()
    );
    if run.contains_key("outcome") {
        assert_eq!(
            history, whole,
            "{name}: an outcome without all of the history"
        );
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

/// Ends the work, also when a check fails.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn every_snapshot_of_a_busy_directory_is_a_state_after_a_kill() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    fs::create_dir(&folder).expect("a directory");
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for run in (0..).take_while(|_| !over.load(Ordering::Relaxed)) {
                work(&folder.join(format!("run-{run}")));
            }
        });
        let _end = End(&over);
        let view = store.shelf().look().expect("a view");
        let mut writer = Writer::new(view, &folder, CARE, Thrift::default());
        let mut seen = 0;
        while seen < 20 {
            writer.snapshot().expect("a snapshot");
            seen = check_runs(&store.restored().0);
        }
    });
}
