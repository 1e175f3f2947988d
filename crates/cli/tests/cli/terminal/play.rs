//! `gamete play`.

use std::process::{Command, Stdio};

use games::registry::FAMILIES;

use super::pty::{CTRL_C, DOWN, ESCAPE, LEFT, RIGHT, UP};
use super::{gamete, gamete_in};

#[test]
fn slides_are_counted_taken_back_and_begun_anew() {
    let mut pty = gamete("play 2048 --seed 1");
    pty.wait_for("Moves              0");
    pty.press(LEFT);
    pty.wait_for("Moves              1");
    pty.press("k");
    pty.wait_for("Moves              2");
    pty.press("u");
    pty.wait_for("Moves              1");
    pty.press("d");
    pty.wait_for("Moves              2");
    pty.press(ESCAPE);
    pty.wait_for("Moves              0");
    pty.press("q");
    let (code, text) = pty.end();
    assert_eq!(code, 0);
    assert!(text.starts_with("2048: score 0, best "), "{text}");
    assert_eq!(text.trim_end().lines().count(), 1, "{text}");
}

#[test]
fn winning_is_told_once_and_losing_keeps_the_best_score() {
    let mut pty = gamete("play 2048 --seed 2 --win 8 --size 3x3");
    pty.wait_for("Goal               8");
    while !pty.text().contains("You won: 8!") {
        press_round(&mut pty);
    }
    pty.press("u");
    pty.wait_without("You won");
    while !pty.text().contains("Game over") {
        press_round(&mut pty);
    }
    let best = pty.best_scores();
    assert!(
        best.contains("2048 four=0.1 rules=standard size=3x3"),
        "{best}"
    );
    pty.press("q");
    let (code, text) = pty.end();
    assert_eq!(code, 0);
    assert!(text.contains("highest tile "), "{text}");
}

fn press_round(pty: &mut super::pty::Pty) {
    for key in [LEFT, DOWN, RIGHT, UP] {
        let before = pty.text();
        if before.contains("You won") || before.contains("Game over") {
            return;
        }
        pty.press(key);
        // A slide that changes nothing shows nothing new; help opened and closed shows it was read.
        pty.press("i");
        pty.wait_for("any key closes this");
        pty.press("x");
        pty.wait_without("any key closes this");
    }
}

#[test]
fn stopping_at_the_win_is_the_end() {
    let mut pty = gamete("play 2048 --seed 2 --win 8 --stop-at-win --rules fer --size 5x5");
    pty.wait_for("Goal               8");
    while !pty.text().contains("You won: 8!") {
        press_round(&mut pty);
    }
    pty.press(&format!("{LEFT}x{DOWN}"));
    pty.press(ESCAPE);
    pty.wait_for("Moves              0");
    pty.press("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn ctrl_c_and_signals_give_the_terminal_back() {
    for game in FAMILIES.iter().map(|family| family.name) {
        let mut pty = gamete(&format!("play {game}"));
        pty.wait_for("q leave");
        pty.press(CTRL_C);
        let (code, text) = pty.end();
        assert_eq!(code, 130, "{game}");
        assert!(text.starts_with(&format!("{game}: ")), "{text}");
    }
    for signal in ["TERM", "HUP", "INT"] {
        let mut pty = gamete("play tetris");
        pty.wait_for("q leave");
        // A closed window sends its signal more than once.
        pty.signal_twice(signal);
        assert_eq!(pty.end().0, 130, "{signal}");
        assert!(pty.best_scores().contains("tetris"), "{signal}");
    }
}

#[test]
fn a_small_window_says_so_and_recovers() {
    let mut pty = gamete_in("play tetris --turn-based --seed 1", (80, 20), &[]);
    pty.wait_for("needs a window of at least 45x23");
    pty.resize((100, 30));
    pty.wait_for("Pieces             0");
    pty.press(" ");
    pty.wait_for("Pieces             1");
    pty.resize((30, 10));
    pty.wait_for("needs a window");
    pty.resize((80, 24));
    pty.wait_for("Pieces             1");
    pty.resize((1, 1));
    pty.resize((20, 5));
    pty.wait_for("This game needs");
    pty.press("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn boards_larger_than_the_window_say_what_they_need() {
    for (words, size) in [
        ("play connect --rows 2 --cols 64", "153x9"),
        ("play tetris --board 16x40", "57x43"),
        ("watch tetris --board 16x40", "57x43"),
    ] {
        let mut pty = gamete(words);
        pty.wait_for(&format!("at least {size}"));
        pty.press("q");
        assert_eq!(pty.end().0, 0, "{words}");
    }
}

#[test]
fn pieces_are_moved_turned_and_dropped_without_a_clock() {
    let mut pty = gamete("play tetris --turn-based --shapes I --known 3");
    let full = "[][][][]";
    pty.wait_until("piece in the middle", |text| {
        line_of(text, full).starts_with(&wall(3))
    });
    pty.press(LEFT);
    pty.wait_until("piece moved", |text| {
        line_of(text, full).starts_with(&wall(2))
    });
    pty.press("s");
    pty.wait_until("piece a row lower", |text| {
        text.lines()
            .position(|line| line.contains(&format!("{}{full}", wall(2))))
            == Some(3)
    });
    pty.press(UP);
    pty.wait_until("piece upright", |text| {
        text.lines().filter(|line| line.contains("·[] ·")).count() == 4
    });
    pty.press("\r");
    pty.wait_for("Pieces             1");
    pty.press("q");
    let (code, text) = pty.end();
    assert_eq!(
        (code, text.trim_end()),
        (0, "tetris: score 0, best 0, 0 lines")
    );
}

/// The wall and this many empty cells.
fn wall(cells: usize) -> String {
    format!("│{}", " ·".repeat(cells))
}

/// The first line with this in it, from the wall on.
fn line_of<'a>(text: &'a str, part: &str) -> &'a str {
    let line = text.lines().find(|line| line.contains(part)).unwrap_or("");
    line.trim_start()
}

