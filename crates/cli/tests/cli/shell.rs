//! What shells complete, and games that do not end.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::gamete::{check_refused, json};
use crate::shown::workspace;

/// What bash offers after these words; the last one is being typed.
fn offered(words: &[&str]) -> Vec<String> {
    offered_in(&workspace(), words)
}

fn offered_in(place: &Path, words: &[&str]) -> Vec<String> {
    let script = r#"
        source <(gamete completions bash)
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_TYPE=9; COMPREPLY=()
        function=$(complete -p gamete | sed 's/.*-F \([^ ]*\) .*/\1/')
        "$function" gamete "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}""#;
    let output = with_gamete("bash")
        .args(["-c", script, "bash"])
        .args(words)
        .current_dir(place)
        .output()
        .expect("bash runs");
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success(), "{told}");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(|line| line.trim().to_owned()).collect()
}

/// A shell that finds the program.
fn with_gamete(shell: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_gamete"));
    let folder = program.parent().expect("it is in a directory").display();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(shell);
    command.env("PATH", format!("{folder}:{path}"));
    command
}

#[test]
fn bash_completes_players_of_the_game_presets_and_studies() {
    let of_tetris = offered(&["gamete", "measure", "tetris", "--player", ""]);
    assert!(of_tetris.contains(&"beam".to_owned()), "{of_tetris:?}");
    assert!(
        !of_tetris.contains(&"expectimax".to_owned()),
        "{of_tetris:?}"
    );
    let typed = offered(&["gamete", "match", "2048", "expecti"]);
    assert_eq!(typed, ["expectimax"]);
    let presets = offered(&["gamete", "evolve", "2048", "--preset", "2048-ga-"]);
    assert_eq!(presets, ["2048-ga-as-published"]);
    let studies = offered(&["gamete", "run", "studies/quick/20"]);
    let of_2048 = ["studies/quick/2048-train.toml", "studies/quick/2048.toml"];
    assert_eq!(studies, of_2048);
}

#[test]
fn bash_completes_networks_where_players_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["my.network", "my.json", "my.txt"] {
        std::fs::write(folder.path().join(name), "").expect("a file");
    }
    for words in [
        &["gamete", "measure", "2048", "--player", "my"][..],
        &["gamete", "players", "show", "my"],
    ] {
        assert_eq!(offered_in(folder.path(), words), ["my.json", "my.network"]);
    }
}

#[test]
fn bash_completes_runs_that_are_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = folder.path().join("runs/my-study");
    std::fs::create_dir_all(&study).expect("a folder");
    std::fs::write(study.join("study.toml"), "").expect("a study");
    assert_eq!(
        offered_in(folder.path(), &["gamete", "show", "my"]),
        ["my-study"]
    );
}

/// Zsh autoloads the script as a function when it first completes a command; the functions of its completion stand in here.
#[test]
fn zsh_completes_at_the_first_tab() {
    if Command::new("zsh").arg("--version").output().is_err() {
        eprintln!("skipped: there is no zsh");
        return;
    }
    let script = r#"
        fpath=($1); gamete completions zsh > $1/_gamete
        compdef() { }
        _describe() { print -l ${(P)3} }
        words=(gamete measure connect --player perf) CURRENT=5
        autoload -Uz _gamete; _gamete"#;
    let folder = tempfile::tempdir().expect("a folder");
    let output = with_gamete("zsh")
        .args(["-fc", script, "zsh"])
        .arg(folder.path())
        .output();
    let output = output.expect("zsh runs");
    let told = String::from_utf8(output.stdout).expect("text");
    assert!(told.starts_with("perfect:"), "{told}");
}

/// This player's games take millions of moves.
#[test]
fn games_that_do_not_end_are_told_with_what_limits_them() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gamete"))
        .args(["measure", "tetris", "--player", "weighted(features=bcts)"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gamete runs");
    let told = BufReader::new(child.stderr.take().expect("a pipe"));
    let note = told
        .lines()
        .map_while(Result::ok)
        .find(|line| line.starts_with("note: "));
    child.kill().expect("it can be ended");
    child.wait().expect("it ends");
    let note = note.expect("a note");
    // A game or two may have ended by then.
    assert!(note.contains("1,000 of them would take"), "{note}");
    assert!(note.contains("--limit 10000"), "{note}");
}

#[test]
fn a_player_in_the_place_of_a_game_is_told_how_it_is_explained() {
    check_refused(
        &["players", "expectimax"],
        "'gamete players show expectimax' explains it",
    );
}

#[test]
fn a_count_that_takes_years_is_refused() {
    check_refused(&["perft", "connect", "60"], "60 plies would take years");
}

#[test]
fn players_of_a_one_player_game_are_matched_by_name_and_have_scores() {
    let played = json(&[
        "match", "2048", "random", "greedy", "--games", "20", "--json",
    ]);
    let best = &played["standings"][0];
    assert_eq!(best["player"], "greedy");
    let mean = best["score"]["mean"].as_f64().expect("a mean");
    let interval = &best["score"]["ci95"];
    let end = |place: usize| interval[place].as_f64().expect("an end");
    assert!(end(0) < mean && mean < end(1), "{best}");
    let difference = &played["pairings"][0]["difference"];
    let other = played["standings"][1]["score"]["mean"]
        .as_f64()
        .expect("a mean");
    let ahead = difference["mean"].as_f64().expect("a mean");
    assert!((other - mean - ahead).abs() < 1e-6, "{difference}");
    check_refused(&["match", "2048", "random"], "two players or more");
}
