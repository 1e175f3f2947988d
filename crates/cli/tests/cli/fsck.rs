//! Damaged files are named by every command that reads them, hide nothing else, and are repaired by `gamete fsck`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rustix::process::Signal;

use crate::disturbed::{
    ALL_KINDS, Files, Place, STUDY_SHORT, check_same, copy, files, send, told, wait_until,
};

/// Ways to damage a file.
const WAYS: [&str; 5] = ["flip", "cut", "empty", "remove", "extend"];

fn damage(path: &Path, way: &str, draw: u64) {
    let mut contents = fs::read(path).expect("a file");
    let place = draw as usize % contents.len();
    match way {
        "flip" => contents[place] ^= 1 << (draw % 7),
        "cut" => contents.truncate(place),
        "empty" => contents.clear(),
        "extend" => contents.extend(b"\nmore"),
        _ => return fs::remove_file(path).expect("removed"),
    }
    fs::write(path, contents).expect("damaged");
}

fn gamete(runs: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gamete"))
        .args(arguments)
        .arg("--runs-dir")
        .arg(runs)
        .stdin(Stdio::null())
        .output()
        .expect("gamete runs")
}

/// A store with a finished study, and its files.
fn finished(study: &str) -> (Place, PathBuf, Files) {
    let place = Place::new(study);
    let (files, _) = place.undisturbed();
    let runs = place.path("undisturbed");
    (place, runs, files)
}

fn copied(place: &Place, from: &Path) -> PathBuf {
    let runs = place.path("damaged");
    let _ = fs::remove_dir_all(&runs);
    copy(from, &runs);
    runs
}

/// The files of a run.
fn names(run: &Path) -> Vec<String> {
    let entries = fs::read_dir(run).expect("a run");
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("text");
    let mut names: Vec<String> = entries
        .map(|entry| name(entry.expect("an entry")))
        .collect();
    names.retain(|name| !name.contains(".damaged-") && !name.ends_with(".new"));
    names.sort();
    names
}

#[test]
fn damage_of_a_finished_run_is_named_by_every_command() {
    let (place, whole, expected) = finished(STUDY_SHORT);
    let all = names(&whole.join("disturbed/r1"));
    assert_eq!(all.len(), 8, "{all:?}");
    let study = place.path("study.toml");
    let study = study.to_str().expect("a path");
    let commands: [&[&str]; 8] = [
        &["run", "--quiet", study],
        &["resume", "--quiet", "disturbed"],
        &["resume", "--quiet"],
        &["report", "disturbed"],
        &["export", "disturbed"],
        &["show", "disturbed"],
        &["runs"],
        &["fsck"],
    ];
    for file in &all {
        for (number, way) in WAYS.into_iter().enumerate() {
            // Times are no results: without them a run is whole.
            if (file.as_str(), way) == ("status.json", "remove") {
                continue;
            }
            for command in commands {
                let runs = copied(&place, &whole);
                damage(
                    &runs.join("disturbed/r1").join(file),
                    way,
                    77 + number as u64,
                );
                let output = gamete(&runs, command);
                let text = told(&output) + &String::from_utf8_lossy(&output.stdout);
                let what = format!(
                    "{command:?} {file} {way}: {:?} {text}",
                    output.status.code()
                );
                assert!(!text.contains("panicked"), "{what}");
                assert!(text.contains(&format!("r1/{file}")), "{what}");
                match output.status.code() {
                    // A run without an outcome is finished again.
                    Some(0) if file == "outcome.json" => check_same(&expected, &runs, &what),
                    code => assert_eq!(code, Some(1), "{what}"),
                }
            }
        }
    }
}

