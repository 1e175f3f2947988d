//! Commands as a person or a script runs them.

use std::io::Read;
use std::process::{Command, Stdio};

use games::Options;
use games::registry::FAMILIES;
use serde_json::Value;

use crate::gamete::{check_refused, gamete, json};

#[test]
fn bad_input_is_refused_with_what_is_allowed() {
    let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
    let possible = format!("possible values: {}", names.join(", "));
    check_refused(&["measure", "chess"], &possible);
    check_refused(
        &["measure", "2048", "--player", "rnadom"],
        "did you mean 'random'?",
    );
    check_refused(
        &["measure", "2048", "--player", "random(depth=2)"],
        "it takes none",
    );
    check_refused(&["measure", "2048", "--player", "random("], "character 8");
    check_refused(
        &["measure", "2048", "--depth", "3"],
        "'depth' is a parameter of players (minimax,",
    );
    check_refused(
        &["measure", "2048", "--player", "exec(python3 bot.py)"],
        "a program is exec(cmd='python3 bot.py')",
    );
    for text in [
        "exec(cmd=python3 bot.py)",
        "exec:python3 bot.py",
        "exec('python3 bot.py')",
    ] {
        check_refused(
            &["measure", "2048", "--player", text],
            "a program is exec(cmd='python3 bot.py')",
        );
    }
    check_refused(
        &["measure", "2048", "--player", "Cargo.toml"],
        "a program is exec(cmd='./Cargo.toml')",
    );
    check_refused(
        &["measure", "2048", "--games", "1,00"],
        "expected a whole number from 1 to 100000000, e.g. 2500, 100_000, 100,000, 100k or 1e5",
    );
    check_refused(&["measure", "2048", "--size", "9x9"], "3x3 to 5x5");
    check_refused(
        &["measure", "2048", "--rows", "4"],
        "--rows is no rule of 2048",
    );
    check_refused(&["measure", "2048", "--games", "0"], "from 1 to");
    check_refused(&["measure", "2048", "--threads", "0"], "1..=");
    check_refused(
        &["measure", "2048", "--against", "random"],
        "one-player game",
    );
    check_refused(
        &["measure", "2048", "--json", "--csv", "x.csv"],
        "cannot be used with",
    );
    check_refused(&["measure", "connect", "--rows", "0"], "from 1 to 128");
    check_refused(&["measure", "connect", "--connect", "8"], "from 2 to 7");
    check_refused(&["measure", "tetris", "--board", "3x20"], "--board 3x20");
    check_refused(&["perft", "connect", "x"], "invalid value 'x'");
    check_refused(
        &["perft", "connect", "2", "--from", "...x"],
        "should be 6x7",
    );
    check_refused(&["bench", "--seconds", "0"], "above 0");
    check_refused(&["games", "tetras"], "did you mean 'tetris'?");
    check_refused(&["nonsense"], "unrecognized subcommand");
}

