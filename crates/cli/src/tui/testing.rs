//! Pictures of sessions as text, for tests.

use std::sync::mpsc::{self, Receiver};

use play::seating::seat;
use players::Playable;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::KeyCode;

use super::events::Event;
use super::hint::{Advice, Hints};
use super::session::Session;
use super::stage;

/// What other threads tell a session.
pub(crate) type News<S> = Receiver<Event<<S as Session>::News>>;

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
pub(crate) fn hints_of<G: Playable, N>(game: &G, player: &str) -> (Hints<G>, Receiver<Event<N>>)
where
    N: From<Advice<G::Move>> + Send + 'static,
{
    let (sender, receiver) = mpsc::channel();
    let spec = player.parse().unwrap();
    let hints = Hints::start(
        game,
        player.to_owned(),
        seat(game, &spec, None).unwrap(),
        1,
        sender,
    );
    (hints.unwrap(), receiver)
}

/// Waits for the next news and brings it.
pub(crate) fn hear<S: Session>(session: &mut S, news: &News<S>) {
    match news.recv().unwrap() {
        Event::News(news) => session.news(news),
        _ => panic!("the player crashed"),
    }
}
