//! Screens of Connect-N.

use std::sync::mpsc::Receiver;

use games::registry;

use super::*;
use crate::tui::events::Event;
use crate::tui::play::round::tests::round;
use crate::tui::testing::{hear, hints_of, picture, press};

fn screen(options: &str) -> Screen {
    screen_with_hints(options, "random").0
}

fn screen_with_hints(options: &str, player: &str) -> (Screen, Receiver<Event>) {
    let game = registry::build("connect", &options.parse().unwrap()).unwrap();
    let (hints, news) = hints_of(&game, player);
    let duel = Duel::of(round("connect", options, None));
    (Screen::new("connect".to_owned(), duel, hints), news)
}

#[test]
fn the_cursor_stays_on_the_board() {
    let mut screen = screen("");
    assert_eq!(screen.cursor, 3);
    press(&mut screen, "<<<<<<<<<");
    assert_eq!(screen.cursor, 0);
    press(&mut screen, ">>>>>>>>>");
    assert_eq!(screen.cursor, 6);
    press(&mut screen, "9");
    assert_eq!((screen.duel.round.moves(), screen.cursor), (0, 6));
}

#[test]
fn a_full_column_takes_no_stone() {
    let mut screen = screen("rows=2 cols=4 connect=3");
    press(&mut screen, "1112");
    let position = screen.duel.round.position().to_string();
    assert_eq!(position, "o.../xx..");
}

#[test]
fn the_screen_shows_stones_the_cursor_and_whose_turn_it_is() {
    let mut screen = screen("");
    press(&mut screen, "44>v<5");
    insta::assert_snapshot!("to_move", picture(&screen, 80, 24));
    press(&mut screen, "326");
    insta::assert_snapshot!("won", picture(&screen, 80, 24));
}

#[test]
fn a_draw_is_seen() {
    let mut screen = screen("rows=2 cols=3 connect=3");
    press(&mut screen, "123213");
    insta::assert_snapshot!(picture(&screen, 80, 24));
}

#[test]
fn boards_become_denser_until_they_do_not_fit() {
    insta::assert_snapshot!("dense", picture(&screen("rows=8 cols=8"), 50, 16));
    let picture = picture(&screen("rows=1 cols=64"), 80, 24);
    assert!(
        picture.contains("needs a window of at least 153x"),
        "{picture}"
    );
}

#[test]
fn a_hint_shows_the_score_of_every_column() {
    let (mut screen, news) = screen_with_hints("", "perfect");
    press(&mut screen, "44444221656611217?");
    assert!(picture(&screen, 80, 24).contains("Hint    thinking ..."));
    while screen.hints.is_thinking() {
        hear(&mut screen, &news);
    }
    press(&mut screen, "<");
    insta::assert_snapshot!("hint", picture(&screen, 80, 24));
    insta::assert_snapshot!("hint_small", picture(&screen, 57, 24));
    press(&mut screen, "5");
    assert!(!picture(&screen, 80, 24).contains("Hint"));
}

#[test]
fn a_hint_without_values_points_at_its_column() {
    let (mut screen, news) = screen_with_hints("cols=1 rows=4", "random");
    press(&mut screen, "?");
    hear(&mut screen, &news);
    let picture = picture(&screen, 80, 24);
    assert!(
        picture.contains("Hint        column 1") && picture.contains('▼'),
        "{picture}"
    );
}

#[test]
fn a_hint_for_a_position_that_has_gone_is_dropped() {
    let (mut screen, news) = screen_with_hints("", "greedy");
    press(&mut screen, "?4");
    hear(&mut screen, &news);
    assert_eq!(screen.hints.best(), None);
    press(&mut screen, "?!");
    hear(&mut screen, &news);
    assert_eq!(screen.hints.best(), None);
}

#[test]
fn nobody_is_asked_while_the_player_thinks() {
    let mut screen = screen("");
    screen.duel.round.player = Some(0);
    press(&mut screen, "?");
    assert!(!screen.hints.is_thinking());
}
