//! How a screen is laid out: title, picture with a panel beside it, keys at the bottom, notices on top.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect, Size};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Padding, Paragraph, Widget, Wrap};

use super::keys::Help;
use super::theme;

/// Columns of the panel.
pub(crate) const PANEL: u16 = 20;
/// Columns between picture and panel.
const GAP: u16 = 3;

/// Something that can be drawn in more than one size.
pub(crate) trait Picture {
    /// The largest size that fits the room, or else the smallest there is.
    fn size(&self, room: Size) -> Size;

    /// Draws it in an area of that size.
    fn paint(&self, area: Rect, buffer: &mut Buffer);
}

/// Everything that is to be seen.
pub(crate) struct Scene<'a> {
    /// The game and its rules.
    pub(crate) title: String,
    /// The board.
    pub(crate) picture: Box<dyn Picture + 'a>,
    /// Lines beside it.
    pub(crate) panel: Vec<Line<'static>>,
    /// Keys that are always shown.
    pub(crate) keys: &'static [Help],
    /// Keys that have other names, and what else is worth knowing.
    pub(crate) more: &'static [Help],
    /// What has to be said now.
    pub(crate) notice: Option<Notice>,
}

/// A box that says something.
pub(crate) struct Notice {
    /// The first line.
    pub(crate) title: String,
    /// How the box looks.
    pub(crate) style: Style,
    /// The other lines.
    pub(crate) lines: Vec<String>,
    /// Where it lies.
    pub(crate) place: Place,
}

/// Where a notice lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the middle of the picture.
    Picture,
    /// In the panel, so that the picture can be seen.
    Panel,
}

/// Is the window large enough?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    Fits,
    TooSmall,
}

/// A line of the panel: a name to the left, a value to the right.
pub(crate) fn row(name: &str, value: &str) -> Line<'static> {
    let gap = usize::from(PANEL).saturating_sub(name.chars().count() + value.chars().count());
    Line::from(vec![
        Span::styled(name.to_owned(), theme::FAINT),
        Span::raw(" ".repeat(gap)),
        Span::styled(value.to_owned(), theme::TITLE),
    ])
}

/// Draws the scene, with all keys explained over it if `help` is wanted.
pub(crate) fn draw(frame: &mut Frame<'_>, scene: &Scene<'_>, help: bool) -> Fit {
    let (area, buffer) = (frame.area(), frame.buffer_mut());
    let Some(areas) = Areas::of(scene, area.as_size()) else {
        say_too_small(scene, area, buffer);
        return Fit::TooSmall;
    };
    let title = Line::styled(scene.title.clone(), theme::TITLE);
    title.centered().render(areas.title, buffer);
    scene.picture.paint(areas.picture, buffer);
    Paragraph::new(scene.panel.clone()).render(areas.panel, buffer);
    Paragraph::new(wrapped(scene.keys, area.width))
        .alignment(Alignment::Center)
        .render(areas.keys, buffer);
    if let Some(notice) = &scene.notice {
        notice.paint(areas.of_notice(notice, scene.panel.len() as u16), buffer);
    }
    if help {
        let notice = explain(scene);
        notice.paint(centred(notice.size(), area).clamp(area), buffer);
    }
    Fit::Fits
}

/// Where everything goes.
struct Areas {
    title: Rect,
    picture: Rect,
    panel: Rect,
    keys: Rect,
}

impl Areas {
    /// None if the window is too small.
    fn of(scene: &Scene<'_>, window: Size) -> Option<Self> {
        let keys = wrapped(scene.keys, window.width).len() as u16;
        let room = Size::new(
            window.width.saturating_sub(GAP + PANEL),
            window.height.saturating_sub(1 + keys),
        );
        let size = scene.picture.size(room);
        if size.width > room.width || size.height > room.height {
            return None;
        }
        let left = (room.width - size.width) / 2;
        let top = 1 + (room.height - size.height).div_ceil(2);
        let picture = Rect::new(left, top, size.width, size.height);
        let beside = picture.right() + GAP;
        Some(Self {
            title: Rect::new(0, top.saturating_sub(2), window.width, 1),
            picture,
            panel: Rect::new(beside, top, PANEL, window.height - keys - top),
            keys: Rect::new(0, window.height - keys, window.width, keys),
        })
    }

