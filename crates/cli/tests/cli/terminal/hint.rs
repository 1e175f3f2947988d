//! Hints in `gamete play`.

use std::process::Command;

use super::pty::{DOWN, ESCAPE, F1, LEFT, Pty, RIGHT};
use super::{gamete, gamete_in};

#[test]
fn directions_are_shown_with_their_values_until_the_next_slide() {
    for (words, player) in [
        ("play 2048 --seed 1", "expectimax(depth=2"),
        ("play 2048 --seed 1 --hint greedy", "greedy"),
    ] {
        let mut pty = gamete(words);
        pty.wait_for("? hint");
        pty.press("?");
        pty.wait_until("the best direction", |text| {
            let marked = text.lines().filter(|line| line.contains(" > ")).count();
            text.contains("Hint  ") && marked == 1
        });
        pty.wait_for(player);
        for direction in ["↑ up", "→ right", "↓ down", "← left"] {
            pty.wait_for(direction);
        }
        // At least one of them changes something.
        pty.press(&format!("{LEFT}{RIGHT}{DOWN}"));
        pty.wait_without("Hint");
        pty.press("q");
        assert_eq!(pty.end().0, 0);
    }
}

#[test]
fn a_placement_is_shown_on_the_board_until_the_piece_lies() {
    for variables in [&[][..], &[("NO_COLOR", "1")][..]] {
        let words = "play tetris --turn-based --seed 1 --shapes I --known 1";
        let mut pty = gamete_in(words, (80, 24), variables);
        pty.wait_for("Hint               ?");
        pty.press("?");
        pty.wait_for("Hint <>");
        pty.wait_until("the suggested place", |text| {
            // Four cells of the board and the name.
            text.matches("<>").count() == 5
        });
        pty.press(LEFT);
        pty.wait_for("Hint <>");
        pty.press(" ");
        pty.wait_for("Pieces             1");
        pty.wait_for("Hint               ?");
        pty.press("q");
        assert_eq!(pty.end().0, 0);
    }
}

#[test]
fn scores_are_shown_over_the_columns_until_the_next_stone() {
    // So near to the end that it is solved in a thousand nodes, far within the time of a hint.
    let mut pty = gamete("play connect --hint perfect(nodes=100000)");
    pty.wait_for(" X  to move");
    pty.press("42254542251376141355624");
    pty.wait_for(" O  to move");
    pty.press("7");
    pty.wait_for(" X  to move");
    pty.press("?");
    pty.wait_for("Hint        column 1");
    pty.wait_for("[+9]   +4    +8    +4    +2    +2    +2");
    pty.press("2");
    pty.wait_without("Hint");
    pty.press("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn columns_are_estimated_until_they_are_proved() {
    // Eight stones and no book: the estimates come long before the proofs.
    let mut pty = gamete("play connect --rows 6 --cols 8 --from 45674567 --hint perfect");
    pty.wait_for(" X  to move");
    pty.press("?");
    pty.wait_for(" %");
    pty.wait_for("still thinking ...");
    pty.press("1");
    pty.wait_without("Hint");
    pty.press("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn keys_are_answered_while_a_hint_is_thought_about_and_it_is_dropped_then() {
    // A bot that never answers: players of our own are stopped after a second or two.
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot.sh");
    let script = r#"echo '{"type":"info"}'; read rules; echo '{"type":"ready"}'; while read line; do :; done"#;
    std::fs::write(&bot, script).unwrap();
    let bot = format!("exec(cmd='exec sh {}', time=1h, start=1h)", bot.display());
    let words = ["play", "connect", "--hint", &bot];
    let mut pty = Pty::start(env!("CARGO_BIN_EXE_gamete"), &words, (80, 24), &[]);
    pty.wait_for(" X  to move");
    pty.press("?");
    pty.wait_for("Hint    thinking ...");
    pty.press("4");
    pty.wait_for(" O  to move");
    pty.wait_without("Hint");
    pty.press("?");
    pty.wait_for("Hint    thinking ...");
    pty.press(ESCAPE);
    pty.wait_without("Hint");
    pty.press("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn help_has_keys_of_its_own() {
    for (words, keys) in [
        ("play 2048", &["i", F1][..]),
        ("play tetris", &["i", F1]),
        ("play connect", &["i", F1]),
        ("watch 2048 --delay 1h", &["i", F1]),
    ] {
        let mut pty = gamete(words);
        pty.wait_for("q leave");
        for key in keys {
            pty.press(key);
            pty.wait_for("any key closes this");
            pty.press("i");
            pty.wait_without("any key closes this");
        }
        pty.press("q");
        assert_eq!(pty.end().0, 0, "{words}");
    }
}

#[test]
fn the_perfect_player_answers_and_keys_are_answered_meanwhile() {
    let mut pty = gamete("play connect --player perfect --second --move-time 300ms");
    pty.wait_for("·X·");
    pty.wait_for(" O  to move");
    pty.press("1");
    pty.wait_for(" O  to move");
    pty.press("q");
    assert_eq!(pty.end().0, 0);

    // On a board without an opening book it may think for long.
    let mut pty = gamete("play connect --rows 7 --player perfect --move-time 1h");
    pty.wait_for("X you");
    pty.press("4");
    pty.wait_for(" O  thinks ...");
    pty.press("u");
    pty.wait_for(" X  to move");
    pty.press("4");
    pty.wait_for(" O  thinks ...");
    pty.press("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn wrong_players_of_hints_are_refused_before_the_screen_opens() {
    let check = |words: &[&str], part: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_gamete"))
            .arg("play")
            .args(words)
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(error.contains(part), "{error}");
    };
    check(&["2048", "--hint", "gredy"], "did you mean 'greedy'");
    check(&["2048", "--hint", "perfect"], "plays only connect");
    check(&["tetris", "--hint", "greedy(depth=2)"], "no parameter");
    check(&["connect", "--hint", "perfect(nodes="], "nodes");
    check(&["connect", "--move-time", "1s"], "--player");
    check(
        &["connect", "--player", "random", "--move-time", "soon"],
        "--move-time",
    );
}

#[test]
fn a_game_begins_where_it_is_told() {
    let mut pty = gamete("play connect --from 112233");
    pty.wait_for(" X  to move");
    pty.press("4");
    pty.wait_for("X won!");
    pty.press("q");
    assert_eq!(pty.end().0, 0);

    let mut pty = gamete("play 2048 --from aa00/0000/0000/0000");
    pty.wait_for("1024");
    pty.press(LEFT);
    pty.wait_for("You won: 2048!");
    pty.press("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn a_position_that_cannot_be_is_refused_before_the_screen_opens() {
    for (words, part) in [
        ("connect --from 48", "--from: not a position: move 2"),
        ("connect --from 1111111", "--from: "),
        ("connect --from 1212121", "the game is over"),
        ("2048 --from 3", "--from: "),
        (
            "2048 --player random --from 2",
            "--from: 2048 is a one-player game",
        ),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_gamete"))
            .arg("play")
            .args(words.split(' '))
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words}: {error}");
        assert!(error.contains(part), "{words}: {error}");
    }
}

#[test]
fn a_long_proof_shows_how_far_it_is() {
    // No book for this board, and more to search than a second's worth.
    let mut pty = gamete("solve connect --rows 7 --cols 8 --seconds 3");
    pty.wait_for(" positions");
    assert_eq!(pty.end().0, 0);
}
