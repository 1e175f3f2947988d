//! Screens of games that are watched.

use std::sync::mpsc::{self, Receiver};

use games::registry;

use super::*;
use crate::tui::events::Event;
use crate::tui::testing::{hear, picture, press};

fn subject() -> Subject {
    Subject {
        game: registry::build("2048", &"win=64".parse().unwrap()).unwrap(),
        title: "2048".to_owned(),
        players: vec!["random".to_owned()],
        origin: "seed 1".to_owned(),
        delay: Duration::from_millis(50),
    }
}

fn random(subject: &Subject) -> AnyPlayer {
    AnyPlayer::new(&subject.game, &"random".parse().unwrap(), None).unwrap()
}

fn screen(subject: &Subject) -> (Screen<'_>, Receiver<Event>) {
    let dice = Dice::of(1, 0);
    let course = Course::new(subject, dice.clone(), Some(Recorder::default()));
    let (sender, receiver) = mpsc::channel();
    let thinker = Thinker::start(vec![random(subject)], dice, sender).unwrap();
    (Screen::new(course, subject, Some(thinker)), receiver)
}

#[test]
fn a_shown_game_is_the_game_played_without_a_screen() {
    let subject = subject();
    let (mut screen, news) = screen(&subject);
    let mut unseen = Course::new(&subject, Dice::of(1, 0), None);
    unseen.play_out(&mut [random(&subject)]);
    while screen.course.seat().is_some() {
        hear(&mut screen, &news);
        assert_eq!(screen.pace(), Some(subject.delay));
        screen.tick();
    }
    assert_eq!(screen.pace(), None);
    assert_eq!(screen.course.position, unseen.position);
    assert_eq!(screen.course.moves, unseen.moves);
    insta::assert_snapshot!(picture(&screen, 80, 24));
}

#[test]
fn a_pause_stops_and_a_step_is_one_move() {
    let subject = subject();
    let (mut screen, news) = screen(&subject);
    hear(&mut screen, &news);
    press(&mut screen, " ");
    assert_eq!(screen.pace(), None);
    press(&mut screen, "s");
    assert_eq!(screen.pace(), Some(Duration::ZERO));
    screen.tick();
    hear(&mut screen, &news);
    assert_eq!((screen.course.moves, screen.pace()), (1, None));
    press(&mut screen, " ");
    assert_eq!(screen.pace(), Some(subject.delay));
}

#[test]
fn a_player_that_cannot_go_on_ends_the_game_there() {
    let subject = subject();
    let (mut screen, _news) = screen(&subject);
    screen.news(News::Thought(Thought {
        question: 1,
        chosen: Err("the bot ended: exit status 1".to_owned()),
        time: Duration::ZERO,
    }));
    screen.tick();
    assert_eq!((screen.course.moves, screen.pace()), (0, None));
    let shown = picture(&screen, 80, 24);
    assert!(shown.contains("the bot ended: exit status 1"), "{shown}");
    let text = screen.course.sum_up(&subject);
    assert!(text.contains("seed 1: forfeited after 0 moves\n"), "{text}");
    assert!(
        text.ends_with("\nrandom lost the game: the bot ended: exit status 1\n"),
        "{text}"
    );
}

/// A kept game of this many moves, and the statistics of the game it was.
fn kept(subject: &Subject, moves: usize) -> (Replay, String) {
    let (mut screen, news) = screen(subject);
    for _ in 0..moves {
        hear(&mut screen, &news);
        screen.tick();
    }
    let summary = screen.course.sum_up(subject);
    (screen.course.replay(subject).unwrap(), summary)
}

fn shown_again<'a>(subject: &'a Subject, replay: &Replay) -> Screen<'a> {
    let script = replay.script().unwrap();
    let course = Course::again(script, replay.forfeit.clone());
    Screen::new(course, subject, None)
}

#[test]
fn a_kept_game_pauses_steps_and_ends_where_it_was_left() {
    let subject = subject();
    let (replay, summary) = kept(&subject, 5);
    let mut screen = shown_again(&subject, &replay);
    assert_eq!(screen.pace(), Some(subject.delay));
    press(&mut screen, "s");
    screen.tick();
    assert_eq!((screen.course.moves, screen.pace()), (1, None));
    assert!(screen.notice().is_none());
    press(&mut screen, " ");
    (1..5).for_each(|_| screen.tick());
    assert_eq!((screen.course.moves, screen.pace()), (5, None));
    assert!(picture(&screen, 80, 24).contains("Left here"));
    let again = screen.course.sum_up(&subject);
    assert!(again.starts_with("2048 by random, seed 1: left after 5 moves\n"));
    let numbers = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert!(
        numbers(&summary).starts_with(&numbers(&again)),
        "{summary}{again}"
    );
}

#[test]
fn a_kept_forfeit_is_shown_again() {
    let subject = subject();
    let (mut screen, _news) = screen(&subject);
    screen
        .course
        .play_or_forfeit(Err("it broke".to_owned()), Duration::ZERO);
    let replay = screen.course.replay(&subject).unwrap();
    let mut screen = shown_again(&subject, &replay);
    screen.tick();
    assert!(picture(&screen, 80, 24).contains("it broke"));
    assert!(
        screen
            .course
            .sum_up(&subject)
            .contains("forfeited after 0 moves")
    );
}

#[test]
fn statistics_tell_what_happened() {
    let subject = subject();
    let (screen, _news) = screen(&subject);
    let text = screen.course.sum_up(&subject);
    assert!(text.starts_with("2048 by random, seed 1: left after 0 moves\n\nscore "));
    assert!(text.contains("\nhighest tile  ") && text.contains("\ntime a move  "));
}

#[test]
fn delays_grow_and_shrink_within_bounds() {
    let ms = Duration::from_millis;
    assert_eq!((slower(ms(50)), faster(ms(50))), (ms(100), ms(20)));
    assert_eq!((slower(ms(60)), faster(ms(60))), (ms(100), ms(50)));
    assert_eq!((slower(ms(5000)), faster(ms(0))), (ms(5000), ms(0)));
    assert_eq!(faster(ms(60_000)), ms(5000));
}