#[test]
fn a_file_that_cannot_be_written_stops_before_any_game() {
    let output = gamete(&[
        "measure",
        "2048",
        "--games",
        "100000000",
        "--csv",
        "/no/such/folder/x.csv",
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write /no/such/folder/x.csv"));
}

/// Everything but the times.
fn numbers(mut measurement: Value) -> Value {
    let object = measurement.as_object_mut().expect("an object");
    for key in ["seconds", "threads", "games_per_second", "seconds_per_move"] {
        assert!(object.remove(key).is_some(), "{key}");
    }
    measurement
}

#[test]
fn any_number_of_threads_gives_the_same_numbers() {
    for game in FAMILIES.iter().map(|family| family.name) {
        let measured = ["1", "2", "7"].map(|threads| {
            numbers(json(&[
                "measure",
                game,
                "--games",
                "700",
                "--seed",
                "3",
                "--threads",
                threads,
                "--json",
            ]))
        });
        assert_eq!(measured[0], measured[1], "{game}");
        assert_eq!(measured[0], measured[2], "{game}");
        let other = numbers(json(&[
            "measure", game, "--games", "700", "--seed", "4", "--json",
        ]));
        assert_ne!(
            measured[0]["score"], other["score"],
            "{game}: the seed should matter"
        );
    }
}

#[test]
fn a_measurement_has_the_documented_keys() {
    for family in FAMILIES {
        let (name, game) = (family.name, family.build(&Options::default()).unwrap());
        let measured = json(&["measure", name, "--games", "50", "--json"]);
        let facts = game.facts();
        let facts = facts.iter().map(|(fact, _)| *fact);
        let of_two = ["wins", "draws", "losses", "against"];
        let special: Vec<&str> = match game.seats() {
            1 => facts.collect(),
            _ => facts.chain(of_two).collect(),
        };
        let common = [
            "game", "rules", "player", "games", "seed", "score", "moves", "seconds",
        ];
        for key in common.iter().chain(&special) {
            assert!(!measured[key].is_null(), "{name}: {key}");
        }
        for summary in ["score", "moves"] {
            for key in ["mean", "sd", "median", "min", "max"] {
                assert!(
                    measured[summary][key].is_number(),
                    "{name}: {summary} {key}"
                );
            }
            assert_eq!(measured[summary]["ci95"].as_array().map(Vec::len), Some(2));
        }
    }
}

#[test]
fn wins_draws_and_losses_are_all_games() {
    let measured = json(&["measure", "connect", "--games", "300", "--json"]);
    let games = |key: &str| measured[key]["games"].as_u64().expect("a count");
    assert_eq!(games("wins") + games("draws") + games("losses"), 300);
}

#[test]
fn a_single_game_has_no_interval() {
    let measured = json(&["measure", "2048", "--games", "1", "--json"]);
    assert!(measured["score"]["sd"].is_null() && measured["score"]["ci95"].is_null());
    let output = gamete(&["measure", "2048", "--games", "1"]);
    assert!(output.status.success());
}

#[test]
fn nothing_but_the_result_is_printed_in_a_pipe() {
    let output = gamete(&["measure", "2048", "--games", "20", "--json"]);
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn perft_and_bench_print_the_documented_json() {
    assert_eq!(json(&["perft", "connect", "4", "--json"])["count"], 2401);
    assert_eq!(
        json(&["perft", "connect", "4", "--distinct", "--json"])["count"],
        1120
    );
    let benches = json(&["bench", "--seconds", "0.2", "--json"]);
    let benches = benches.as_array().expect("a list");
    assert!(benches.len() >= 4);
    for bench in benches {
        assert!(bench["name"].is_string() && bench["unit"].is_string());
        assert!(bench["fast"].is_f64());
        // Not everything has a plain way to be done in.
        if let (Some(plain), Some(ratio)) = (bench["plain"].as_f64(), bench["ratio"].as_f64()) {
            let expected = bench["fast"].as_f64().unwrap() / plain;
            assert!((ratio - expected).abs() < 1e-6 * expected, "{bench}");
        }
    }
}

#[test]
fn csv_has_one_number_a_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("measured.csv");
    let output = gamete(&[
        "measure",
        "tetris",
        "--games",
        "30",
        "--csv",
        file.to_str().unwrap(),
    ]);
    assert!(output.status.success());
    let text = std::fs::read_to_string(file).expect("the file was written");
    assert!(
        text.starts_with("game,player,spec,games,seed,quantity,statistic,value\n"),
        "{text}"
    );
    assert!(
        text.contains("tetris,random,random,30,1,lines,mean,"),
        "{text}"
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gamete"))
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gamete runs");
    drop(child.stdout.take());
    let mut message = String::new();
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut message)
        .expect("text");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(message, "");
}

#[test]
fn every_command_has_help_with_examples() {
    let help = String::from_utf8(gamete(&["--help"]).stdout).expect("text");
    let commands: Vec<&str> = help
        .lines()
        .take_while(|line| *line != "Options:")
        .filter(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() >= 20, "{commands:?}");
    for command in commands {
        let help = String::from_utf8(gamete(&[command, "--help"]).stdout).expect("text");
        assert!(help.contains("Examples:\n  gamete "), "{command}: {help}");
    }
}

#[test]
fn there_are_completions_for_several_shells() {
    for shell in ["bash", "zsh", "fish"] {
        let script = String::from_utf8(gamete(&["completions", shell]).stdout).expect("text");
        assert!(script.contains("GAMETE_COMPLETE"), "{shell}: {script}");
    }
}

#[test]
fn a_match_counts_every_game_once() {
    let outcome = json(&[
        "match",
        "connect",
        "--players",
        "greedy",
        "random",
        "minimax(depth=2)",
        "--games",
        "10",
        "--json",
    ]);
    let pairings = outcome["pairings"].as_array().expect("a list");
    assert_eq!(pairings.len(), 3);
    for pairing in pairings {
        let games: u64 = ["wins", "draws", "losses"]
            .iter()
            .map(|key| pairing[key].as_u64().unwrap())
            .sum();
        let started: u64 = pairing["starting"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap())
            .sum();
        assert_eq!((games, started), (10, 5), "{pairing}");
        assert!((0.0..=1.0).contains(&pairing["p"].as_f64().unwrap()));
    }
    let standings = outcome["standings"].as_array().expect("a list");
    let sum: f64 = standings
        .iter()
        .map(|standing| standing["elo"].as_f64().unwrap())
        .sum();
    assert!(sum.abs() < 1e-6, "ratings are relative to their mean");
    assert!(
        standings
            .iter()
            .all(|standing| standing["ci95"].as_array().map(Vec::len) == Some(2))
    );
}

#[test]
fn a_match_is_the_same_for_any_number_of_threads() {
    let run = |threads| {
        json(&[
            "match",
            "2048",
            "--players",
            "greedy",
            "random",
            "--games",
            "40",
            "--threads",
            threads,
            "--json",
        ])
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn a_position_is_solved_with_all_its_moves() {
    let answer = json(&["solve", "connect", "--rows", "4", "--cols", "5", "--json"]);
    assert_eq!(answer["value"], "draw");
    assert_eq!(
        (&answer["score"], &answer["proved"]),
        (&Value::from(0), &Value::from(true))
    );
    assert_eq!(answer["moves"].as_array().map(Vec::len), Some(5));
    assert!(answer["nodes"].is_u64() && answer["seconds"].is_f64());
    let weak = json(&[
        "solve", "connect", "--rows", "4", "--cols", "6", "--weak", "--json",
    ]);
    assert_eq!(weak["value"], "loss");
}

#[test]
fn what_cannot_be_proved_in_time_says_so() {
    let question = ["solve", "connect", "4", "--nodes", "5000", "--json"];
    let from_book = json(&question);
    assert_eq!(from_book["book"], true);
    assert_eq!(from_book["score"], -1);
    let answer = json(&[&question[..], &["--no-book"]].concat());
    assert_eq!(answer["book"], false);
    assert_eq!(answer["proved"], false);
    assert!(answer["value"].is_null() && answer["score"].is_null());
    assert_eq!(answer["between"].as_array().map(Vec::len), Some(2));
}

#[test]
fn impossible_positions_are_not_solved() {
    check_refused(&["solve", "2048"], "only connect");
    check_refused(&["solve", "connect", "48"], "move 2 ('8')");
    check_refused(&["solve", "connect", "1111111"], "move 7");
    check_refused(
        &["solve", "connect", "11223344"],
        "the game is over before it",
    );
    check_refused(&["solve", "connect", "xx...../oo....."], "should be 6x7");
    let floating = "......./......./......./......./x....../.......";
    check_refused(&["solve", "connect", floating], "floats");
    let uneven = "......./......./......./......./......./xx.....";
    check_refused(&["solve", "connect", uneven], "take turns");
    check_refused(&["solve", "connect", "4", "--seconds=-1"], "above 0");
}

#[test]
fn a_file_of_positions_is_checked_line_by_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("positions.txt");
    std::fs::write(&file, "112233 18\n1122334455 0\n").expect("a file");
    let path = file.to_str().unwrap();
    check_refused(&["solve", "connect", "--positions", path], "line 2");
    std::fs::write(&file, "112233 18\n").expect("a file");
    let summary = json(&["solve", "connect", "--positions", path, "--json"]);
    assert_eq!(
        (&summary["agree"], &summary["positions"]),
        (&Value::from(1), &Value::from(1))
    );
}

#[test]
fn games_and_moves_are_written_row_by_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, moves) = (path("games.csv"), path("moves.csv"));
    let measured = json(&[
        "measure",
        "2048",
        "--games",
        "5",
        "--json",
        "--games-csv",
        &games,
        "--moves-csv",
        &moves,
    ]);
    let games = std::fs::read_to_string(games).expect("the file was written");
    assert!(
        games.starts_with("number,score,moves,seconds,seconds_per_move,forfeit,won,highest_tile\n"),
        "{games}"
    );
    assert_eq!(games.lines().count(), 6);
    let moves = std::fs::read_to_string(moves).expect("the file was written");
    let mean = measured["moves"]["mean"].as_f64().unwrap();
    assert_eq!(moves.lines().count() - 1, (5.0 * mean).round() as usize);
}

#[test]
fn players_are_listed_and_explained() {
    let listed = json(&["players", "tetris", "--json"]);
    let names: Vec<&str> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["name"].as_str().unwrap())
        .collect();
    assert!(
        names.contains(&"weighted") && names.contains(&"mcts") && !names.contains(&"perfect"),
        "{names:?}"
    );
    for name in names {
        assert!(
            gamete(&["players", "show", name]).status.success(),
            "{name}"
        );
    }
    check_refused(&["players", "show", "minmax"], "did you mean 'minimax'?");
    check_refused(&["players", "chess"], "expected one of");
}

/// Two games say little, but nothing about fewer than no lines; and forty won games are not all there are.
#[test]
fn intervals_hold_only_what_is_possible() {
    let ends = |value: &serde_json::Value| {
        let ends: Vec<f64> = serde_json::from_value(value["ci95"].clone()).expect("two ends");
        [ends[0], ends[1]]
    };
    let tetris = json(&[
        "measure", "tetris", "--games", "3", "--limit", "30", "--json",
    ]);
    for number in [&tetris["score"], &tetris["moves"], &tetris["lines"]] {
        assert!(ends(number)[0] >= 0.0, "{number}");
    }
    let game = ["--rows", "4", "--cols", "5", "--connect", "3"];
    let players = ["--player", "perfect", "--against", "random"];
    let how = ["--openings", "none", "--games", "40", "--json"];
    let all_won = json(&[&["measure", "connect"][..], &game, &players, &how].concat());
    assert_eq!(all_won["score"]["mean"], 1.0);
    let [low, high] = ends(&all_won["score"]);
    assert!((0.7..0.95).contains(&low) && high == 1.0, "{low} to {high}");
}
