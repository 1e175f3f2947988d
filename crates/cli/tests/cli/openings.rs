//! Where games begin, and when a match has been decided: what is refused, and with which words.

use crate::gamete::{check_refused, json};

/// Two players of Connect Four with more options.
fn check_match_refused(more: &[&str], expected: &str) {
    let players = ["match", "connect", "--players", "weighted", "random"];
    check_refused(&[&players, more].concat(), expected);
}

#[test]
fn wrong_openings_are_refused_with_what_is_allowed() {
    let known = "expected balanced, none or random(plies=N), or the path of a file";
    check_match_refused(&["--openings", "usual"], known);
    check_match_refused(&["--openings", "no/such/file"], known);
    check_match_refused(
        &["--openings", "random(plies=0)"],
        "must be a number from 1 to 100\n",
    );
    check_match_refused(
        &["--openings", "balanced(plies=2)"],
        "balanced has no parameter 'plies'; it takes none\n",
    );
    check_match_refused(
        &["--openings", "random(plies=60)"],
        "no position after 60 plies lets both sides play on; try fewer",
    );
    check_refused(
        &["measure", "2048", "--openings", "random(plies=2)"],
        "2048 has no openings: its games differ by chance",
    );
    for option in ["--openings", "--final-openings"] {
        check_refused(
            &["evolve", "connect", option, "usual"],
            &format!(
                "{option}: 'usual' are no openings; expected balanced, none or random(plies=N)"
            ),
        );
    }
}

#[test]
fn positions_of_a_file_are_checked_by_their_number() {
    let place = tempfile::tempdir().expect("a directory");
    let file = place.path().join("openings.txt");
    let path = file.to_str().expect("a path");
    let rows = "......./......./......./......./";
    let (good, over) = (
        format!("{rows}......./xo....."),
        format!("{rows}ooo..../xxxx..."),
    );
    for (text, expected) in [
        (
            "# nothing\n",
            "there are no openings; expected one position per line",
        ),
        (&format!("{good}\n4x\n"), "opening 2: not a position"),
        (
            &format!("{good}\n{over}\n"),
            "opening 2: the game is over there",
        ),
    ] {
        std::fs::write(&file, text).expect("a file");
        check_match_refused(&["--openings", path], expected);
    }
}

#[test]
fn bounds_of_a_sequential_test_are_refused_with_what_is_allowed() {
    let check = |more: &[&str], expected: &str| {
        check_match_refused(&[&["--until", "decided"], more].concat(), expected);
    };
    check_match_refused(&["--until", "bored"], "possible values: decided");
    check_match_refused(&["--elo1", "5"], "--until <WHEN>");
    for option in ["--elo0", "--elo1"] {
        for value in ["x", "nan", "-1001"] {
            check(&[option, value], "must be a number from -1000 to 1000");
        }
    }
    check(
        &["--elo0", "20", "--elo1", "20"],
        "--elo0 20 --elo1 20: the first must be below the second",
    );
    for option in ["--alpha", "--beta"] {
        for value in ["0", "0.5", "x"] {
            check(&[option, value], "must be a number from 0.0001 to 0.4");
        }
    }
    check_refused(
        &[
            "match",
            "connect",
            "--players",
            "weighted",
            "random",
            "greedy",
            "--until",
            "decided",
        ],
        "--until decided: needs two players, not 3",
    );
}

#[test]
fn a_check_says_where_games_begin() {
    let place = tempfile::tempdir().expect("a directory");
    let study = place.path().join("study.toml");
    let text = "name = 'opened'\n[game]\nname = 'connect'\n[fitness]\nagainst = ['greedy']\ngames = 2\n\
                [stop]\ngenerations = 1\n[final]\ngames = 2\nagainst = 'greedy'\n";
    std::fs::write(&study, text).expect("a file");
    let runs = place.path().join("runs");
    let (study, runs) = (
        study.to_str().expect("a path"),
        runs.to_str().expect("a path"),
    );
    let checked = json(&["study", "check", study, "--runs-dir", runs, "--json"]);
    let openings = &checked["settings"][0]["openings"];
    assert_eq!(openings, "fitness balanced, final balanced");
}
