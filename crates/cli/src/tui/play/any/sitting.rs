//! Who plays a game: one person for a score, or two people, or a person and a player.

use ratatui::style::Style;
use ratatui::text::Line;

use super::super::duel::Duel;
use super::super::round::Round;
use super::super::{Table, scores};
use crate::output::{Failure, number};
use crate::tui::best::Best;
use crate::tui::events::Events;
use crate::tui::paint::sketch::tone_style;
use crate::tui::stage::{Notice, Place, row};
use crate::tui::theme;
use crate::tui::thinker::Thought;

/// A game and who plays it.
pub(super) enum Sitting {
    Alone { round: Round, best: Best },
    Two(Duel),
}

impl Sitting {
    pub(super) fn new(table: &Table, events: &Events) -> Result<Self, Failure> {
        Ok(match table.game.seats() {
            1 => Self::Alone {
                round: Round::new(table.start(), table.seed, None),
                best: Best::of(table.record.clone()),
            },
            _ => Self::Two(Duel::new(table, events)?),
        })
    }

    pub(super) fn round(&self) -> &Round {
        match self {
            Self::Alone { round, .. } => round,
            Self::Two(duel) => &duel.round,
        }
    }

    pub(super) fn play(&mut self, chosen: &str) {
        match self {
            Self::Alone { round, .. } => round.play(chosen),
            Self::Two(duel) => duel.play(chosen),
        }
        if self.round().is_over() {
            self.keep();
        }
    }

    pub(super) fn undo(&mut self) {
        match self {
            Self::Alone { round, .. } => round.undo(),
            Self::Two(duel) => duel.undo(),
        }
    }

    pub(super) fn restart(&mut self) {
        self.keep();
        match self {
            Self::Alone { round, .. } => round.restart(),
            Self::Two(duel) => duel.restart(),
        }
    }

    /// A player has thought.
    pub(super) fn hear(&mut self, thought: Thought) {
        if let Self::Two(duel) = self {
            duel.hear(thought);
        }
    }

    /// Keeps the score, if it is the best.
    fn keep(&mut self) {
        if let Self::Alone { round, best } = self {
            best.keep(round.score());
        }
    }

    pub(super) fn panel(&self) -> Vec<Line<'static>> {
        match self {
            Self::Alone { round, best } => {
                let of = |count: i64| number(count as f64, 0);
                vec![
                    row("Score", &of(round.score())),
                    row("Best", &of(best.with(round.score()))),
                    row("Moves", &of(round.moves() as i64)),
                ]
            }
            Self::Two(duel) => duel.panel(seat_style),
        }
    }

    /// What is said when the game is over.
    pub(super) fn notice(&self) -> Option<Notice> {
        match self {
            Self::Two(duel) => duel.notice(),
            Self::Alone { round, best } => round.is_over().then(|| Notice {
                title: "Game over".to_owned(),
                style: theme::TITLE,
                lines: vec![
                    scores(round.score(), best),
                    String::new(),
                    "Esc new game, u undo".to_owned(),
                ],
                place: Place::Panel,
            }),
        }
    }

    /// A line about all games.
    pub(super) fn sum_up(&mut self) -> String {
        self.keep();
        match self {
            Self::Alone { round, best } => {
                let (name, scores) = (round.position().game(), scores(round.score(), best));
                format!("{name}: {scores}\n")
            }
            Self::Two(duel) => duel.sum_up(),
        }
    }
}

/// The two seats have the first two tones.
fn seat_style(seat: u8) -> Style {
    tone_style(seat + 1)
}
