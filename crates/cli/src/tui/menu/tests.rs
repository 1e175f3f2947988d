//! The menu, driven by keys.

use super::*;
use crate::tui::testing::{picture, press};

fn enter(menu: &mut Menu) {
    menu.key(KeyCode::Enter);
}

#[test]
fn a_person_plays_unless_something_else_is_chosen() {
    let mut menu = Menu::new(0);
    enter(&mut menu);
    assert!(menu.is_done());
    let chosen = Chosen {
        game: "2048",
        player: None,
        second: false,
    };
    assert_eq!(menu.chosen(), chosen);
}

#[test]
fn algorithm_depth_and_heuristic_are_chosen() {
    let mut menu = Menu::new(0);
    press(&mut menu, "v>v");
    while menu.automatic.player().name != "minimax" {
        press(&mut menu, ">");
    }
    press(&mut menu, "v");
    assert_eq!(
        menu.texts(menu.entry()),
        ("depth".to_owned(), "5".to_owned())
    );
    press(&mut menu, "<<v");
    assert_eq!(menu.texts(menu.entry()).0, "heuristic");
    press(&mut menu, ">");
    enter(&mut menu);
    assert!(menu.is_done());
    let spec = menu.chosen().player.expect("a player").to_string();
    assert_eq!(spec, "minimax(depth=3, eval=empty)");
    let shown = picture(&menu, 80, 24);
    assert!(
        shown.contains("gamete play 2048 --player 'minimax(depth=3, eval=empty)'"),
        "{shown}"
    );
    assert!(shown.contains("number of empty cells"), "{shown}");
}

#[test]
fn numbers_are_typed_and_kept_in_their_range() {
    let mut menu = Menu::new(0);
    press(&mut menu, "v>v");
    while menu.automatic.player().name != "minimax" {
        press(&mut menu, ">");
    }
    press(&mut menu, "v1234");
    assert_eq!(menu.automatic.value(0), "12", "at most 100");
    menu.key(KeyCode::Backspace);
    assert_eq!(menu.automatic.value(0), "1");
    press(&mut menu, "<");
    assert_eq!(menu.automatic.value(0), "1", "at least 1");
    press(&mut menu, "0");
    enter(&mut menu);
    assert_eq!(menu.automatic.value(0), "1");
    menu.key(KeyCode::Backspace);
    press(&mut menu, "^");
    assert_eq!(menu.automatic.value(0), "5", "nothing is the usual number");
}

#[test]
fn in_a_game_for_two_the_automatic_player_may_begin() {
    let place = FAMILIES.iter().position(|family| family.name == "connect");
    let mut menu = Menu::new(place.expect("a game"));
    press(&mut menu, "v>>");
    let chosen = menu.chosen();
    assert!(chosen.second);
    assert_eq!(chosen.player.expect("a player").to_string(), "perfect");
    press(&mut menu, ">");
    assert_eq!(menu.chosen().player, None);
}

#[test]
fn a_choice_that_cannot_be_played_says_why() {
    let place = FAMILIES.iter().position(|family| family.name == "tetris");
    let mut menu = Menu::new(place.expect("a game"));
    press(&mut menu, "v>");
    let reading = menu.automatic.parameters().iter();
    let reading = reading
        .map(|one| one.name)
        .position(|name| name == "reading");
    menu.automatic.step_value(reading.expect("a reading"), true);
    enter(&mut menu);
    assert!(!menu.is_done());
    let shown = picture(&menu, 80, 24);
    assert!(shown.contains("reading"), "{shown}");
    press(&mut menu, "^^");
    assert_eq!(menu.problem, None);
}

#[test]
fn every_player_of_every_game_fits_the_smallest_window() {
    for place in 0..FAMILIES.len() {
        let mut menu = Menu::new(place);
        press(&mut menu, "v>v");
        let first = menu.automatic.player().name;
        loop {
            let shown = picture(&menu, 80, 24);
            assert!(shown.contains("gamete play"), "{shown}");
            press(&mut menu, ">");
            if menu.automatic.player().name == first {
                break;
            }
        }
    }
}
