//! Any game: the sketch of a position as a grid of labelled cells, with its notes beside it.

use games::{Cell, Sketch, Turn};
use play::any::AnyPosition;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use super::grid::{Grid, Look};
use super::{MARKS, Painter, winner_notice, write};
use crate::output::number;
use crate::tui::stage::{Notice, PANEL, Picture, Place, row};
use crate::tui::theme::{self, DARK, on};

/// Longer labels are cut.
const LONGEST_LABEL: usize = 8;

/// Colours of the tones from 1 on, the first two as different as can be; further tones take them again.
const TONES: [Style; 8] = [
    on(214, DARK),
    on(74, DARK),
    on(227, DARK),
    on(175, DARK),
    on(36, DARK),
    on(167, DARK),
    on(117, DARK),
    on(250, DARK),
];

/// How a cell of this tone looks.
pub(crate) fn tone_style(tone: u8) -> Style {
    match tone {
        0 => Style::new(),
        _ => TONES[usize::from(tone - 1) % TONES.len()],
    }
}

/// The cells in which two sketches of a game differ.
pub(crate) fn changes(before: &Sketch, after: &Sketch) -> Vec<usize> {
    let pairs = before.cells.iter().zip(&after.cells).enumerate();
    pairs
        .filter(|(_, (before, after))| before != after)
        .map(|(place, _)| place)
        .collect()
}

/// A sketch, and what is to be pointed at in it.
pub(crate) struct Board {
    pub(crate) sketch: Sketch,
    /// Cells that the last move changed.
    pub(crate) changed: Vec<usize>,
    /// Cells that the chosen move would change.
    pub(crate) chosen: Vec<usize>,
    /// What is written into empty cells.
    pub(crate) hints: Vec<(usize, String)>,
}

impl Board {
    fn looks(&self) -> [Look; 3] {
        let labels = self.sketch.cells.iter().map(|cell| &cell.label);
        let hints = self.hints.iter().map(|(_, text)| text);
        let longest = labels.chain(hints).map(|text| text.chars().count()).max();
        let width = longest.unwrap_or(0).clamp(1, LONGEST_LABEL) as u16;
        let grid = |width, height| Grid {
            cols: self.sketch.cols as u16,
            rows: self.sketch.rows as u16,
            width,
            height,
        };
        [
            Look::Lines(grid(width + 6, 3)),
            Look::Lines(grid(width + 2, 1)),
            Look::Dense(grid(width + 2, 1)),
        ]
    }

    /// The text of a cell and how it looks: brackets around what is chosen, dots around what changed last.
    fn label(&self, place: usize, cell: &Cell) -> (String, Style) {
        let hint = self.hints.iter().find(|(own, _)| *own == place);
        let (text, style) = match hint {
            Some((_, hint)) if cell.tone == 0 => (hint, theme::FAINT),
            _ => (&cell.label, tone_style(cell.tone)),
        };
        let text: String = text.chars().take(LONGEST_LABEL).collect();
        if self.chosen.contains(&place) {
            (format!("[{text}]"), style.add_modifier(Modifier::REVERSED))
        } else if self.changed.contains(&place) && cell.tone != 0 {
            (format!("·{text}·"), style)
        } else {
            (text, style)
        }
    }
}

impl Picture for Board {
    fn size(&self, room: Size) -> Size {
        let sizes = self.looks().map(Look::size);
        let fits = |size: &&Size| size.width <= room.width && size.height <= room.height;
        *sizes.iter().find(fits).unwrap_or(&sizes[sizes.len() - 1])
    }

    fn paint(&self, area: Rect, buffer: &mut Buffer) {
        let fits = |look: &Look| look.size() == area.as_size();
        let Some(look) = self.looks().into_iter().find(fits) else {
            return;
        };
        look.paint((area.x, area.y), buffer);
        let Size { width, height } = look.cell_size();
        for (place, cell) in self.sketch.cells.iter().enumerate() {
            let (row, col) = (place / self.sketch.cols, place % self.sketch.cols);
            let (x, y) = look.cell(col as u16, row as u16);
            let (text, style) = self.label(place, cell);
            for line in 0..height {
                let text = if line == height / 2 { &text } else { "" };
                let centred = format!("{text:^width$}", width = usize::from(width));
                write(buffer, (area.x + x, area.y + y + line), &centred, style);
            }
        }
    }
}

/// Lines beside the picture: the notes of a sketch.
pub(crate) fn notes(sketch: &Sketch) -> impl Iterator<Item = Line<'static>> {
    let cut = |text: &str| -> String { text.chars().take(usize::from(PANEL)).collect() };
    sketch.notes.iter().flat_map(move |(name, text)| {
        let fits = name.chars().count() + 1 + text.chars().count() <= usize::from(PANEL);
        match fits {
            true => vec![row(name, text)],
            false => vec![Line::styled(cut(name), theme::FAINT), Line::raw(cut(text))],
        }
    })
}

/// Draws any game; remembers which cells the last move changed.
#[derive(Debug, Default)]
pub(crate) struct Painted {
    changed: Vec<usize>,
}

impl Painter for Painted {
    fn remember(&mut self, before: &AnyPosition, _: &str, after: &AnyPosition) {
        self.changed = few_changes(before, after);
    }

    fn picture<'a>(&'a self, position: &'a AnyPosition) -> Box<dyn Picture + 'a> {
        Box::new(Board {
            sketch: position.sketch(),
            changed: self.changed.clone(),
            chosen: Vec::new(),
            hints: Vec::new(),
        })
    }

    fn panel(&self, position: &AnyPosition) -> Vec<Line<'static>> {
        let first = match (position.seats(), position.turn()) {
            (1, _) => row("Score", &number(position.score() as f64, 0)),
            (_, Turn::Player(seat)) => row("Turn", MARKS[usize::from(seat) % 2]),
            _ => row("Turn", "-"),
        };
        let sketch = position.sketch();
        std::iter::once(first).chain(notes(&sketch)).collect()
    }

    fn verdict(&self, position: &AnyPosition, players: &[String]) -> Notice {
        if position.seats() > 1 {
            return winner_notice(position, players);
        }
        Notice {
            title: "Game over".to_owned(),
            style: theme::TITLE,
            lines: vec![format!("Score {}", number(position.score() as f64, 0))],
            place: Place::Panel,
        }
    }
}

/// The cells that a move has changed, if they are so few that pointing at them helps.
pub(crate) fn few_changes(before: &AnyPosition, after: &AnyPosition) -> Vec<usize> {
    let after = after.sketch();
    let changed = changes(&before.sketch(), &after);
    if changed.len() * 4 > after.cells.len() {
        return Vec::new();
    }
    changed
}
