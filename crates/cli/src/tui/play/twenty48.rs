//! 2048 for a person: slide, take back, play on after winning.

use games::AnyGame;
use games::twenty48::{Direction, Twenty48};
use play::advice::value_text;
use ratatui::crossterm::event::KeyCode;
use ratatui::style::Style;
use ratatui::text::Line;

use super::round::Round;
use super::{Table, hints, scores, show};
use crate::output::{Failure, number};
use crate::tui::best::Best;
use crate::tui::events::{Events, News};
use crate::tui::hint::Hints;
use crate::tui::keys::{Help, Way, way};
use crate::tui::paint::twenty48::{Board, direction_name, highest, last_move, new_cell};
use crate::tui::session::{Clock, Session};
use crate::tui::stage::{Notice, Place, Scene, row};
use crate::tui::theme;

const KEYS: &[Help] = &[
    ("←↑↓→", "slide"),
    ("u", "undo"),
    ("Esc", "new game"),
    ("?", "hint"),
    ("i", "help"),
    ("q", "leave"),
];
const MORE: &[Help] = &[("hjkl wasd", "slide, too"), ("F1", "help, too")];

/// Winning is announced once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Praise {
    Due,
    Shown,
    Over,
}

struct Screen {
    title: String,
    round: Round,
    praise: Praise,
    best: Best,
    hints: Hints,
}

impl Screen {
    fn slide(&mut self, direction: Direction) {
        self.round.play(&direction.to_string());
        if self.is_won() && self.praise == Praise::Due && !self.round.is_over() {
            self.praise = Praise::Shown;
        }
    }

    fn restart(&mut self) {
        self.keep();
        self.round.restart();
        self.praise = Praise::Due;
    }

    /// The praise has been seen.
    fn play_on(&mut self) {
        if self.praise == Praise::Shown {
            self.praise = Praise::Over;
        }
    }

    fn is_won(&self) -> bool {
        let (game, position) = self.round.position().own::<Twenty48>();
        game.is_won(position)
    }

    /// The directions with their values, the best one marked.
    fn values(&self) -> Vec<Line<'static>> {
        let hints = &self.hints;
        if hints.values().is_empty() {
            return Vec::new();
        }
        let line = |direction: Direction| {
            let text = direction.to_string();
            let value = hints.value(&text).map_or("-".to_owned(), value_text);
            let (mark, style) = match hints.best() == Some(&text) {
                true => ('>', theme::GOOD),
                false => (' ', Style::new()),
            };
            let text = format!("{mark} {:<8}{value:>10}", direction_name(direction));
            Line::styled(text, style)
        };
        Direction::ALL.map(line).into()
    }

    fn notice(&self) -> Option<Notice> {
        let rules = self.round.position().own::<Twenty48>().0.rules();
        let tile = 1_u64 << rules.win;
        let (title, style, then) = match (self.round.is_over(), self.is_won()) {
            (true, true) if rules.stop_at_win => (format!("You won: {tile}!"), theme::GOOD, ""),
            (true, _) => ("Game over".to_owned(), theme::BAD, ""),
            (false, _) if self.praise == Praise::Shown => (
                format!("You won: {tile}!"),
                theme::GOOD,
                "any other key plays on",
            ),
            _ => return None,
        };
        let score = scores(self.round.score(), &self.best);
        let mut lines = vec![score, String::new(), "Esc new game, u undo".to_owned()];
        lines.extend((!then.is_empty()).then(|| then.to_owned()));
        Some(Notice {
            title,
            style,
            lines,
            place: Place::Picture,
        })
    }

    fn keep(&mut self) {
        self.best.keep(self.round.score());
    }
}

impl Session for Screen {
    fn scene(&self) -> Scene<'_> {
        let round = &self.round;
        let of = |count: i64| number(count as f64, 0);
        let mut panel = vec![
            row("Score", &of(round.score())),
            row("Best", &of(self.best.with(round.score()))),
            row("Moves", &of(round.moves() as i64)),
        ];
        let (game, position) = round.position().own();
        panel.extend(highest(game, position));
        panel.push(last_move(round.last().map(|(_, chosen)| chosen)));
        let direction = |best: &str| best.parse().map_or(best.to_owned(), direction_name);
        panel.extend(self.hints.panel(direction, self.values()));
        let new = |(before, chosen)| new_cell(before, chosen, round.position());
        Scene {
            title: self.title.clone(),
            picture: Box::new(Board {
                tiles: position.tiles(),
                new: round.last().and_then(new),
            }),
            panel,
            keys: KEYS,
            more: MORE,
            notice: self.notice(),
        }
    }

    fn key(&mut self, key: KeyCode) -> Clock {
        match key {
            KeyCode::Esc => self.restart(),
            KeyCode::Char('u') => {
                self.round.undo();
                self.play_on();
            }
            _ if self.praise == Praise::Shown => self.play_on(),
            KeyCode::Char('?') if !self.round.is_over() => self.hints.ask(self.round.position()),
            _ => {
                if let Some(way) = way(key) {
                    self.slide(direction(way));
                }
            }
        }
        self.hints.follow(self.round.position());
        if self.round.is_over() {
            self.keep();
        }
        Clock::Runs
    }

    fn news(&mut self, news: News) {
        if let News::Advice(advice) = news {
            self.hints.hear(advice);
        }
    }
}

fn direction(way: Way) -> Direction {
    match way {
        Way::Up => Direction::Up,
        Way::Right => Direction::Right,
        Way::Down => Direction::Down,
        Way::Left => Direction::Left,
    }
}

/// Lets a person play until they leave.
pub(super) fn sit(table: &Table, events: &Events) -> Option<Result<(), Failure>> {
    matches!(table.game, AnyGame::Twenty48(_)).then(|| play(table, events))
}

fn play(table: &Table, events: &Events) -> Result<(), Failure> {
    let mut screen = Screen {
        title: table.title.clone(),
        round: Round::new(table.start(), table.seed, None),
        praise: Praise::Due,
        best: Best::of(table.record.clone()),
        hints: hints(table, events)?,
    };
    show(events, &mut screen, |screen| {
        screen.keep();
        let (_, position) = screen.round.position().own::<Twenty48>();
        let highest = 1_u64 << position.tiles().highest();
        let scores = scores(screen.round.score(), &screen.best);
        format!("2048: {scores}, highest tile {highest}\n")
    })
}

#[cfg(test)]
mod tests;
