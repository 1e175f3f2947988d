//! A study that grows ends with the same files as one that was so large from the start.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::cluster::{Hand, server};
use crate::disturbed::{
    ALL_KINDS, Place, STUDY_2048, check_same, computing_time, copy, files, told, wait_until,
};

/// Settings of which one is inserted between the others, repeats whose number gets another digit, and more generations.
fn small() -> String {
    STUDY_2048
        .replace("generations = 12", "generations = 3")
        .replace("games = 60", "games = 20")
}

fn large() -> String {
    small()
        .replace("[6, 8]", "[6, 7, 8]")
        .replace("repeats = 2", "repeats = 10")
        .replace("generations = 3", "generations = 9")
}

fn write(place: &Place, study: &str) {
    fs::write(place.path("study.toml"), study).expect("a study");
}

fn check_ends(place: &Place, runs: &Path) {
    let output = place.command(runs, "0s").output().expect("it runs");
    assert!(output.status.success(), "{}", told(&output));
}

fn gamete(arguments: &[&str], runs: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gamete"));
    command.args(arguments).arg("--runs-dir").arg(runs);
    command.stdin(Stdio::null()).output().expect("it runs")
}

/// No file is damaged.
fn check_whole(runs: &Path) {
    let output = gamete(&["fsck"], runs);
    assert!(output.status.success(), "{}", told(&output));
}

#[test]
fn more_generations_repeats_and_settings_end_as_if_they_had_been_there_from_the_start() {
    let place = Place::new(&large());
    let (expected, _) = place.undisturbed();
    let runs = place.path("extended");
    write(&place, &small());
    check_ends(&place, &runs);
    let before = files(&runs);
    // What does not change is not run again.
    write(&place, &small().replace("repeats = 2", "repeats = 3"));
    check_ends(&place, &runs);
    let after = files(&runs);
    assert!(before.iter().all(|(name, contents)| {
        name.ends_with("study.toml") || name.ends_with("study.json") || after[name] == *contents
    }));
    assert!(after.contains_key("disturbed/s2-r3/outcome.json"));
    write(&place, &large());
    let output = gamete(
        &[
            "study",
            "check",
            place.path("study.toml").to_str().expect("text"),
        ],
        &runs,
    );
    assert!(output.status.success(), "{}", told(&output));
    check_ends(&place, &runs);
    check_same(&expected, &runs, "extended");
    check_whole(&runs);
    let report = fs::read_to_string(runs.join("disturbed/report/report.md")).expect("a report");
    assert!(report.contains("population 7"), "{report}");
}

#[test]
fn every_kind_of_evolution_goes_on_from_where_it_was() {
    let evolutions = ALL_KINDS
        .iter()
        .filter(|(_, study)| study.contains("stop.generations"));
    for (kind, study) in evolutions {
        let place = Place::of_kind(study);
        let (expected, _) = place.undisturbed();
        let runs = place.path("extended");
        let long = fs::read_to_string(place.path("study.toml")).expect("a study");
        let short = ["12", "20", "30"]
            .iter()
            .fold(long.clone(), |text, number| {
                text.replace(
                    &format!("stop.generations = {number}"),
                    "stop.generations = 4",
                )
            });
        assert_ne!(short, long, "{kind}");
        write(&place, &short);
        check_ends(&place, &runs);
        write(&place, &long);
        check_ends(&place, &runs);
        check_same(&expected, &runs, kind);
    }
}

#[test]
fn other_ends_of_a_run_can_be_put_off_too() {
    let study = small().replace(
        "generations = 3",
        "generations = 40\nno-progress = 1\nevaluations = 60",
    );
    let later = study
        .replace("no-progress = 1", "no-progress = 4")
        .replace("evaluations = 60", "evaluations = 90");
    let place = Place::new(&later);
    let (expected, _) = place.undisturbed();
    let runs = place.path("extended");
    write(&place, &study);
    check_ends(&place, &runs);
    write(&place, &later);
    check_ends(&place, &runs);
    check_same(&expected, &runs, "later");
}

