//! `gamete train` and what shows its runs.

use std::path::{Path, PathBuf};

use crate::gamete::{check_refused, gamete, json};

/// A training that takes a moment, in a directory of its own.
struct Trained {
    folder: tempfile::TempDir,
}

impl Trained {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let runs = folder.path().join("runs");
        let trained = json(&[
            "train",
            "2048",
            "--network",
            "0,1,2 0,1,4,5",
            "--games",
            "120",
            "--final-games",
            "20",
            "--plies",
            "2",
            "--name",
            "learnt",
            "--quiet",
            "--json",
            "--runs-dir",
            runs.to_str().expect("a path"),
        ]);
        assert_eq!(trained["network"]["trained"]["games"], 120, "{trained}");
        Self { folder }
    }

    fn runs(&self) -> PathBuf {
        self.folder.path().join("runs")
    }

    /// What a command on these runs prints.
    fn told(&self, arguments: &[&str]) -> String {
        let runs = self.runs();
        let runs = ["--runs-dir", runs.to_str().expect("a path")];
        let output = gamete(&[arguments, &runs].concat());
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {told}");
        String::from_utf8(output.stdout).expect("text")
    }

    fn check_refused(&self, arguments: &[&str], expected: &str) {
        let runs = self.runs();
        let runs = ["--runs-dir", runs.to_str().expect("a path")];
        check_refused(&[arguments, &runs].concat(), expected);
    }
}

#[test]
fn a_training_is_shown_without_the_words_of_an_evolution() {
    let trained = Trained::new();
    let report = trained.runs().join("learnt/report");
    let text = std::fs::read_to_string(report.join("report.md")).expect("a report");
    for word in [
        "generation",
        "population",
        "selection",
        "evolved",
        "champion.json",
    ] {
        // The study's own text is not ours.
        assert!(!text.contains(word), "{word}: {text}");
    }
    for word in [
        "Networks",
        "champion.network",
        "score at 2 plies",
        "players that were not trained",
        "Mean score of the training games",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let charts = |name: &str| report.join("charts").join(format!("{name}.svg")).is_file();
    assert!(charts("learning") && charts("results-by-game"));
    assert!(!charts("fitness") && !charts("surface"));
    let shown = trained.told(&["show", "learnt/r1"]);
    assert!(shown.contains("trained by tc with 120 games"), "{shown}");
    trained.check_refused(
        &["show", "learnt/r1", "--generation", "last"],
        "no generations",
    );
}

#[test]
fn training_games_are_exported_without_empty_columns() {
    let trained = Trained::new();
    let table = trained.told(&["export", "learnt", "--format", "csv"]);
    let mut lines = table.lines();
    let head = lines.next().expect("a head");
    assert_eq!(head, "run_id,setting,repeat,games,game,score,result");
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert!(rows.len() >= 120, "{}", rows.len());
    assert!(rows.iter().flatten().all(|value| !value.is_empty()));
    let object = trained.told(&["export", "learnt", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&object).expect("JSON");
    assert!(object["blocks"][0]["mean"].is_number(), "{object}");
    assert!(object.get("generations").is_none() && object.get("columns").is_none());
    for format in ["individuals", "optuna"] {
        trained.check_refused(
            &["export", "learnt", "--format", format],
            "no history of individuals",
        );
    }
}

#[test]
fn a_network_says_what_it_is() {
    let trained = Trained::new();
    let network = trained.runs().join("learnt/r1/champion.network");
    let network = network.to_str().expect("a path");
    let shown = gamete(&["players", "show", network]);
    let shown = String::from_utf8(shown.stdout).expect("text");
    for part in [
        "a network that plays 2048 (",
        "tuples   0,1,2 0,1,4,5",
        "stages   one",
        "trained  120 games (",
        "by tc, seed ",
        "as a file, 279 kB in memory",
        "in 20 fresh games, without look-ahead",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    check_refused(&["players", "show", network, "--dot"], "has no program");
    let damaged = trained.folder.path().join("damaged.network");
    let mut bytes = std::fs::read(network).expect("a network");
    let last = bytes.len() - 100;
    bytes[last] ^= 1;
    std::fs::write(&damaged, bytes).expect("a file");
    check_refused(
        &["players", "show", path(&damaged)],
        "damaged.network: is damaged",
    );
}

fn path(of: &Path) -> &str {
    of.to_str().expect("a path")
}

#[test]
fn a_template_of_a_training_is_checked_and_estimated() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = gamete(&["study", "new", "2048", "--kind", "train"]);
    assert!(text.status.success());
    let study = folder.path().join("mine.toml");
    std::fs::write(&study, text.stdout).expect("a file");
    let runs = folder.path().join("runs");
    let checked = json(&[
        "study",
        "check",
        path(&study),
        "--short",
        "--json",
        "--runs-dir",
        path(&runs),
    ]);
    assert_eq!(checked["kind"], "train", "{checked}");
    assert!(checked["seconds"].as_f64() > Some(0.0), "{checked}");
    check_refused(
        &["study", "new", "tetris", "--kind", "train"],
        "there are no networks of 'tetris'",
    );
}
