//! Tetris for a person: the piece falls by the clock, or waits in the turn-based mode.

mod fall;

use std::time::Duration;

use games::AnyGame;
use games::tetris::{ColumnBits, Quarter, Side, Step, Tetris};
use play::advice::value_text;
use play::any::AnyPosition;
use ratatui::crossterm::event::KeyCode;
use ratatui::text::Line;

use self::fall::{Fall, pace};
use super::{Table, hints, scores, show};
use crate::output::{Failure, number};
use crate::tui::best::Best;
use crate::tui::events::{Events, News};
use crate::tui::hint::Hints;
use crate::tui::keys::{Help, Way, way};
use crate::tui::paint::tetris::{Board, HINT, held, landed, progress, queue};
use crate::tui::session::{Clock, Session};
use crate::tui::stage::{Notice, Place, Scene, row};
use crate::tui::theme;

const KEYS: &[Help] = &[
    ("←→", "move"),
    ("↑", "turn"),
    ("↓", "down"),
    ("Space", "drop"),
    ("p", "pause"),
    ("Esc", "new"),
    ("?", "hint"),
    ("i", "help"),
    ("q", "leave"),
];
const TURN_BASED_KEYS: &[Help] = &[
    ("←→", "move"),
    ("↑", "turn"),
    ("↓", "down"),
    ("Space", "drop"),
    ("Esc", "new"),
    ("?", "hint"),
    ("i", "help"),
    ("q", "leave"),
];
const MORE: &[Help] = &[
    ("h l, a d", "move, too"),
    ("k w x", "turn, too"),
    ("z", "turn the other way"),
    ("j s", "down, too"),
    ("Enter", "drop, too"),
    ("c", "hold, with --hold"),
    ("F1", "help, too"),
];

struct Screen<C: ColumnBits> {
    title: String,
    /// The start, of which other positions are made for the hints.
    start: AnyPosition,
    fall: Fall<C>,
    best: Best,
    paused: bool,
    turn_based: bool,
    hints: Hints,
}

impl<C: ColumnBits> Screen<C> {
    /// The position, for the hints.
    fn position(&self) -> AnyPosition {
        self.start.with::<Tetris<C>>(*self.fall.falling.position())
    }

    /// What a hint is known for may have changed.
    fn follow(&mut self) {
        self.hints.follow(&self.position());
    }

    /// The move of the hint. A piece that was exchanged cannot be exchanged again: then it is the best of the others.
    fn hinted(&self) -> Option<&str> {
        let best = self.hints.best()?;
        if !(holds(best) && self.fall.falling.is_exchanged()) {
            return Some(best);
        }
        let others = self
            .hints
            .values()
            .iter()
            .filter(|(chosen, _)| !holds(chosen));
        let best = others.max_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|(chosen, _)| chosen.as_str())
    }

    /// How the hint looks on the board, and what its placement is worth. The line is always there: pieces to come
    /// should not jump.
    fn hint(&self) -> Line<'static> {
        let hints = &self.hints;
        match (self.hinted(), hints.is_thinking()) {
            (Some(best), _) => {
                let value = hints.value(best).map(value_text);
                let key = if holds(best) { "c " } else { "" };
                row(&format!("Hint {key}{HINT}"), &value.unwrap_or_default())
            }
            (None, true) => row("Hint", "thinking ..."),
            (None, false) => row("Hint", "?"),
        }
    }

    fn keep(&mut self) {
        self.best.keep(self.fall.score());
    }

    fn notice(&self) -> Option<Notice> {
        let score = scores(self.fall.score(), &self.best);
        let (title, style, lines) = if self.fall.is_over() {
            let lines = vec![score, String::new(), "Esc new game".to_owned()];
            ("Game over", theme::BAD, lines)
        } else if self.paused {
            ("Paused", theme::TITLE, vec!["any key goes on".to_owned()])
        } else {
            return None;
        };
        Some(Notice {
            title: title.to_owned(),
            style,
            lines,
            place: Place::Picture,
        })
    }

    fn panel(&self) -> Vec<Line<'static>> {
        let of = |count: i64| number(count as f64, 0);
        let score = self.fall.score();
        let mut panel = vec![
            row("Score", &of(score)),
            row("Best", &of(self.best.with(score))),
        ];
        panel.extend(progress(self.fall.falling.position()));
        if !self.turn_based {
            panel.push(row("Level", &self.fall.level().to_string()));
        }
        panel.push(self.hint());
        let (game, position) = (&self.fall.game, self.fall.falling.position());
        panel.extend(held(game, position, "Held (c)"));
        let next = queue(&self.fall.game, self.fall.falling.position(), 1);
        if !next.is_empty() {
            panel.extend([Line::default(), Line::styled("Next", theme::FAINT)]);
        }
        panel.extend(next);
        panel.extend(self.hints.failure());
        panel
    }

    fn act(&mut self, key: KeyCode) -> Step {
        match (key, way(key)) {
            (KeyCode::Char(' ') | KeyCode::Enter, _) => return self.fall.drop(),
            (KeyCode::Char('?'), _) if !self.fall.is_over() => {
                self.hints.ask(&self.position());
            }
            (KeyCode::Char('c'), _) => self.fall.hold(),
            (KeyCode::Char('x'), _) | (_, Some(Way::Up)) => self.fall.rotate(Quarter::Clockwise),
            (KeyCode::Char('z'), _) => self.fall.rotate(Quarter::Counterclockwise),
            (_, Some(Way::Left)) => self.fall.shift(Side::Left),
            (_, Some(Way::Right)) => self.fall.shift(Side::Right),
            (_, Some(Way::Down)) => return self.fall.step(),
            _ => {}
        }
        Step::Fell
    }
}

