//! Keys by what they mean in every game.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key and what it does, as the screen shows it.
pub(crate) type Help = (&'static str, &'static str);

/// The four ways that arrows, `hjkl` and `wasd` point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Up,
    Right,
    Down,
    Left,
}

/// The way this key points, if it does.
pub(crate) fn way(key: KeyCode) -> Option<Way> {
    Some(match key {
        KeyCode::Up | KeyCode::Char('k' | 'w') => Way::Up,
        KeyCode::Right | KeyCode::Char('l' | 'd') => Way::Right,
        KeyCode::Down | KeyCode::Char('j' | 's') => Way::Down,
        KeyCode::Left | KeyCode::Char('h' | 'a') => Way::Left,
        _ => return None,
    })
}

/// What was pressed: a plain key, small letters for capital ones, or Ctrl-C. Other chords mean nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pressed {
    Plain(KeyCode),
    Interrupt,
}

/// What this key event means.
pub(crate) fn pressed(event: KeyEvent) -> Option<Pressed> {
    let chord = event.modifiers - KeyModifiers::SHIFT;
    match event.code {
        KeyCode::Char('c') if chord == KeyModifiers::CONTROL => Some(Pressed::Interrupt),
        _ if !chord.is_empty() => None,
        KeyCode::Char(letter) => Some(Pressed::Plain(KeyCode::Char(letter.to_ascii_lowercase()))),
        code => Some(Pressed::Plain(code)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_and_both_rows_of_letters_point_the_same_ways() {
        let arrows = [KeyCode::Up, KeyCode::Right, KeyCode::Down, KeyCode::Left];
        for letters in ["kljh", "wdsa"] {
            for (letter, arrow) in letters.chars().zip(arrows) {
                assert_eq!(way(KeyCode::Char(letter)), way(arrow));
            }
        }
    }

    #[test]
    fn capitals_are_letters_and_chords_are_nothing_but_ctrl_c() {
        let check = |code, modifiers, expected| {
            assert_eq!(pressed(KeyEvent::new(code, modifiers)), expected);
        };
        let (c, capital) = (KeyCode::Char('c'), KeyCode::Char('C'));
        check(capital, KeyModifiers::SHIFT, Some(Pressed::Plain(c)));
        check(c, KeyModifiers::CONTROL, Some(Pressed::Interrupt));
        check(KeyCode::Char('q'), KeyModifiers::CONTROL, None);
        check(KeyCode::Left, KeyModifiers::ALT, None);
    }
}