    /// Where a notice goes, if the panel has this many lines.
    fn of_notice(&self, notice: &Notice, lines: u16) -> Rect {
        let size = notice.size();
        let above_keys = Rect::new(0, 0, self.title.width, self.keys.y);
        let beside_panel = Rect::new(0, 0, self.panel.x - 1, self.keys.y);
        match notice.place {
            Place::Picture if size.width <= beside_panel.width => {
                centred(size, self.picture).clamp(beside_panel)
            }
            Place::Picture => centred(size, self.picture).clamp(above_keys),
            Place::Panel => {
                let top = self.panel.y + lines + 1;
                Rect::new(self.panel.x, top, size.width, size.height).clamp(above_keys)
            }
        }
    }
}

/// A box of this size in the middle of an area, from which it may stand out.
fn centred(size: Size, area: Rect) -> Rect {
    let middle = |start: u16, length: u16, own: u16| (start + length / 2).saturating_sub(own / 2);
    Rect::new(
        middle(area.x, area.width, size.width),
        middle(area.y, area.height, size.height),
        size.width,
        size.height,
    )
}

fn say_too_small(scene: &Scene<'_>, area: Rect, buffer: &mut Buffer) {
    let smallest = scene.picture.size(Size::new(0, 0));
    let width = smallest.width + GAP + PANEL;
    let height = smallest.height + 1 + wrapped(scene.keys, width.max(area.width)).len() as u16;
    let text = format!(
        "This game needs a window of at least {width}x{height} (columns x rows); this one is {}x{}. \
         Enlarge it, or press q to leave.",
        area.width, area.height
    );
    Paragraph::new(text)
        .wrap(Wrap { trim: true })
        .render(area, buffer);
}

/// The keys, in as many lines as it takes.
fn wrapped(keys: &[Help], width: u16) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = vec![Line::default()];
    for (key, meaning) in keys {
        let item = [
            Span::styled(*key, theme::KEY),
            Span::raw(format!(" {meaning}")),
        ];
        let item_width: usize = item.iter().map(Span::width).sum();
        let last = lines.len() - 1;
        let used = lines[last].width();
        if used == 0 {
            lines[last].spans.extend(item);
        } else if used + 2 + item_width <= usize::from(width) {
            lines[last].spans.push(Span::raw("  "));
            lines[last].spans.extend(item);
        } else {
            lines.push(Line::from(item.to_vec()));
        }
    }
    lines
}

fn explain(scene: &Scene<'_>) -> Notice {
    let all = || scene.keys.iter().chain(scene.more);
    let width = all().map(|(key, _)| key.chars().count()).max().unwrap_or(0);
    let mut lines = vec![String::new()];
    lines.extend(all().map(|(key, meaning)| format!("{key:<width$}  {meaning}")));
    lines.extend([String::new(), "any key closes this".to_owned()]);
    Notice {
        title: "Keys".to_owned(),
        style: theme::KEY,
        lines,
        place: Place::Picture,
    }
}

impl Notice {
    fn size(&self) -> Size {
        let longest = self.lines.iter().map(|line| line.chars().count()).max();
        let inside = longest.unwrap_or(0).max(self.title.chars().count());
        Size::new(inside as u16 + 4, self.lines.len() as u16 + 3)
    }

    fn paint(&self, area: Rect, buffer: &mut Buffer) {
        let mut lines = vec![Line::styled(self.title.clone(), self.style).centered()];
        // Columns of a table must stay under each other.
        let table = self.lines.iter().any(|line| line.contains("  "));
        lines.extend(self.lines.iter().map(|line| {
            let line = Line::raw(line.clone());
            if table { line } else { line.centered() }
        }));
        let block = Block::bordered()
            .border_type(BorderType::Double)
            .border_style(self.style)
            .padding(Padding::horizontal(1));
        Clear.render(area, buffer);
        Paragraph::new(lines).block(block).render(area, buffer);
    }
}
