//! A game is one file and one line in a list: tic-tac-toe proves it. Nothing else in the sources names it, and yet it is measured,
//! matched, evolved, run as a study and drawn in its report.

use std::fs;
use std::path::{Path, PathBuf};

use crate::gamete::{gamete, json};
use crate::shown::workspace;

const GAME: &str = "tic-tac-toe";

/// Sources of all crates that name the game, with the lines that do.
fn sources(folder: &Path, found: &mut Vec<(PathBuf, usize)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            if !["node_modules", "dist", "tests", "target"].contains(&name.as_str()) {
                sources(&path, found);
            }
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        let names = |line: &&str| line.contains("tictactoe") || line.contains(GAME);
        match text.lines().filter(names).count() {
            0 => {}
            lines => found.push((path, lines)),
        }
    }
}

#[test]
fn one_file_and_one_line_name_it() {
    let crates = workspace().join("crates");
    let mut found = Vec::new();
    sources(&crates, &mut found);
    found.sort();
    let found: Vec<(String, bool)> = found
        .iter()
        .map(|(path, lines)| {
            let path = path.strip_prefix(&crates).expect("within the crates");
            (path.display().to_string(), *lines == 1)
        })
        .collect();
    let expected = [
        ("games/src/lib.rs".to_owned(), true),
        ("games/src/tictactoe.rs".to_owned(), false),
    ];
    assert_eq!(found, expected);
}

#[test]
fn it_is_measured_and_matched() {
    let measured = json(&["measure", GAME, "--games", "50", "--json"]);
    assert_eq!(measured["games"], 50);
    let players = ["alphabeta(depth=9)", "random"];
    let outcome = json(&[
        "match",
        GAME,
        "--players",
        players[0],
        players[1],
        "--games",
        "40",
        // From other openings even a perfect player may be lost.
        "--openings",
        "none",
        "--json",
    ]);
    assert_eq!(outcome["standings"][0]["player"], players[0]);
    assert_eq!(
        outcome["standings"][0]["losses"], 0,
        "who sees to the end never loses"
    );
    let watched = gamete(&["watch", GAME, "--player", "random"]);
    assert!(watched.status.success());
}

#[test]
fn it_is_evolved_and_reported_with_a_picture() {
    let runs = tempfile::tempdir().expect("a directory");
    let runs = runs.path().to_str().expect("a path");
    let outcome = json(&[
        "evolve",
        GAME,
        "--generations",
        "3",
        "--games",
        "4",
        "--final-games",
        "20",
        "--final-against",
        "random",
        "--runs-dir",
        runs,
        "--name",
        "small",
        "--quiet",
        "--json",
    ]);
    assert!(outcome["champion"]["program"].is_string(), "{outcome}");
    let report = fs::read_to_string(Path::new(runs).join("small/report/index.html"));
    let report = report.expect("a report");
    assert!(
        report.contains(&format!("<title>{GAME}")),
        "a picture of the best game"
    );
}
