//! Damaged files of a run: it goes on from what is good and ends the same, with a note, or is refused; both name the file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use rustix::process::Signal;

use crate::disturbed::{
    Files, Place, STUDY_SHORT, check_same, copy, files, send, told, wait_until,
};

/// When files are damaged.
#[derive(Debug, Clone, Copy)]
enum Stage {
    Evolving,
    Measuring,
    Over,
}

/// A study that was interrupted at a stage, and what it is to end with.
struct Case {
    place: Place,
    before: PathBuf,
    expected: Files,
}

impl Case {
    fn new(stage: Stage) -> Self {
        let place = Place::new(STUDY_SHORT);
        let (expected, _) = place.undisturbed();
        let before = (1..=1000)
            .map(|number| place.path(&format!("before-{number}")))
            .find(|runs| interrupt(&place, runs, stage))
            .expect("it was caught at that stage");
        Self {
            place,
            before,
            expected,
        }
    }

    /// Goes on with a copy in which something was done to a file.
    fn go_on(&self, file: &str, damage: impl FnOnce(&Path)) -> (PathBuf, Output) {
        let runs = self.place.path("damaged");
        let _ = fs::remove_dir_all(&runs);
        copy(&self.before, &runs);
        damage(&runs.join("disturbed").join(file));
        let output = self.place.command(&runs, "1s").output().expect("it runs");
        (runs, output)
    }

    /// The damage is named, and what came out is right or nothing.
    fn check(&self, file: &str, what: &str, is_silent: bool, damage: impl FnOnce(&Path)) -> bool {
        let (runs, output) = self.go_on(file, damage);
        let (message, code) = (told(&output), output.status.code());
        let what = format!("{file} {what}: {code:?} {message}");
        assert!(!message.contains("panicked"), "{what}");
        assert!(is_silent || message.contains(file), "{what}");
        match code {
            Some(0) => check_same(&self.expected, &runs, &what),
            code => assert!(matches!(code, Some(1 | 2)), "{what}"),
        }
        code == Some(0)
    }
}

/// Starts a study and stops it at a stage; says whether it was caught there.
fn interrupt(place: &Place, runs: &Path, stage: Stage) -> bool {
    let run = runs.join("disturbed/r1");
    let (awaited, signal) = match stage {
        Stage::Evolving => ("checkpoint.previous", Signal::KILL),
        Stage::Measuring => ("games.part", Signal::TERM),
        Stage::Over => ("never", Signal::KILL),
    };
    let mut command = place.command(runs, "0s");
    let mut child = command.stderr(Stdio::null()).spawn().expect("it runs");
    if wait_until(&mut child, |_| run.join(awaited).exists()) {
        send(&child, signal);
    }
    let is_over = child.wait().expect("it is over").success();
    let is_whole = run.join("checkpoint").exists() && !run.join("checkpoint.next").exists();
    match stage {
        Stage::Over => is_over,
        _ => !is_over && is_whole && run.join(awaited).exists(),
    }
}

/// Whether a run goes on after damage to a file.
#[derive(Debug, PartialEq)]
enum Answer {
    GoesOn,
    IsRefused,
}

/// Changes bytes of a file, cuts it, empties it and removes it. What is removed is not always missed: then the run goes on without a word.
fn check(stage: Stage, file: &str, answer: &Answer, is_missed: bool) {
    let case = Case::new(stage);
    let length = fs::read(case.before.join("disturbed").join(file))
        .unwrap_or_else(|_| panic!("no {file}"))
        .len();
    let ended = |found: bool| assert_eq!(found, *answer == Answer::GoesOn, "{file}");
    for place in [0, 9, length / 3, length / 2] {
        let flip = |path: &Path| {
            let mut contents = fs::read(path).expect("a file");
            contents[place] ^= 0x04;
            fs::write(path, contents).expect("damaged");
        };
        ended(case.check(file, &format!("byte {place}"), false, flip));
    }
    for length in [0, 7, length / 2] {
        let cut = |path: &Path| {
            let contents = fs::read(path).expect("a file");
            fs::write(path, &contents[..length]).expect("damaged");
        };
        ended(case.check(file, &format!("cut to {length}"), false, cut));
    }
    let remove = |path: &Path| fs::remove_file(path).expect("removed");
    ended(case.check(file, "removed", !is_missed, remove));
}

#[test]
fn a_damaged_checkpoint_is_gone_round() {
    check(Stage::Evolving, "r1/checkpoint", &Answer::GoesOn, true);
}

#[test]
fn a_damaged_older_checkpoint_does_no_harm() {
    check(
        Stage::Evolving,
        "r1/checkpoint.previous",
        &Answer::GoesOn,
        false,
    );
}

