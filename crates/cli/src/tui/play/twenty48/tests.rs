//! Screens of 2048.

use std::sync::mpsc::Receiver;

use games::registry;

use super::*;
use crate::tui::events::Event;
use crate::tui::play::round::tests::round;
use crate::tui::testing::{hear, hints_of, picture, press};

fn play_to_the_end(screen: &mut Screen) {
    while !screen.round.is_over() && screen.praise != Praise::Shown {
        for direction in Direction::ALL {
            screen.slide(direction);
        }
    }
}

fn screen(options: &str) -> Screen {
    screen_with_hints(options, "greedy").0
}

fn screen_with_hints(options: &str, player: &str) -> (Screen, Receiver<Event>) {
    let game = registry::build("2048", &options.parse().unwrap()).unwrap();
    let (hints, news) = hints_of(&game, player);
    let screen = Screen {
        title: "2048".to_owned(),
        round: round("2048", options, None),
        praise: Praise::Due,
        best: Best::unkept(),
        hints,
    };
    (screen, news)
}

#[test]
fn the_screen_shows_tiles_scores_and_keys() {
    let mut screen = screen("");
    press(&mut screen, "<v>v<v<v>v<v<v>v<v<v>v<v");
    insta::assert_snapshot!(picture(&screen, 80, 24));
    insta::assert_snapshot!("small_window", picture(&screen, 57, 11));
    insta::assert_snapshot!("too_small_window", picture(&screen, 55, 11));
}

#[test]
fn winning_and_losing_are_seen() {
    let mut screen = screen("win=16 size=3x3");
    play_to_the_end(&mut screen);
    insta::assert_snapshot!("won", picture(&screen, 80, 24));
    press(&mut screen, "x");
    play_to_the_end(&mut screen);
    insta::assert_snapshot!("lost", picture(&screen, 80, 24));
    press(&mut screen, "!");
    assert_eq!(screen.round.score(), 0);
    assert!(screen.best.with(0) > 0);
}

#[test]
fn a_hint_shows_the_best_direction_and_what_all_are_worth() {
    let (mut screen, news) = screen_with_hints("", "greedy");
    press(&mut screen, "<v>v<v<v>v<v<v>v<v<v>v<v?");
    assert!(picture(&screen, 80, 24).contains("Hint    thinking ..."));
    hear(&mut screen, &news);
    insta::assert_snapshot!("hint", picture(&screen, 80, 24));
    press(&mut screen, "?");
    assert!(!screen.hints.is_thinking(), "it is known already");
    press(&mut screen, "<>");
    assert!(!picture(&screen, 80, 24).contains("Hint"));
}

#[test]
fn a_player_that_does_not_judge_moves_gives_a_hint_without_values() {
    let (mut screen, news) = screen_with_hints("", "random");
    press(&mut screen, "?");
    hear(&mut screen, &news);
    let best = direction_name(screen.hints.best().unwrap().parse().unwrap());
    let picture = picture(&screen, 80, 24);
    assert!(
        picture.contains(&format!("{best} ")) && !picture.contains('>'),
        "{picture}"
    );
}

#[test]
fn a_hint_for_a_position_that_has_gone_is_dropped() {
    let (mut screen, news) = screen_with_hints("", "greedy");
    press(&mut screen, "?<>");
    hear(&mut screen, &news);
    assert_eq!(screen.hints.best(), None);
    press(&mut screen, "?");
    assert!(screen.hints.is_thinking());
    hear(&mut screen, &news);
    assert!(screen.hints.best().is_some());
}

#[test]
fn the_largest_board_fits_the_smallest_usual_window() {
    let picture = picture(&screen("size=5x5 rules=fer"), 80, 24);
    assert!(!picture.contains("needs a window"));
}

#[test]
fn undo_takes_back_and_the_new_tile_is_marked_again() {
    let mut screen = screen("");
    press(&mut screen, "<^");
    let shown = picture(&screen, 80, 24);
    assert!(shown.contains('+'), "{shown}");
    press(&mut screen, "uuu<^");
    assert_eq!(picture(&screen, 80, 24), shown);
}

#[test]
fn winning_is_praised_once_and_the_game_goes_on() {
    let mut screen = screen("win=16");
    play_to_the_end(&mut screen);
    assert_eq!(screen.praise, Praise::Shown);
    screen.play_on();
    play_to_the_end(&mut screen);
    assert!(screen.round.is_over());
    assert_eq!(screen.praise, Praise::Over);
}

#[test]
fn with_stop_at_win_winning_is_the_end() {
    let mut screen = screen("win=16 stop-at-win=true");
    play_to_the_end(&mut screen);
    assert!(screen.round.is_over());
    assert_eq!(screen.praise, Praise::Due);
}
