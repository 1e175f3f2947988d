//! Screens of Tetris.

use std::sync::mpsc::Receiver;

use games::stream;
use games::tetris::{Falling, Piece};

use super::fall::FIRST_PACE;
use super::fall::tests::fall;
use super::*;
use crate::tui::events::Event;
use crate::tui::testing::{hear, hints_of, picture, press};

fn screen(options: &str, turn_based: bool) -> Screen<u32> {
    screen_with_hints(options, turn_based, "random").0
}

fn screen_with_hints(
    options: &str,
    turn_based: bool,
    player: &str,
) -> (Screen<u32>, Receiver<Event>) {
    let fall = fall(options);
    let game = fall.game.clone().into();
    let (hints, news) = hints_of(&game, player);
    let screen = Screen {
        title: "tetris".to_owned(),
        start: AnyPosition::start(&game),
        fall,
        best: Best::unkept(),
        paused: false,
        turn_based,
        hints,
    };
    (screen, news)
}

#[test]
fn the_screen_shows_the_stack_the_piece_its_ghost_and_the_next() {
    let mut screen = screen("known=3", false);
    press(&mut screen, "<< > ^  z<<<< ^>v");
    insta::assert_snapshot!(picture(&screen, 80, 24));
    press(&mut screen, "p");
    assert!(picture(&screen, 80, 24).contains("Paused"));
    assert_eq!(screen.pace(), None);
    press(&mut screen, "p");
    assert_eq!(screen.pace(), Some(FIRST_PACE));
}

#[test]
fn a_piece_can_be_held_and_is_shown() {
    let mut screen = screen("hold=true known=3", true);
    let letters = |screen: &Screen<u32>| {
        let falling = &screen.fall.falling;
        let held = falling.position().held().map(Piece::letter);
        (falling.piece().unwrap().piece.letter(), held)
    };
    let (first, held) = letters(&screen);
    assert_eq!(held, None);
    press(&mut screen, "c");
    let (second, held) = letters(&screen);
    assert_eq!(held, Some(first));
    press(&mut screen, "c");
    assert_eq!(letters(&screen), (second, Some(first)), "once is all");
    insta::assert_snapshot!(picture(&screen, 80, 24));
    press(&mut screen, " c");
    assert_eq!(letters(&screen).0, first);
}

#[test]
fn a_hint_may_say_to_hold() {
    let weights = "weighted(features=five, look=2)";
    let (mut screen, news) = screen_with_hints("hold=true board=4x8 shapes=IO", true, weights);
    let fall = &mut screen.fall;
    // The I completes a line at once.
    let position = "4x8 - OI".parse().unwrap();
    fall.falling = Falling::from_position(&fall.game, position, &mut stream(1, &[]));
    press(&mut screen, "?");
    hear(&mut screen, &news);
    assert!(screen.hinted().is_some_and(holds), "{:?}", screen.hinted());
    assert!(picture(&screen, 80, 24).contains("Hint c <>"));
    press(&mut screen, "c?");
    hear(&mut screen, &news);
    assert!(screen.hinted().is_some_and(|chosen| !holds(chosen)));
}

#[test]
fn the_end_is_seen_and_time_stands_still() {
    let mut screen = screen("board=5x6", false);
    press(&mut screen, "      ");
    insta::assert_snapshot!(picture(&screen, 80, 24));
    assert_eq!(screen.pace(), None);
    press(&mut screen, "!");
    assert!(screen.pace().is_some());
}

#[test]
fn a_hint_shows_where_the_piece_should_lie_until_it_lies() {
    let (mut screen, news) = screen_with_hints("", true, "weighted(features=bcts)");
    press(&mut screen, " << > ?");
    assert!(picture(&screen, 80, 24).contains("Hint    thinking ..."));
    hear(&mut screen, &news);
    press(&mut screen, "<");
    insta::assert_snapshot!("hint", picture(&screen, 80, 24));
    press(&mut screen, " ");
    assert!(!picture(&screen, 80, 24).contains("<>"));
}

#[test]
fn a_hint_for_a_piece_that_lies_already_is_dropped() {
    let (mut screen, news) = screen_with_hints("board=4x8", false, "greedy");
    press(&mut screen, "?");
    while screen.hints.is_thinking() {
        screen.tick();
    }
    hear(&mut screen, &news);
    assert_eq!(screen.hints.best(), None);
    press(&mut screen, "?!");
    assert!(!screen.hints.is_thinking());
}

#[test]
fn the_turn_based_game_has_no_clock() {
    let mut screen = screen("", true);
    press(&mut screen, "<p");
    assert_eq!(screen.pace(), None);
    let picture = picture(&screen, 80, 24);
    assert!(!picture.contains("pause") && !picture.contains("Level"));
}

#[test]
fn a_tall_board_says_what_window_it_needs() {
    let picture = picture(&screen("board=16x32", false), 80, 24);
    assert!(
        picture.contains("needs a window of at least 57x35"),
        "{picture}"
    );
}