#[test]
fn pieces_fall_by_themselves_pause_and_the_end_is_told() {
    let mut pty = gamete("play tetris --board 4x6 --shapes O --known 1");
    // If it is looked for too late, it lies already.
    pty.wait_until("the piece falls", |text| {
        let is_lower = text.lines().position(|line| line.contains("[]")) > Some(9);
        is_lower || text.contains("Pieces             1")
    });
    pty.press("p");
    pty.wait_for("Paused");
    pty.press("p");
    pty.wait_without("Paused");
    pty.press("   ");
    pty.wait_for("Game over");
    pty.wait_for("Pieces             3");
    pty.press(ESCAPE);
    pty.wait_without("Game over");
    pty.press("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn two_people_win_take_back_and_draw() {
    let mut pty = gamete("play connect --rows 2 --cols 3 --connect 3");
    pty.wait_for(" X  to move");
    pty.press(&format!("{LEFT}{DOWN}"));
    pty.wait_for(" O  to move");
    pty.press(&format!(" {RIGHT}\r"));
    pty.wait_for(" O  to move");
    pty.press("23");
    pty.wait_for("X won!");
    pty.wait_for("[X] │ [X] │ [X]");
    pty.press("u");
    pty.wait_without("X won!");
    pty.press(ESCAPE);
    pty.wait_without("│  O");
    pty.press("123213");
    pty.wait_for("Drawn              1");
    pty.press("q");
    let (code, text) = pty.end();
    assert_eq!(
        (code, text.trim_end()),
        (0, "connect: X won 0, O won 0, drawn 1")
    );
}

#[test]
fn a_player_answers_and_may_begin() {
    let mut pty = gamete("play connect --player random --seed 5");
    pty.wait_for("X you");
    pty.press("4");
    pty.wait_until("an answer", |text| {
        text.contains("O  │") || text.contains("·O·")
    });
    pty.wait_for(" X  to move");
    pty.press("u");
    pty.wait_without("·O·");
    pty.press("q");
    let (code, text) = pty.end();
    assert_eq!(
        (code, text.trim_end()),
        (0, "connect: X you won 0, O random won 0, drawn 0")
    );

    let mut pty = gamete("play connect --player random --second --seed 5");
    pty.wait_for("O you");
    pty.wait_for("·X·");
    pty.wait_for(" O  to move");
    pty.press("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn a_person_wins_or_loses_against_a_player() {
    let mut pty = gamete("play connect --player random --seed 5 --rows 2 --cols 12 --connect 2");
    pty.wait_for("X you");
    pty.press("1");
    pty.wait_for("·O·");
    pty.press("2");
    pty.wait_for("You won!");
    pty.press(ESCAPE);
    pty.wait_without("You won!");
    // The person's stones never touch, and the player does not miss two in a line for ever.
    for column in ["1", "3", "5", "7", "9"] {
        let before = pty.text();
        pty.press(column);
        pty.wait_until("an answer", |text| {
            text != before && (text.contains(" X  to move") || text.contains("You lost"))
        });
        if pty.text().contains("You lost") {
            break;
        }
    }
    pty.wait_for("You lost");
    pty.press("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn no_color_takes_all_colours_away() {
    for game in FAMILIES.iter().map(|family| family.name) {
        let words = format!("play {game}");
        for (variables, coloured) in [(&[][..], true), (&[("NO_COLOR", "1")][..], false)] {
            let mut pty = gamete_in(&words, (80, 24), variables);
            pty.wait_for("q leave");
            assert_eq!(pty.has_colours(), coloured, "{game}");
            pty.press("q");
            assert_eq!(pty.end().0, 0);
        }
    }
}

#[test]
fn without_a_terminal_one_line_says_so() {
    let output = Command::new(env!("CARGO_BIN_EXE_gamete"))
        .args(["play", "2048"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("play needs a terminal"), "{error}");
}

#[test]
fn what_does_not_fit_the_game_is_refused() {
    let check = |words: &[&str], part: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_gamete"))
            .args(words)
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(error.contains(part), "{error}");
    };
    for option in [
        &["--second"][..],
        &["--hint", "greedy"],
        &["--move-time", "1s"],
    ] {
        let words = [&["play", "2048", "--player", "random"], option].concat();
        check(&words, "you only watch");
    }
    check(
        &["play", "connect", "--turn-based"],
        "--turn-based is for tetris",
    );
    check(&["play", "connect", "--second"], "--player");
    check(
        &["play", "connect", "--player", "randon"],
        "did you mean 'random'",
    );
    check(
        &["watch", "tetris", "--against", "random"],
        "is a one-player game",
    );
    check(&["watch", "tetris", "--delay", "fast"], "--delay");
}

#[test]
fn the_menu_starts_a_game_for_me() {
    let mut pty = gamete("play --seed 1");
    pty.wait_for("Who plays");
    pty.press(RIGHT);
    pty.wait_for("gamete play tetris");
    pty.press(LEFT);
    pty.wait_for("gamete play 2048");
    pty.press("\r");
    pty.wait_for("Moves              0");
    pty.press(LEFT);
    pty.wait_for("Moves              1");
    pty.press("q");
    let (code, text) = pty.end();
    assert_eq!(code, 0);
    assert!(text.starts_with("2048: score "), "{text}");
}

#[test]
fn the_menu_lets_an_algorithm_play() {
    let mut pty = gamete("play --seed 1");
    pty.wait_for("Who plays");
    for key in [DOWN, RIGHT, DOWN] {
        pty.press(key);
    }
    pty.wait_for("Algorithm");
    while !pty.text().contains("--player 'minimax'") {
        let before = pty.text();
        pty.press(RIGHT);
        pty.wait_until("another player", |window| window != before);
    }
    pty.press(DOWN);
    pty.press("2");
    pty.wait_for("minimax(depth=2)");
    pty.press("\r");
    pty.wait_for("pause");
    pty.press("q");
    let (code, text) = pty.end();
    assert_eq!(code, 0);
    assert!(
        text.starts_with("2048 by minimax(depth=2), seed 1"),
        "{text}"
    );
}

#[test]
fn the_menu_can_be_left() {
    for key in ["q", CTRL_C] {
        let mut pty = gamete("play");
        pty.wait_for("Who plays");
        pty.press(key);
        let (code, text) = pty.end();
        assert_eq!(code, if key == "q" { 0 } else { 130 });
        assert_eq!(text, "");
    }
}
