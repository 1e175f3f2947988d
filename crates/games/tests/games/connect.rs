//! Connect-N: lines in every direction, impossible positions.

use games::connect::{Connect, Position, Rules};
use games::{Game, Turn};

fn connect(rules: &str) -> Connect<u64> {
    Connect::new(Rules::from_options(&rules.parse().expect("options")).expect("allowed rules"))
}

fn check_winner(rules: &str, moves: &str, winner: Option<u8>) {
    let game = connect(rules);
    let position = game.position_after(moves).expect("legal moves");
    assert_eq!(
        game.winner(&position),
        winner,
        "{rules} {moves}\n{position:#}"
    );
    assert_eq!(
        game.turn(&position) == Turn::Over,
        winner.is_some(),
        "{rules} {moves}"
    );
}

#[test]
fn a_line_wins_in_every_direction() {
    check_winner("", "1122334", Some(0));
    check_winner("", "4545454", Some(0));
    check_winner("", "12233434474", Some(0));
    check_winner("", "76655454414", Some(0));
    check_winner("", "112233", None);
    check_winner("connect=3", "11223", Some(0));
    check_winner("rows=1 cols=6 connect=2", "124", None);
    check_winner("rows=1 cols=6 connect=2", "132", Some(0));
}

#[test]
fn a_line_does_not_go_round_the_edge() {
    // Three at the top of a column and one at the bottom of the next are four neighbouring bits.
    check_winner("rows=4 cols=4", "2113131", None);
}

#[test]
fn the_game_is_drawn_when_the_pieces_are_used_up() {
    let game = connect("pieces=2");
    let position = game.position_after("1234").expect("legal moves");
    assert_eq!(game.turn(&position), Turn::Over);
    assert_eq!(game.score(&position), 0);
}

#[test]
fn columns_beyond_nine_are_written_apart() {
    let game = connect("rows=4 cols=12");
    let position = game.position_after("10-3-10").expect("legal moves");
    assert_eq!(
        position.to_string(),
        "............/............/.........x../..o......x.."
    );
    let error = game
        .position_after("1-13")
        .expect_err("there are 12 columns")
        .to_string();
    assert!(error.contains("move 2 ('13')"), "{error}");
}

fn check_refused(text: &str, why: &str) {
    let game = connect("rows=4 cols=4 connect=3");
    let position: Position<u64> = text.parse().expect("a board");
    let error = game
        .check(&position)
        .expect_err("an impossible position")
        .to_string();
    assert!(error.contains(why), "{error}");
}

#[test]
fn impossible_positions_are_refused_with_the_reason() {
    check_refused("..../..../..../x.x.", "x has 2 stones and o 0");
    check_refused("..../..../x.../.o..", "floats");
    check_refused("..../..../....", "should be 4x4");
    check_refused("..../..../ooo./xxx.", "had already won");
}

#[test]
fn two_lines_of_the_last_stone_are_possible_and_two_apart_are_not() {
    let game = connect("rows=4 cols=7 connect=3");
    let one_stone: Position<u64> = "......./......./oo.o.../xxxxxo.".parse().expect("a board");
    assert_eq!(game.check(&one_stone), Ok(()));
    let apart: Position<u64> = "......./o....../oo...oo/xxx.xxx".parse().expect("a board");
    let error = game.check(&apart).expect_err("won twice").to_string();
    assert!(error.contains("won twice"), "{error}");
}