#[test]
fn a_damaged_history_is_written_anew() {
    check(Stage::Evolving, "r1/history", &Answer::GoesOn, true);
}

#[test]
fn damaged_games_are_played_again() {
    check(Stage::Measuring, "r1/games.part", &Answer::GoesOn, false);
}

#[test]
fn a_damaged_choice_is_made_again() {
    check(Stage::Measuring, "r1/choice.part", &Answer::GoesOn, false);
}

#[test]
fn a_damaged_outcome_is_no_outcome() {
    check(Stage::Over, "r1/outcome.json", &Answer::GoesOn, false);
}

#[test]
fn without_its_settings_a_run_does_not_go_on() {
    check(Stage::Evolving, "r1/run.json", &Answer::IsRefused, true);
    check(Stage::Over, "r1/run.json", &Answer::IsRefused, true);
}

#[test]
fn a_damaged_study_is_written_again() {
    check(Stage::Evolving, "study.json", &Answer::GoesOn, true);
    check(Stage::Evolving, "study.toml", &Answer::GoesOn, false);
}

#[test]
fn a_damaged_status_is_begun_anew() {
    let case = Case::new(Stage::Measuring);
    for contents in ["", "{", "\u{0}\u{0}"] {
        let damage = |path: &Path| fs::write(path, contents).expect("damaged");
        assert!(case.check("r1/status.json", contents, false, damage));
    }
    let remove = |path: &Path| fs::remove_file(path).expect("removed");
    assert!(case.check("r1/status.json", "removed", true, remove));
}

#[test]
fn a_history_without_any_state_is_kept() {
    let case = Case::new(Stage::Evolving);
    let (runs, output) = case.go_on("r1/history", |history| {
        for name in ["checkpoint", "checkpoint.previous", "checkpoint.next"] {
            let _ = fs::remove_file(history.with_file_name(name));
        }
    });
    assert!(output.status.success(), "{}", told(&output));
    assert!(told(&output).contains("r1/history is kept as"));
    assert!(runs.join("disturbed/r1/history.damaged-1").is_file());
    check_same(&case.expected, &runs, "no state");
}

/// The version of a file becomes another one, with a checksum that fits.
fn check_version(stage: Stage, file: &str, change: impl Fn(Vec<u8>) -> Vec<u8>) {
    let case = Case::new(stage);
    let (runs, output) = case.go_on(file, |path| {
        let contents = change(fs::read(path).expect("a file"));
        fs::write(path, contents).expect("changed");
    });
    let message = told(&output);
    assert_eq!(output.status.code(), Some(1), "{file}: {message}");
    assert!(message.contains(file), "{file}: {message}");
    assert!(message.contains("version 9"), "{file}: {message}");
    let before = fs::read(case.before.join("disturbed").join(file)).expect("a file");
    assert_eq!(files(&runs)[&format!("disturbed/{file}")], change(before));
}

fn other_text(contents: Vec<u8>) -> Vec<u8> {
    let text = String::from_utf8(contents).expect("text");
    let (body, _) = text.rsplit_once(",\n  \"checksum\"").expect("a checksum");
    let body = body.replacen("\"version\": 1", "\"version\": 9", 1);
    let checksum = blake3::hash(body.as_bytes()).to_hex();
    format!("{body},\n  \"checksum\": \"{checksum}\"\n}}\n").into_bytes()
}

fn other_ledger(mut contents: Vec<u8>) -> Vec<u8> {
    contents[8] = 9;
    let about = u32::from_le_bytes(contents[12..16].try_into().expect("four bytes"));
    let end = 16 + about as usize;
    let header = [&[0; 8], &contents[..end]].concat();
    contents[end..end + 8].copy_from_slice(&blake3::hash(&header).as_bytes()[..8]);
    contents
}

fn other_checkpoint(mut contents: Vec<u8>) -> Vec<u8> {
    contents[8] = 9;
    let end = contents.len() - 32;
    let checksum = blake3::hash(&contents[..end]);
    contents[end..].copy_from_slice(checksum.as_bytes());
    contents
}

#[test]
fn files_of_another_version_are_refused_and_left_alone() {
    check_version(Stage::Over, "r1/outcome.json", other_text);
    check_version(Stage::Evolving, "r1/run.json", other_text);
    check_version(Stage::Evolving, "study.json", other_text);
    check_version(Stage::Evolving, "r1/history", other_ledger);
    check_version(Stage::Measuring, "r1/games.part", other_ledger);
    check_version(Stage::Evolving, "r1/checkpoint", other_checkpoint);
}
