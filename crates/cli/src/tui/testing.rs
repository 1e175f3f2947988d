//! Pictures of sessions as text, for tests.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::KeyCode;

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