#[test]
fn a_run_without_checksums_is_whole_and_said_to_be_unprotected() {
    let (place, whole, _) = finished(STUDY_SHORT);
    let runs = copied(&place, &whole);
    let path = runs.join("disturbed/r1/outcome.json");
    let text = fs::read_to_string(&path).expect("an outcome");
    let body = text.split(",\n  \"files\"").next().expect("a body");
    let checksum = blake3::hash(body.as_bytes()).to_hex();
    fs::write(
        &path,
        format!("{body},\n  \"checksum\": \"{checksum}\"\n}}\n"),
    )
    .expect("written");
    for command in [
        ["runs"].as_slice(),
        &["report", "disturbed"],
        &["export", "disturbed"],
    ] {
        let output = gamete(&runs, command);
        assert!(output.status.success(), "{command:?}: {}", told(&output));
    }
    let output = gamete(&runs, &["fsck"]);
    assert!(output.status.success(), "{}", told(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("disturbed/r1 is not protected by checksums"),
        "{text}"
    );
    damage(&runs.join("disturbed/r1/history"), "flip", 900);
    let output = gamete(&runs, &["export", "disturbed"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        told(&output).contains("r1/history is damaged"),
        "{}",
        told(&output)
    );
    assert!(output.stdout.is_empty(), "a part looks like the whole");
}

/// A second study beside the one that is damaged.
const OTHER: &str = "name = \"other\"\nkind = \"measure\"\ngame.name = \"2048\"\nplayer = \"random\"\nmeasure.games = 5\n";

#[test]
fn a_damaged_run_hides_no_other() {
    let (place, whole, _) = finished(&STUDY_SHORT.replace("[game]", "repeats = 2\n[game]"));
    let runs = copied(&place, &whole);
    fs::write(place.path("other.toml"), OTHER).expect("a study");
    let other = place.path("other.toml");
    let output = gamete(&runs, &["run", "--quiet", other.to_str().expect("a path")]);
    assert!(output.status.success(), "{}", told(&output));
    for way in WAYS {
        let damaged = copied(&place, &runs_copy(&place, &runs));
        damage(&damaged.join("disturbed/r1/run.json"), way, 5);
        let output = gamete(&damaged, &["runs"]);
        let (list, message) = (String::from_utf8_lossy(&output.stdout), told(&output));
        assert_eq!(output.status.code(), Some(1), "{message}");
        for run in ["disturbed/r1", "disturbed/r2", "other/r1"] {
            assert!(list.contains(run), "{way}: {list}{message}");
        }
        assert!(message.contains("r1/run.json"), "{message}");
        let output = gamete(&damaged, &["show", "other"]);
        assert!(output.status.success(), "{}", told(&output));
    }
}

fn runs_copy(place: &Place, runs: &Path) -> PathBuf {
    let kept = place.path("kept");
    if !kept.exists() {
        copy(runs, &kept);
    }
    kept
}

#[test]
fn resume_goes_on_with_the_other_studies() {
    for file in [
        "study.json",
        "study.toml",
        "r1/outcome.json",
        "r1/run.json",
        "r1/games.csv",
    ] {
        let (place, runs, _) = finished(STUDY_SHORT);
        fs::write(place.path("other.toml"), OTHER).expect("a study");
        let other = place.path("other.toml");
        let output = gamete(&runs, &["run", "--quiet", other.to_str().expect("a path")]);
        assert!(output.status.success(), "{}", told(&output));
        // It is unfinished again.
        fs::remove_file(runs.join("other/r1/outcome.json")).expect("removed");
        damage(&runs.join("disturbed").join(file), "flip", 40);
        let output = gamete(&runs, &["resume", "--quiet"]);
        let message = told(&output);
        assert!(
            runs.join("other/r1/outcome.json").is_file(),
            "{file}: {message}"
        );
        assert!(message.contains(file), "{file}: {message}");
        let is_repaired = file == "r1/outcome.json";
        assert_eq!(output.status.success(), is_repaired, "{file}: {message}");
    }
}

/// Numbers that are the same in every run of the test.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Damages some files of all runs, repairs them, resumes, and compares.
fn check_repair(place: &Place, before: &Path, expected: &Files, draws: &mut Draws, what: &str) {
    let runs = copied(place, before);
    let mut done = Vec::new();
    let study = runs.join("disturbed");
    for entry in fs::read_dir(&study).expect("a study") {
        let run = entry.expect("an entry").path();
        if !run.join("run.json").is_file() {
            continue;
        }
        let names = names(&run);
        for _ in 0..=draws.next() % 3 {
            let name = &names[draws.next() as usize % names.len()];
            let way = WAYS[draws.next() as usize % WAYS.len()];
            let path = run.join(name);
            if fs::metadata(&path).is_ok_and(|file| file.len() > 0) {
                damage(&path, way, draws.next());
                done.push(format!("{way} {}", path.display()));
            }
        }
    }
    let what = format!("{what}: {done:?}");
    let output = gamete(&runs, &["fsck", "--repair"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{what}\n{text}{}", told(&output));
    let output = gamete(&runs, &["fsck"]);
    let again = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{what}\n{text}{again}{}",
        told(&output)
    );
    let output = gamete(&runs, &["resume", "disturbed", "--quiet"]);
    assert!(output.status.success(), "{what}\n{text}{}", told(&output));
    check_same(expected, &runs, &format!("{what}\n{text}"));
    let output = gamete(&runs, &["fsck", "disturbed", "--json"]);
    assert!(output.status.success(), "{what}\n{}", told(&output));
}

#[test]
fn after_repair_and_resume_a_finished_run_has_the_same_bytes() {
    let mut draws = Draws(0x5851_f42d_4c95_7f2d);
    for (kind, study) in ALL_KINDS {
        let place = Place::of_kind(study);
        let (expected, _) = place.undisturbed();
        for round in 0..6 {
            let what = format!("{kind}, round {round}");
            check_repair(
                &place,
                &place.path("undisturbed"),
                &expected,
                &mut draws,
                &what,
            );
        }
    }
}

#[test]
fn after_repair_and_resume_an_interrupted_run_has_the_same_bytes() {
    let mut draws = Draws(0x1405_7b7e_f767_814f);
    for (file, signal) in [
        ("checkpoint.previous", Signal::KILL),
        ("games.part", Signal::TERM),
    ] {
        let place = Place::new(STUDY_SHORT);
        let (expected, _) = place.undisturbed();
        let is_caught = |runs: &PathBuf| {
            let mut command = place.command(runs, "0s");
            let mut child = command.stderr(Stdio::null()).spawn().expect("it runs");
            let awaited = runs.join("disturbed/r1").join(file);
            if wait_until(&mut child, |_| awaited.exists()) {
                send(&child, signal);
            }
            !child.wait().expect("it is over").success() && awaited.exists()
        };
        let mut tries = (0..1000).map(|number| place.path(&format!("before-{number}")));
        let before = tries.find(is_caught).expect("it was caught there");
        for round in 0..8 {
            let what = format!("{file}, round {round}");
            check_repair(&place, &before, &expected, &mut draws, &what);
        }
    }
}

#[test]
fn fsck_says_what_is_wrong_and_changes_nothing() {
    let (place, whole, expected) = finished(STUDY_SHORT);
    let output = gamete(&whole, &["fsck"]);
    assert!(output.status.success(), "{}", told(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("1 runs checked: no damage"), "{text}");
    let runs = copied(&place, &whole);
    damage(&runs.join("disturbed/r1/champion.json"), "flip", 30);
    damage(&runs.join("disturbed/r1/games.csv"), "cut", 50);
    let before = files(&runs);
    for name in ["disturbed", "disturbed/r1"] {
        let output = gamete(&runs, &["fsck", name, "--json"]);
        assert_eq!(output.status.code(), Some(1), "{}", told(&output));
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let findings = &found["studies"][0]["runs"][0]["findings"];
        let of = |file: &str| {
            let findings = findings.as_array().expect("a list");
            let found = findings.iter().find(|finding| finding["file"] == file);
            found.unwrap_or_else(|| panic!("{file}: {findings:?}"))["remedy"].clone()
        };
        assert_eq!(of("champion.json"), "make-again");
        assert_eq!(of("games.csv"), "replay");
    }
    assert_eq!(files(&runs), before);
    // By the directory, too, wherever runs are kept.
    let elsewhere = place.path("nowhere");
    for path in ["", "disturbed", "disturbed/r1"] {
        let path = runs.join(path);
        let output = gamete(&elsewhere, &["fsck", path.to_str().expect("a path")]);
        assert_eq!(output.status.code(), Some(1), "{path:?}: {}", told(&output));
    }
    // What follows from the rest is made again without a replay.
    let runs = copied(&place, &whole);
    for file in ["run.json", "champion.json", "best-game.json"] {
        damage(&runs.join("disturbed/r1").join(file), "empty", 0);
    }
    fs::write(runs.join("index.sqlite"), "not a database").expect("damaged");
    let output = gamete(&runs, &["fsck", "--repair"]);
    assert!(output.status.success(), "{}", told(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("4 damaged files, 4 of them repaired"),
        "{text}"
    );
    assert!(!text.contains("resume"), "{text}");
    check_same(&expected, &runs, "made again");
}

/// A finished run keeps nothing that no checksum covers.
#[test]
fn every_file_of_every_kind_of_run_has_a_checksum() {
    for (kind, study) in ALL_KINDS {
        let place = Place::of_kind(study);
        let (kept, _) = place.undisturbed();
        let outcomes = kept
            .iter()
            .filter(|(name, _)| name.ends_with("/outcome.json"));
        for (name, contents) in outcomes {
            let outcome: serde_json::Value = serde_json::from_slice(contents).expect("JSON");
            let files = outcome["files"].as_object().expect("checksums");
            let mut covered: Vec<&str> = files.keys().map(String::as_str).collect();
            covered.extend(["outcome.json", "run.json"]);
            let run = name.strip_suffix("outcome.json").expect("a run");
            let of_run = kept.keys().filter_map(|name| name.strip_prefix(run));
            for file in of_run {
                assert!(covered.contains(&file), "{kind}: {file}");
            }
        }
        let output = gamete(&place.path("undisturbed"), &["fsck"]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            text.ends_with("no damage\n") && !text.contains("protected"),
            "{kind}: {text}"
        );
    }
}

#[test]
fn fsck_of_nothing_is_wrong_usage() {
    let place = Place::new(STUDY_SHORT);
    let runs = place.path("none");
    for arguments in [
        ["fsck"].as_slice(),
        &["fsck", "nothing"],
        &["fsck", "/nowhere/at/all"],
    ] {
        let output = gamete(&runs, arguments);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{arguments:?}: {}",
            told(&output)
        );
        assert_eq!(told(&output).lines().count(), 1, "{}", told(&output));
    }
}

#[test]
fn a_study_that_is_worked_on_is_not_checked() {
    let (place, whole, _) = finished(STUDY_SHORT);
    let runs = copied(&place, &whole);
    damage(&runs.join("disturbed/r1/games.csv"), "flip", 9);
    let before = files(&runs);
    let lock = fs::File::options()
        .write(true)
        .open(runs.join("disturbed/lock"))
        .expect("a lock");
    lock.lock().expect("locked");
    for arguments in [["fsck"].as_slice(), &["fsck", "disturbed", "--repair"]] {
        let output = gamete(&runs, arguments);
        assert_eq!(output.status.code(), Some(1), "{}", told(&output));
        let text = told(&output);
        assert!(text.contains("a process works on them"), "{text}");
    }
    assert_eq!(files(&runs), before);
}

#[test]
fn a_study_that_cannot_be_read_is_left_as_it_is() {
    let (place, whole, _) = finished(STUDY_SHORT);
    let runs = copied(&place, &whole);
    damage(&runs.join("disturbed/study.json"), "cut", 20);
    damage(&runs.join("disturbed/r1/games.csv"), "flip", 9);
    let before = files(&runs);
    let output = gamete(&runs, &["fsck", "--repair"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("disturbed/study.json is damaged"), "{text}");
    assert!(
        text.contains("with the study's own file writes it again"),
        "{text}"
    );
    assert_eq!(files(&runs), before);
}
