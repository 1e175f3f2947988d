//! Pictures of sessions as text, for tests.

use std::sync::mpsc::{self, Receiver};

use games::AnyGame;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::KeyCode;

use super::events::Event;
use super::hint::{Adviser, Hints};
use super::session::Session;
use super::stage;

/// What a window of this size shows of the session.
pub(crate) fn picture<S: Session>(session: &S, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal
        .draw(|frame| {
            stage::draw(frame, &session.scene(), false);
        })
        .unwrap();
    terminal.backend().to_string()
}

/// Presses keys one after the other; a letter is its key, `<>v^` are arrows, `!` is Esc.
pub(crate) fn press<S: Session>(session: &mut S, keys: &str) {
    for key in keys.chars() {
        session.key(match key {
            '<' => KeyCode::Left,
            '>' => KeyCode::Right,
            'v' => KeyCode::Down,
            '^' => KeyCode::Up,
            '!' => KeyCode::Esc,
            letter => KeyCode::Char(letter),
        });
    }
}

/// Hints by the player of this spec, and where they are heard.
pub(crate) fn hints_of(game: &AnyGame, player: &str) -> (Hints, Receiver<Event>) {
    let (sender, receiver) = mpsc::channel();
    let asked = Adviser::new(game, &player.parse().unwrap()).unwrap();
    let hints = Hints::start(player.to_owned(), asked, 1, sender).unwrap();
    (hints, receiver)
}

/// Waits for the next news and brings it.
pub(crate) fn hear<S: Session>(session: &mut S, news: &Receiver<Event>) {
    match news.recv().unwrap() {
        Event::News(news) => session.news(news),
        _ => panic!("the player crashed"),
    }
}
