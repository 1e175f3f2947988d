//! Screens of any game: what no session of its own is needed for.

use std::sync::mpsc::Receiver;

use games::{AnyGame, registry};

use super::*;
use crate::tui::best::Best;
use crate::tui::events::Event;
use crate::tui::play::duel::Duel;
use crate::tui::play::round::Round;
use crate::tui::testing::{hear, hints_of, picture, press};

fn screen(game: &str, options: &str) -> (Screen, Receiver<Event>) {
    screen_of(&registry::build(game, &options.parse().unwrap()).unwrap())
}

fn screen_of(game: &AnyGame) -> (Screen, Receiver<Event>) {
    let (hints, news) = hints_of(game, "greedy");
    let round = Round::new(AnyPosition::start(game), 1, None);
    let sitting = match game.seats() {
        1 => Sitting::Alone {
            round,
            best: Best::unkept(),
        },
        _ => Sitting::Two(Duel::of(round)),
    };
    (Screen::new("a game".to_owned(), sitting, hints), news)
}

fn moves(screen: &Screen) -> usize {
    screen.sitting.round().moves()
}

#[test]
fn every_game_is_played_to_its_end_and_back() {
    for family in registry::FAMILIES {
        let game = family.build(&"".parse().unwrap()).unwrap();
        let (mut screen, _news) = screen_of(&game);
        while !screen.sitting.round().is_over() {
            let before = moves(&screen);
            press(&mut screen, "> ");
            assert_eq!(moves(&screen), before + 1, "{}", family.name);
        }
        let (end, shown) = (moves(&screen), picture(&screen, 120, 60));
        assert!(shown.contains("Esc new game"), "{shown}");
        press(&mut screen, " u");
        assert_eq!(moves(&screen), end - 1, "{}", family.name);
        press(&mut screen, "!");
        assert_eq!(moves(&screen), 0);
    }
}

#[test]
fn a_move_is_played_as_soon_as_its_text_is_the_only_one() {
    let (mut screen, _news) = screen("connect", "cols=12 rows=4");
    press(&mut screen, "7");
    assert_eq!(moves(&screen), 1);
    press(&mut screen, "1");
    assert_eq!((moves(&screen), screen.choice.typed()), (1, "1"));
    press(&mut screen, "2");
    assert_eq!(moves(&screen), 2);
    assert_eq!(screen.sitting.round().last().unwrap().1, "12");
    press(&mut screen, "1 ");
    assert_eq!(screen.sitting.round().last().unwrap().1, "1");
}

#[test]
fn letters_are_commands_unless_a_move_is_written_so() {
    let (mut screen, _news) = screen("2048", "");
    press(&mut screen, "left");
    assert_eq!(moves(&screen), 1);
    assert!(screen.explains(KeyCode::Char('i')));
    press(&mut screen, "up");
    assert_eq!((moves(&screen), screen.choice.typed()), (2, ""));
    press(&mut screen, "d");
    screen.key(KeyCode::Backspace);
    assert_eq!((moves(&screen), screen.choice.typed()), (2, ""));
    screen.key(KeyCode::Backspace);
    assert_eq!(moves(&screen), 1);
}

#[test]
fn a_hint_shows_the_best_moves_with_their_values() {
    let (mut screen, news) = screen("connect", "");
    press(&mut screen, "445566?");
    hear(&mut screen, &news);
    let shown = picture(&screen, 120, 40);
    assert!(shown.contains("Hint"), "{shown}");
    assert!(shown.contains("> 3                1"), "{shown}");
    press(&mut screen, ">");
    assert!(picture(&screen, 120, 40).contains("Hint"));
    press(&mut screen, " ");
    assert!(!picture(&screen, 120, 40).contains("Hint"));
}
