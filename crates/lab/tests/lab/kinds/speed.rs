//! The kind `speed`.

use super::{check_flaws, finished, short_steps};

const BOARDS: &str = r#"
name = "boards"
kind = "speed"
game = { name = "tetris", known = 2 }
speed.seconds = 0.05
[[vary]]
speed.board = ["fast", "plain"]
game.generator = ["uniform", "S=2,Z=0.5"]
"#;

#[test]
fn every_board_has_a_speed_and_the_same_outcome() {
    let (_, statuses, bytes) = finished(BOARDS, 2);
    assert_eq!(statuses.len(), 4);
    assert!(
        statuses
            .iter()
            .all(|status| status.times["moves a second"] > 0.0)
    );
    assert!(bytes.iter().all(|outcome| *outcome == bytes[0]));
}

#[test]
fn a_named_player_plays_too() {
    let text = "name = \"named\"\nkind = \"speed\"\nplayer = \"random\"\ngame.name = \"connect\"\n\
                speed = { seconds = 0.01, board = \"plain\" }\n";
    let (_, statuses, _) = finished(text, 1);
    assert!(statuses[0].times["moves a second"] > 0.0);
}

#[test]
fn everything_wrong_is_told_at_once() {
    let text = "name = \"wrong\"\nkind = \"speed\"\nplayer = \"weighted\"\ngame.name = \"tetris\"\n\
                speed.seconds = 0\nspeed.board = \"plain\"\n";
    let told = check_flaws(text, &[(3, "player"), (5, "speed.seconds")]);
    assert!(told.contains("plain board"), "{told}");
    let text = "name = \"wrong\"\nkind = \"speed\"\ngame.name = \"2048\"\nspeed.board = \"slow\"\n";
    check_flaws(text, &[(1, "player"), (4, "speed.board")]);
}

#[test]
fn a_short_form_can_be_read() {
    assert_eq!(short_steps(BOARDS), 1);
}
