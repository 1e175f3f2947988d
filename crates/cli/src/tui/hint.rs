//! Hints: what another player would do here. It thinks on its own thread, and its answer counts only for
//! the position it was asked about.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use games::{Stream, stream};
use play::advice;
use play::any::{AnyPlayer, AnyPosition};
use ratatui::text::Line;

use super::events::{Event, News};
use super::stage::{PANEL, row};
use super::theme;
use super::thinker::ReportCrash;

/// Time limit for judging the moves, and again for choosing one: a person waits at most two seconds for a player that can
/// be limited.
pub(crate) const TIME: Duration = Duration::from_secs(1);
/// Hints have a generator of their own, apart from those of the players and of chance.
const ROLE: u64 = 3;

/// What the player thinks of the position of a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Advice {
    question: u64,
    answer: advice::Advice,
}

struct Question {
    number: u64,
    position: AnyPosition,
}

/// The player that is asked for hints, and its hint for the current position.
pub(crate) struct Hints {
    /// The name of the player.
    name: String,
    questions: Sender<Question>,
    asked: u64,
    state: State,
}

enum State {
    /// Nobody has asked.
    Silent,
    Thinking(Question),
    Known(AnyPosition, Advice),
}

impl Hints {
    /// Starts the thread of the player. Answers come as news.
    pub(crate) fn start(
        name: String,
        player: AnyPlayer,
        seed: u64,
        answers: Sender<Event>,
    ) -> io::Result<Self> {
        let (questions, asked) = mpsc::channel();
        let rng = stream(seed, &[0, ROLE]);
        thread::Builder::new()
            .name("hint".to_owned())
            .spawn(move || {
                let report_crash = ReportCrash(answers.clone());
                answer_all(player, &rng, &asked, &answers);
                drop(report_crash);
            })?;
        Ok(Self {
            name,
            questions,
            asked: 0,
            state: State::Silent,
        })
    }

    /// Asks about a position in which it is a person's turn, unless that was asked already.
    pub(crate) fn ask(&mut self, position: &AnyPosition) {
        self.follow(position);
        if !matches!(self.state, State::Silent) {
            return;
        }
        self.asked += 1;
        let question = || Question {
            number: self.asked,
            position: position.clone(),
        };
        // If the thread has died its crash is among the events already.
        let _ = self.questions.send(question());
        self.state = State::Thinking(question());
    }

    /// Takes an answer; one that comes too late is dropped.
    pub(crate) fn hear(&mut self, advice: Advice) {
        if let State::Thinking(question) = &self.state
            && question.number == advice.question
        {
            self.state = State::Known(question.position.clone(), advice);
        }
    }

    /// The position is this one now: a hint for another has gone.
    pub(crate) fn follow(&mut self, position: &AnyPosition) {
        let of = match &self.state {
            State::Silent => return,
            State::Thinking(question) => &question.position,
            State::Known(position, _) => position,
        };
        if of != position {
            self.state = State::Silent;
        }
    }

    pub(crate) fn is_thinking(&self) -> bool {
        matches!(self.state, State::Thinking(_))
    }

    fn advice(&self) -> Option<&advice::Advice> {
        match &self.state {
            State::Known(_, advice) => Some(&advice.answer),
            State::Silent | State::Thinking(_) => None,
        }
    }

    /// What the player would do.
    pub(crate) fn best(&self) -> Option<&str> {
        self.advice()?.chosen.as_deref().ok()
    }

    /// What a move is worth to it.
    pub(crate) fn value(&self, of: &str) -> Option<f64> {
        let mut values = self.values().iter();
        values.find(|(own, _)| own == of).map(|(_, value)| *value)
    }

    /// What every move is worth to it; none if it does not compare moves by numbers.
    pub(crate) fn values(&self) -> &[(String, f64)] {
        self.advice().map_or(&[], |advice| &advice.values)
    }

    pub(crate) fn was_cut_short(&self) -> bool {
        self.advice().is_some_and(|advice| advice.cut_short)
    }

    /// Lines for the panel: the move by its name, whatever is to be said about it, and whose hint it is.
    pub(crate) fn panel(
        &self,
        name: impl FnOnce(&str) -> String,
        more: Vec<Line<'static>>,
    ) -> Vec<Line<'static>> {
        let first = match (self.best(), self.is_thinking()) {
            (Some(best), _) => row("Hint", &name(best)),
            (None, true) => row("Hint", "thinking ..."),
            (None, false) => return self.failure(),
        };
        let mut lines = vec![Line::default(), first];
        lines.extend(more);
        lines.push(Line::styled(cut(&self.name), theme::FAINT));
        lines
    }

    /// Why there is no hint, if one was asked for.
    pub(crate) fn failure(&self) -> Vec<Line<'static>> {
        let Some(Err(reason)) = self.advice().map(|advice| &advice.chosen) else {
            return Vec::new();
        };
        let reason: Vec<char> = reason.replace('\n', " ").chars().collect();
        let lines = reason.chunks(usize::from(PANEL)).take(4);
        [Line::default(), Line::styled("No hint:", theme::BAD)]
            .into_iter()
            .chain(lines.map(|line| Line::raw(line.iter().collect::<String>())))
            .collect()
    }
}

/// What fits a line of the panel.
fn cut(text: &str) -> String {
    text.chars().take(usize::from(PANEL)).collect()
}

fn answer_all(
    mut player: AnyPlayer,
    rng: &Stream,
    questions: &Receiver<Question>,
    answers: &Sender<Event>,
) {
    for question in questions {
        // Only the last question is still of interest.
        let question = questions.try_iter().last().unwrap_or(question);
        let advice = Advice {
            question: question.number,
            answer: player.advise(&question.position, rng, TIME),
        };
        if answers.send(Event::News(News::Advice(advice))).is_err() {
            return;
        }
    }
}
