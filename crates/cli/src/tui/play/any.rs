//! Any game for people: its sketch as a grid, and the legal moves to choose from.

mod choice;
mod sitting;

use play::advice::value_text;
use play::any::AnyPosition;
use ratatui::crossterm::event::KeyCode;
use ratatui::style::Style;
use ratatui::text::Line;

use self::choice::{Choice, Typed};
use self::sitting::Sitting;
use super::{Table, hints, show};
use crate::output::Failure;
use crate::tui::events::{Events, News};
use crate::tui::hint::Hints;
use crate::tui::keys::{Help, Way};
use crate::tui::paint::sketch::{Board, few_changes, notes};
use crate::tui::session::{Clock, Session};
use crate::tui::stage::{Scene, row};
use crate::tui::theme;

const KEYS: &[Help] = &[
    ("←↑↓→", "choose"),
    ("Enter", "play"),
    ("u", "undo"),
    ("Esc", "new game"),
    ("?", "hint"),
    ("i", "help"),
    ("q", "leave"),
];
const MORE: &[Help] = &[
    ("a move's text", "plays it"),
    ("Tab", "next move of the list"),
    ("Space", "play, too"),
    ("Backspace", "erase, or undo"),
    ("F1", "help, too"),
];
/// Moves whose values a hint shows: the best ones.
const MOST_VALUES: usize = 5;

struct Screen {
    title: String,
    sitting: Sitting,
    /// The moves to choose from.
    choice: Choice,
    /// The position of the choice.
    position: AnyPosition,
    hints: Hints,
}

impl Screen {
    fn new(title: String, sitting: Sitting, hints: Hints) -> Self {
        let position = sitting.round().position().clone();
        Self {
            title,
            choice: Choice::new(&position, &Choice::default()),
            position,
            sitting,
            hints,
        }
    }

    /// The position may be another one: there are other moves, and a hint for the old one has gone.
    fn follow(&mut self) {
        let position = self.sitting.round().position();
        self.hints.follow(position);
        if self.position != *position {
            self.position = position.clone();
            self.choice = Choice::new(position, &self.choice);
        }
    }

    fn play(&mut self) {
        if let Some(chosen) = self.choice.text() {
            self.sitting.play(chosen);
        }
    }

    /// Does the letter belong to the text of a move?
    fn types(&self, letter: char) -> bool {
        self.sitting.round().is_persons_turn() && self.choice.continues(letter)
    }

    fn type_letter(&mut self, letter: char) {
        if self.choice.type_letter(letter) == Typed::Whole {
            self.play();
        }
    }

    fn erase_or_undo(&mut self) {
        if !self.choice.erase() {
            self.sitting.undo();
        }
    }

    fn panel(&self) -> Vec<Line<'static>> {
        let round = self.sitting.round();
        let mut panel = self.sitting.panel();
        panel.extend(notes(&round.position().sketch()));
        if round.is_persons_turn() {
            let typed = format!("{}_", self.choice.typed());
            panel.extend([Line::default(), row("Move", &typed)]);
            // The usual window has no room for both.
            if self.hints.values().is_empty() {
                panel.extend(self.choice.list());
            }
        }
        let name = |best: &str| best.to_owned();
        panel.extend(self.hints.panel(name, self.values()));
        panel
    }

    /// The best moves with their values, the hint marked.
    fn values(&self) -> Vec<Line<'static>> {
        let best = self.hints.best();
        let line = |(chosen, value): &(String, f64)| {
            let (mark, style) = match best == Some(chosen) {
                true => ('>', theme::GOOD),
                false => (' ', Style::new()),
            };
            let text = format!("{mark} {chosen:<8}{:>10}", value_text(*value));
            Line::styled(text, style)
        };
        let mut values = self.hints.values().to_vec();
        values.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        values.iter().take(MOST_VALUES).map(line).collect()
    }
}

impl Session for Screen {
    fn scene(&self) -> Scene<'_> {
        let round = self.sitting.round();
        let changed = |(before, _)| few_changes(before, round.position());
        let (mut chosen, mut hints) = (Vec::new(), Vec::new());
        if round.is_persons_turn() {
            chosen = self.choice.cells().to_vec();
            hints = self.choice.by_cell();
        }
        Scene {
            title: self.title.clone(),
            picture: Box::new(Board {
                sketch: round.position().sketch(),
                changed: round.last().map_or(Vec::new(), changed),
                chosen,
                hints,
            }),
            panel: self.panel(),
            keys: KEYS,
            more: MORE,
            notice: self.sitting.notice(),
        }
    }

    fn key(&mut self, key: KeyCode) -> Clock {
        match key {
            KeyCode::Char(letter) if self.types(letter) => self.type_letter(letter),
            KeyCode::Enter | KeyCode::Char(' ') => self.play(),
            KeyCode::Up => self.choice.point(Way::Up),
            KeyCode::Right => self.choice.point(Way::Right),
            KeyCode::Down => self.choice.point(Way::Down),
            KeyCode::Left => self.choice.point(Way::Left),
            KeyCode::Tab => self.choice.next(),
            KeyCode::Backspace => self.erase_or_undo(),
            KeyCode::Char('u') => self.sitting.undo(),
            KeyCode::Char('?') if self.sitting.round().is_persons_turn() => {
                self.hints.ask(&self.position);
            }
            KeyCode::Esc => self.sitting.restart(),
            _ => {}
        }
        self.follow();
        Clock::Runs
    }

    /// Unless `i` belongs to the text of a move.
    fn explains(&self, key: KeyCode) -> bool {
        key == KeyCode::F(1) || key == KeyCode::Char('i') && !self.types('i')
    }

    fn news(&mut self, news: News) {
        match news {
            News::Advice(advice) => self.hints.hear(advice),
            News::Thought(thought) => self.sitting.hear(thought),
        }
        self.follow();
    }
}

/// Lets people play until they leave.
pub(super) fn sit(table: &Table, events: &Events) -> Result<(), Failure> {
    let (sitting, hints) = (Sitting::new(table, events)?, hints(table, events)?);
    let mut screen = Screen::new(table.title.clone(), sitting, hints);
    show(events, &mut screen, |screen| screen.sitting.sum_up())
}

#[cfg(test)]
mod tests;