#[test]
fn killed_while_it_is_extended_it_ends_the_same() {
    let place = Place::new(&large());
    let (expected, length) = place.undisturbed();
    let begun = place.path("begun");
    write(&place, &small());
    check_ends(&place, &begun);
    write(&place, &large());
    let kills = 12_u32;
    for kill in 0..kills {
        let runs = place.path(&format!("killed-{kill}"));
        copy(&begun, &runs);
        // The extension itself comes at the very beginning.
        let share = f64::from(kill) / f64::from(kills);
        let after = length.mul_f64(share * share * share);
        let mut child = place.command(&runs, "0s").spawn().expect("it runs");
        if wait_until(&mut child, |child| computing_time(child) >= after) {
            std::thread::sleep(Duration::from_micros(u64::from(kill) * 600));
            child.kill().expect("it can be killed");
        }
        child.wait().expect("it is over");
        check_whole(&runs);
        // Killed before it began, the study is the old one, and all of it is there.
        let is_new =
            fs::read_to_string(runs.join("disturbed/study.toml")).expect("text") == large();
        let output = match is_new {
            true => gamete(&["resume", "--quiet"], &runs),
            false => place.command(&runs, "0s").output().expect("it runs"),
        };
        assert!(output.status.success(), "{}", told(&output));
        check_same(&expected, &runs, &format!("kill {kill}"));
        fs::remove_dir_all(&runs).expect("removed");
    }
}

#[test]
fn a_study_does_not_shrink_and_nothing_else_changes() {
    let place = Place::new(&small());
    let runs = place.path("runs");
    check_ends(&place, &runs);
    let before = files(&runs);
    let refusals = [
        (
            ("generations = 3", "generations = 2"),
            "stop.generations was 3 and is 2",
        ),
        (
            ("repeats = 2", "repeats = 1"),
            "repeats was 2 or more and is 1",
        ),
        (("[6, 8]", "[6]"), "the setting 'population 8' is gone"),
        (("[6, 8]", "[6, 9]"), "optimizer.population was 8 and is 9"),
        (
            ("games = 1\n", "games = 2\n"),
            "fitness.games was 1 and is 2",
        ),
        (("seed = 11", "seed = 12"), "seed was 11 and is 12"),
    ];
    for ((was, is), why) in refusals {
        write(&place, &small().replace(was, is));
        let output = place.command(&runs, "0s").output().expect("it runs");
        let message = told(&output);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(why), "{message}");
        assert!(
            message.contains("Repeats and settings can be added"),
            "{message}"
        );
        check_same(&before, &runs, why);
    }
}

#[test]
fn with_other_starts_settings_are_added_after_the_others() {
    let study = small().replace("seed = 11", "seed = 11\nsame-start = false");
    let place = Place::new(&study);
    let runs = place.path("runs");
    check_ends(&place, &runs);
    write(&place, &study.replace("[6, 8]", "[6, 7, 8]"));
    let output = place.command(&runs, "0s").output().expect("it runs");
    let message = told(&output);
    assert!(
        message.contains("can only be added after the others"),
        "{message}"
    );
    write(&place, &study.replace("[6, 8]", "[6, 8, 7]"));
    check_ends(&place, &runs);
}

#[test]
fn a_study_on_workers_and_with_a_backup_grows_as_any_other() {
    let place = Place::new(&large());
    let (expected, _) = place.undisturbed();
    let backup = place.path("backup");
    fs::create_dir(&backup).expect("a directory");
    let backup = backup.to_str().expect("text");
    let nats = server(&place);
    let _hands = nats.as_ref().map(|nats| Hand::join(&nats.url(), &[]));
    let runs = place.path("runs");
    for study in [&small(), &large()] {
        write(&place, study);
        let mut command = place.command(&runs, "0s");
        command.args(["--store", backup]);
        if let Some(nats) = &nats {
            command.args(["--pool", &nats.url(), "--patience", "2s"]);
        }
        let output = command.output().expect("it runs");
        assert!(output.status.success(), "{}", told(&output));
    }
    check_same(&expected, &runs, "on workers");
    check_whole(&runs);
    let elsewhere = place.path("elsewhere");
    let output = gamete(&["resume", backup, "--quiet"], &elsewhere);
    assert!(output.status.success(), "{}", told(&output));
    check_same(&expected, &elsewhere, "from the backup");
}