impl<C: ColumnBits> Session for Screen<C> {
    fn scene(&self) -> Scene<'_> {
        let falling = &self.fall.falling;
        let best = self.hinted().and_then(|best| best.parse().ok());
        Scene {
            title: self.title.clone(),
            picture: Box::new(Board {
                game: &self.fall.game,
                position: falling.position(),
                stack: &self.fall.stack,
                falling: falling.piece().zip(falling.ghost(&self.fall.game)),
                hint: best.and_then(|best| landed(&self.fall.game, falling.position(), best)),
            }),
            panel: self.panel(),
            keys: if self.turn_based {
                TURN_BASED_KEYS
            } else {
                KEYS
            },
            more: MORE,
            notice: self.notice(),
        }
    }

    fn key(&mut self, key: KeyCode) -> Clock {
        if key == KeyCode::Esc {
            self.keep();
            self.fall.restart();
            self.follow();
            self.paused = false;
            return Clock::Restarts;
        }
        if self.paused || key == KeyCode::Char('p') {
            self.paused = !self.paused && !self.turn_based && !self.fall.is_over();
            return Clock::Restarts;
        }
        let step = self.act(key);
        self.follow();
        if self.fall.is_over() {
            self.keep();
        }
        // The next piece, and a piece that was just pushed down, get their full time.
        let pushed = way(key) == Some(Way::Down);
        match step {
            Step::Fell if !pushed => Clock::Runs,
            _ => Clock::Restarts,
        }
    }

    fn pace(&self) -> Option<Duration> {
        let stands = self.paused || self.turn_based || self.fall.is_over();
        (!stands).then(|| pace(self.fall.level()))
    }

    fn tick(&mut self) {
        self.fall.step();
        self.follow();
        if self.fall.is_over() {
            self.keep();
        }
    }

    fn news(&mut self, news: News) {
        if let News::Advice(advice) = news {
            self.hints.hear(advice);
        }
    }
}

/// Whether a move holds the current piece.
fn holds(chosen: &str) -> bool {
    chosen.starts_with('h')
}

/// Lets a person play until they leave.
pub(super) fn sit(table: &Table, events: &Events) -> Option<Result<(), Failure>> {
    match &table.game {
        AnyGame::Tetris(game) => Some(play(game, table, events)),
        AnyGame::TallTetris(game) => Some(play(game, table, events)),
        _ => None,
    }
}

fn play<C: ColumnBits>(game: &Tetris<C>, table: &Table, events: &Events) -> Result<(), Failure> {
    // Without the clock the same score is worth less: it has a record of its own.
    let clock = if table.turn_based { " turn-based" } else { "" };
    let start = table.start();
    let mut screen = Screen {
        title: format!("{}{clock}", table.title),
        fall: Fall::new(game.clone(), *start.own::<Tetris<C>>().1, table.seed, 0),
        start,
        best: Best::of(format!("{}{clock}", table.record)),
        paused: false,
        turn_based: table.turn_based,
        hints: hints(table, events)?,
    };
    show(events, &mut screen, |screen| {
        screen.keep();
        let lines = screen.fall.falling.position().clears().lines();
        let scores = scores(screen.fall.score(), &screen.best);
        format!("tetris: {scores}, {} lines\n", number(lines as f64, 0))
    })
}

#[cfg(test)]
mod tests;
