//! Hints: what another player would do here. It thinks on its own thread, and its answer counts only for
//! the position it was asked about.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use games::{Game, Stream, stream};
use play::advice;
use players::Player;
use ratatui::text::Line;

use super::events::Event;
use super::stage::{PANEL, row};
use super::theme;
use super::thinker::TellCrash;

/// Most time to judge the moves, and again to choose one: a person waits two seconds at most for a player that can
/// be limited.
pub(crate) const TIME: Duration = Duration::from_secs(1);
/// The generator of hints is no player's and not that of chance.
const ROLE: u64 = 3;

/// What the player thinks of the position of a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Advice<M> {
    question: u64,
    answer: advice::Advice<M>,
}

struct Question<G: Game> {
    number: u64,
    position: G::Position,
}

/// The player that is asked for hints, and its hint for the position of now.
pub(crate) struct Hints<G: Game> {
    /// The name of the player.
    name: String,
    questions: Sender<Question<G>>,
    asked: u64,
    state: State<G>,
}

enum State<G: Game> {
    /// Nobody has asked.
    Silent,
    Thinking(Question<G>),
    Known(G::Position, Advice<G::Move>),
}

impl<G: Game> Hints<G> {
    /// Starts the thread of the player. Answers come as news.
    pub(crate) fn start<N>(
        game: &G,
        name: String,
        player: Box<dyn Player<G>>,
        seed: u64,
        answers: Sender<Event<N>>,
    ) -> io::Result<Self>
    where
        N: From<Advice<G::Move>> + Send + 'static,
    {
        let (questions, asked) = mpsc::channel();
        let game = game.clone();
        let rng = stream(seed, &[0, ROLE]);
        thread::Builder::new()
            .name("hint".to_owned())
            .spawn(move || {
                let tell_crash = TellCrash(answers.clone());
                answer_all(&game, player, &rng, &asked, &answers);
                drop(tell_crash);
            })?;
        Ok(Self {
            name,
            questions,
            asked: 0,
            state: State::Silent,
        })
    }

    /// Asks about a position in which it is a person's turn, unless that was asked already.
    pub(crate) fn ask(&mut self, position: &G::Position) {
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
    pub(crate) fn hear(&mut self, advice: Advice<G::Move>) {
        if let State::Thinking(question) = &self.state
            && question.number == advice.question
        {
            self.state = State::Known(question.position.clone(), advice);
        }
    }

    /// The position is this one now: a hint for another has gone.
    pub(crate) fn follow(&mut self, position: &G::Position) {
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

    fn advice(&self) -> Option<&advice::Advice<G::Move>> {
        match &self.state {
            State::Known(_, advice) => Some(&advice.answer),
            State::Silent | State::Thinking(_) => None,
        }
    }

    /// What the player would do.
    pub(crate) fn best(&self) -> Option<G::Move> {
        self.advice()?.chosen.as_ref().ok().copied()
    }

    /// What a move is worth to it.
    pub(crate) fn value(&self, of: G::Move) -> Option<f64> {
        let values = &self.advice()?.values;
        values
            .iter()
            .find(|(own, _)| *own == of)
            .map(|(_, value)| *value)
    }

    pub(crate) fn has_values(&self) -> bool {
        self.advice()
            .is_some_and(|advice| !advice.values.is_empty())
    }

    pub(crate) fn was_cut_short(&self) -> bool {
        self.advice().is_some_and(|advice| advice.cut_short)
    }

    /// Lines for the panel: the move by its name, whatever is to be said of it, and whose hint it is.
    pub(crate) fn panel(
        &self,
        name: impl FnOnce(G::Move) -> String,
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

fn answer_all<G: Game, N: From<Advice<G::Move>>>(
    game: &G,
    mut player: Box<dyn Player<G>>,
    rng: &Stream,
    questions: &Receiver<Question<G>>,
    answers: &Sender<Event<N>>,
) {
    for question in questions {
        // Only the last one still matters to anybody.
        let question = questions.try_iter().last().unwrap_or(question);
        let advice = Advice {
            question: question.number,
            answer: advice::advise(game, &mut *player, rng, &question.position, TIME),
        };
        if answers.send(Event::News(advice.into())).is_err() {
            return;
        }
    }
}
