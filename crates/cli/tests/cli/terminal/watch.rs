//! `gamete watch`.

use std::process::Command;

use games::registry::FAMILIES;

use super::gamete;
use super::pty::CTRL_C;

#[test]
fn a_game_is_shown_to_its_end_and_told() {
    for game in FAMILIES.iter().map(|family| family.name) {
        let mut pty = gamete(&format!("watch {game} --player random --delay 1ms"));
        pty.wait_for("q leaves");
        pty.press("q");
        let (code, text) = pty.end();
        assert_eq!(code, 0);
        let start = format!("{game} by random");
        assert!(text.starts_with(&start), "{text}");
        assert!(text.contains("over after"), "{text}");
        assert!(text.contains("time a move"), "{text}");
    }
}

#[test]
fn it_pauses_steps_and_changes_its_delay() {
    let mut pty = gamete("watch tetris --delay 1h");
    pty.wait_for("3600000 ms");
    pty.press("s");
    pty.wait_for("Moves              1");
    pty.wait_for("paused");
    pty.press("n");
    pty.wait_for("Moves              2");
    pty.press(" ");
    pty.wait_for("3600000 ms");
    pty.press("q");
    let (code, text) = pty.end();
    assert_eq!(code, 0);
    assert!(text.contains("left after 2 moves"), "{text}");
    let mut pty = gamete("watch tetris --delay 1h");
    pty.wait_for("3600000 ms");
    pty.press("-");
    pty.wait_for("5000 ms");
    pty.press(" ");
    pty.wait_for("paused");
    pty.press("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn the_times_of_all_moves_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("times.csv");
    let watch = || {
        Command::new(env!("CARGO_BIN_EXE_gamete"))
            .args(["watch", "connect", "--against", "greedy", "--times"])
            .arg(&file)
            .output()
            .unwrap()
    };
    let output = watch();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("total time"), "{told}");
    let (_, moves) = told.split_once("over after ").unwrap();
    let moves: usize = moves.split(' ').next().unwrap().parse().unwrap();
    let times = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = times.lines().collect();
    assert_eq!(lines[0], "move,seat,seconds");
    assert_eq!(lines.len(), moves + 1);
    for (number, line) in lines.iter().enumerate().skip(1) {
        let start = format!("{number},{},", (number - 1) % 2);
        assert!(line.starts_with(&start), "{line}");
        assert!(line[start.len()..].parse::<f64>().unwrap() > 0.0, "{line}");
    }
    let again = watch();
    assert_eq!(again.status.code(), Some(2));
    let told = String::from_utf8(again.stderr).unwrap();
    assert!(told.contains("--times"), "{told}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), times);
}

#[test]
fn ctrl_c_leaves_with_what_was_seen() {
    let mut pty = gamete("watch 2048 --delay 1h");
    pty.wait_for("Moves              0");
    pty.press(CTRL_C);
    let (code, text) = pty.end();
    assert_eq!(code, 130);
    assert!(text.contains("left after 0 moves"), "{text}");
}

#[test]
fn a_game_that_was_left_is_kept_and_shown_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json");
    let mut pty = gamete(&format!("watch 2048 --delay 1h --save {}", file.display()));
    for moves in 1..=3 {
        pty.press("s");
        pty.wait_for(&format!("Moves              {moves}"));
    }
    pty.press("q");
    assert_eq!(pty.end().0, 0);
    let mut pty = gamete(&format!("watch --replay {} --delay 1h", file.display()));
    pty.wait_for("Moves              0");
    pty.press("s");
    pty.wait_for("Moves              1");
    for _ in 0..12 {
        pty.press("-");
    }
    pty.press(" ");
    pty.wait_for("Left here");
    pty.press("q");
    let (code, text) = pty.end();
    assert_eq!(code, 0);
    assert!(
        text.starts_with("2048 by random, seed 1: left after 3 moves"),
        "{text}"
    );
}

#[test]
fn in_a_pipe_only_the_statistics_are_printed() {
    let watch = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_gamete"))
            .args(words)
            .output()
            .unwrap();
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{output:?}"
        );
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(!text.contains('\x1b'), "{text}");
        // All but the time, and the width of its column, is the same every time.
        let (before, _) = text.split_once("time a move").unwrap();
        before.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let words = [
        "watch",
        "connect",
        "--against",
        "random",
        "--seed",
        "7",
        "--delay",
        "1h",
    ];
    let text = watch(&words);
    assert!(
        text.starts_with("connect by random against random, seed 7: over after"),
        "{text}"
    );
    assert_eq!(watch(&words), text);
    assert_ne!(watch(&["watch", "connect", "--seed", "8"]), text);
}
