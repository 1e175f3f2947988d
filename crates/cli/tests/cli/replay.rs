//! `gamete watch --save` and `--replay`: games kept in files and shown again.

use std::fs;
use std::path::Path;

use crate::gamete::{check_refused, gamete};

/// What a command prints, up to the times, which differ.
fn told(arguments: &[&str]) -> String {
    let output = gamete(arguments);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {message}");
    let text = String::from_utf8(output.stdout).expect("text");
    let numbers = text.split("time a move").next().unwrap_or_default();
    // The times make the column wider.
    numbers.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of letters")
}

#[test]
fn a_saved_game_tells_the_same_when_shown_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = [
        "2048 --seed 5",
        "2048 --rules fer --size 3x5",
        "tetris",
        "tetris --board 6x12 --gravity cascade",
        "tetris --shapes pentominoes --known 3",
        "connect --player random --against greedy",
        "connect --rows 9 --cols 10 --connect 5",
    ];
    for (number, words) in games.into_iter().enumerate() {
        let path = folder.path().join(format!("{number}.json"));
        let mut watch: Vec<&str> = ["watch"].into_iter().chain(words.split(' ')).collect();
        watch.extend(["--save", text(&path)]);
        let before = told(&watch);
        assert!(before.contains("over after"), "{before}");
        assert_eq!(told(&["watch", "--replay", text(&path)]), before, "{words}");
        check_refused(&watch, "the file exists already");
    }
}

#[test]
fn a_file_says_game_rules_and_players() {
    let file = "--replay=game.json";
    check_refused(&["watch"], "<GAME>");
    check_refused(&["watch", "2048", file], "cannot be used with");
    check_refused(
        &["watch", file, "--player", "random"],
        "cannot be used with",
    );
    check_refused(&["watch", file, "--seed", "1"], "cannot be used with");
    check_refused(
        &["watch", file, "--save", "other.json"],
        "cannot be used with",
    );
    check_refused(
        &["watch", file, "--size", "4x4"],
        "--size: the file says which rules hold",
    );
}

#[test]
fn what_cannot_be_shown_or_kept_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.json");
    let replay = ["watch", "--replay", text(&path)];
    check_refused(&replay, "cannot read the replay");
    fs::write(&path, "{}").expect("written");
    check_refused(&replay, "is not a replay: missing field");
    fs::remove_file(&path).expect("removed");
    told(&["watch", "connect", "--save", text(&path)]);
    let kept = fs::read_to_string(&path).expect("a file");
    fs::write(&path, kept.replacen("\"steps\":[\"", "\"steps\":[\"9", 1)).expect("written");
    check_refused(&replay, "step 1: ");

    let nowhere = folder.path().join("none").join("game.json");
    check_refused(&["watch", "2048", "--save", text(&nowhere)], "cannot write");
    let unused = folder.path().join("unused.json");
    check_refused(
        &[
            "watch",
            "2048",
            "--player",
            "nobody",
            "--save",
            text(&unused),
        ],
        "nobody",
    );
    assert!(!unused.exists(), "no file without a game");
}
