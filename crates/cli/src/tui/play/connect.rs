//! Connect-N for two people, or for a person against a player.

use games::AnyGame;
use games::connect::Column;
use ratatui::crossterm::event::KeyCode;
use ratatui::text::Line;

use super::duel::Duel;
use super::{Table, hints, show};
use crate::output::Failure;
use crate::tui::events::{Events, News};
use crate::tui::hint::Hints;
use crate::tui::keys::{Help, Way, way};
use crate::tui::paint::connect::{Board, Score, Stones, Value, stone_style};
use crate::tui::session::{Clock, Session};
use crate::tui::stage::{Scene, row};
use crate::tui::theme;

const KEYS: &[Help] = &[
    ("←→", "choose"),
    ("↓", "drop"),
    ("1-9", "drop there"),
    ("u", "undo"),
    ("Esc", "new game"),
    ("?", "hint"),
    ("i", "help"),
    ("q", "leave"),
];
const MORE: &[Help] = &[
    ("h l, a d", "choose, too"),
    ("j s Space Enter", "drop, too"),
    ("F1", "help, too"),
];

struct Screen {
    title: String,
    duel: Duel,
    /// Columns of the board.
    cols: u8,
    /// The column over which the next stone hangs.
    cursor: u8,
    hints: Hints,
}

impl Screen {
    fn new(title: String, duel: Duel, hints: Hints) -> Self {
        let cols = Stones::of(duel.round.position()).cols;
        Self {
            title,
            duel,
            cols,
            cursor: (cols - 1) / 2,
            hints,
        }
    }

    /// Drops a stone there; a full column takes none.
    fn drop_at(&mut self, column: u8) {
        if self.duel.round.is_persons_turn() && column < self.cols {
            self.cursor = column;
            self.duel.play(&Column(column).to_string());
        }
    }

    fn point(&mut self, way: Way) {
        match way {
            Way::Left => self.cursor = self.cursor.saturating_sub(1),
            Way::Right => self.cursor = (self.cursor + 1).min(self.cols - 1),
            Way::Up | Way::Down => {}
        }
    }

    fn panel(&self, connect: u8) -> Vec<Line<'static>> {
        let mut panel = self.duel.panel(stone_style);
        panel.push(row("In a line", &connect.to_string()));
        let more = match (self.hints.is_thinking(), self.hints.was_cut_short()) {
            (true, _) if self.hints.best().is_some() => Some("still thinking ..."),
            (false, true) => Some("not proved in time"),
            _ => None,
        };
        let more = more.map(|text| Line::styled(text, theme::FAINT));
        let column = |best: &str| format!("column {best}");
        panel.extend(self.hints.panel(column, more.into_iter().collect()));
        panel
    }

    /// What the hint writes over the columns.
    fn scores(&self) -> Vec<Score> {
        let best = self.hints.best();
        let score = |column: Column| {
            let text = column.to_string();
            Score {
                column,
                value: match self.hints.worth(&text) {
                    Some(worth) => Some(Value::Proof(worth)),
                    None => self.hints.value(&text).map(Value::Own),
                },
                is_best: best == Some(&text),
            }
        };
        (0..self.cols).map(Column).map(score).collect()
    }
}

impl Session for Screen {
    fn scene(&self) -> Scene<'_> {
        let round = &self.duel.round;
        let hanging = round.seat().filter(|_| round.is_persons_turn());
        let last = round.last().and_then(|(_, chosen)| chosen.parse().ok());
        let stones = Stones::of(round.position());
        Scene {
            title: self.title.clone(),
            panel: self.panel(stones.connect),
            picture: Box::new(Board {
                stones,
                hanging: hanging.map(|seat| (seat, self.cursor)),
                last,
                scores: Some(self.scores()),
            }),
            keys: KEYS,
            more: MORE,
            notice: self.duel.notice(),
        }
    }

    fn key(&mut self, key: KeyCode) -> Clock {
        match (key, way(key)) {
            (KeyCode::Esc, _) => self.duel.restart(),
            (KeyCode::Char('u'), _) => self.duel.undo(),
            (KeyCode::Char('?'), _) if self.duel.round.is_persons_turn() => {
                self.hints.ask(self.duel.round.position());
            }
            (KeyCode::Char(digit @ '1'..='9'), _) => self.drop_at(digit as u8 - b'1'),
            (KeyCode::Enter | KeyCode::Char(' '), _) | (_, Some(Way::Down)) => {
                self.drop_at(self.cursor);
            }
            (_, Some(way)) => self.point(way),
            _ => {}
        }
        self.hints.follow(self.duel.round.position());
        Clock::Runs
    }

    fn news(&mut self, news: News) {
        match news {
            News::Advice(advice) => self.hints.hear(advice),
            News::Thought(thought) => self.duel.hear(thought),
        }
    }
}

/// Lets people play until they leave.
pub(super) fn sit(table: &Table, events: &Events) -> Option<Result<(), Failure>> {
    let is_own = matches!(table.game, AnyGame::Connect(_) | AnyGame::WideConnect(_));
    is_own.then(|| play(table, events))
}

fn play(table: &Table, events: &Events) -> Result<(), Failure> {
    let (duel, hints) = (Duel::new(table, events)?, hints(table, events)?);
    let mut screen = Screen::new(table.title.clone(), duel, hints);
    show(events, &mut screen, |screen| screen.duel.sum_up())
}

#[cfg(test)]
mod tests;
