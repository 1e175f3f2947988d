//! Colours, from the 256 that nearly every terminal has, told apart also by the colour-blind.

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

/// Lines and other things that should not draw the eye.
pub(crate) const FAINT: Style = Style::new().fg(Color::Indexed(246));
/// Titles.
pub(crate) const TITLE: Style = Style::new().add_modifier(Modifier::BOLD);
/// A key in the help.
pub(crate) const KEY: Style = Style::new()
    .fg(Color::Indexed(75))
    .add_modifier(Modifier::BOLD);
/// Something good.
pub(crate) const GOOD: Style = Style::new()
    .fg(Color::Indexed(221))
    .add_modifier(Modifier::BOLD);
/// Something bad.
pub(crate) const BAD: Style = Style::new()
    .fg(Color::Indexed(209))
    .add_modifier(Modifier::BOLD);

/// Dark or light text, whichever can be read on the background.
pub(crate) const fn on(background: u8, text: u8) -> Style {
    Style::new()
        .bg(Color::Indexed(background))
        .fg(Color::Indexed(text))
        .add_modifier(Modifier::BOLD)
}

/// Black text.
pub(crate) const DARK: u8 = 16;
/// White text.
pub(crate) const LIGHT: u8 = 231;

/// Colours are wanted unless the environment says otherwise (<https://no-color.org>).
pub(crate) fn wants_colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Takes all colours out of a picture; bold and the like stay.
pub(crate) fn remove_colours(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        cell.fg = Color::Reset;
        cell.bg = Color::Reset;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;

    #[test]
    fn without_colours_text_and_weight_stay() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 3, 1));
        buffer.set_string(0, 0, "abc", on(214, DARK));
        remove_colours(&mut buffer);
        let plain = Style::new().add_modifier(Modifier::BOLD);
        let mut expected = Buffer::empty(Rect::new(0, 0, 3, 1));
        expected.set_string(0, 0, "abc", plain);
        assert_eq!(buffer, expected);
    }
}
