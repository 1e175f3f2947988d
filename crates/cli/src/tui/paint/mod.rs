//! Pictures of the games. Each is drawn as large as the window allows.

pub(crate) mod connect;
mod grid;
pub(crate) mod sketch;
pub(crate) mod tetris;
pub(crate) mod twenty48;

use play::any::AnyPosition;
use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::Line;

use super::stage::{Notice, Picture, Place};
use super::theme;

/// Names of the two seats.
pub(crate) const MARKS: [&str; 2] = ["X", "O"];

/// Draws the positions of one game as they come, and remembers what a position alone does not show.
pub(crate) trait Painter {
    /// Remembers a move that led from one position to another (after chance has acted).
    fn remember(&mut self, before: &AnyPosition, chosen: &str, after: &AnyPosition);

    /// The picture of a position.
    fn picture<'a>(&'a self, position: &'a AnyPosition) -> Box<dyn Picture + 'a>;

    /// Lines for the panel beside it.
    fn panel(&self, position: &AnyPosition) -> Vec<Line<'static>>;

    /// The notice at the end of a game between the players of these names.
    fn verdict(&self, position: &AnyPosition, players: &[String]) -> Notice;
}

/// Makes the painter of a position's game, if it is the one it was made for.
type MakePainter = fn(&AnyPosition) -> Option<Box<dyn Painter>>;

/// Painters made for one game.
static PAINTERS: &[MakePainter] = &[twenty48::painter, tetris::painter, connect::painter];

/// The painter of the game of a position: its own, or one that draws any game.
pub(crate) fn painter(position: &AnyPosition) -> Box<dyn Painter> {
    let own = PAINTERS.iter().find_map(|painter| painter(position));
    own.unwrap_or_else(|| Box::new(sketch::Painted::default()))
}

/// The notice at the end of a game that one of two players has won, or nobody.
fn winner_notice(position: &AnyPosition, players: &[String]) -> Notice {
    let winner = winner(position.score());
    let (title, style) = match winner {
        None => ("Drawn".to_owned(), theme::TITLE),
        Some(seat) => (format!("{} wins", MARKS[usize::from(seat)]), theme::GOOD),
    };
    let name = winner.and_then(|seat| players.get(usize::from(seat)));
    Notice {
        title,
        style,
        lines: name.cloned().into_iter().collect(),
        place: Place::Panel,
    }
}

/// The seat that has won a two-player game that ended with this score; none of a draw.
pub(crate) fn winner(score: i64) -> Option<u8> {
    match score.signum() {
        1 => Some(0),
        -1 => Some(1),
        _ => None,
    }
}

/// Writes text at a place, cut at the edge of the buffer.
fn write(buffer: &mut Buffer, (x, y): (u16, u16), text: &str, style: Style) {
    if buffer.area.contains((x, y).into()) {
        buffer.set_string(x, y, text, style);
    }
}
