//! Hints: what another player would do here. It thinks on its own thread, and its answer counts only for
//! the position it was asked about. Who solves positions tells of every move that is proved, for as long as the person thinks.

use std::cell::RefCell;
use std::io;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use games::{AnyGame, Stream, stream};
use play::advice;
use play::any::{AnyPlayer, AnyPosition};
use play::proofs::{Known, Prover, SOLVER, Worth};
use players::solver::Budget;
use players::{Cancelled, Spec, SpecError};
use ratatui::text::Line;

use super::events::{Event, News};
use super::stage::{PANEL, row};
use super::theme;
use super::thinker::ReportCrash;

/// Time limit for judging the moves, and again for choosing one: a person waits at most two seconds for a player that can
/// be limited.
const TIME: Duration = Duration::from_secs(1);
/// A proof may take longer: what is known is shown meanwhile.
const PROOF_TIME: Duration = Duration::from_secs(120);
/// At most so often is the screen told more.
const PAUSE: Duration = Duration::from_millis(100);
/// Hints have a generator of their own, apart from those of the players and of chance.
const ROLE: u64 = 3;

/// What the player thinks of the position of a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Advice {
    question: u64,
    answer: advice::Advice,
    /// What is known of the moves, from one who proves it.
    worths: Vec<(String, Worth)>,
    /// Nothing more will be said about this question.
    is_last: bool,
}

#[derive(Clone)]
struct Question {
    number: u64,
    position: AnyPosition,
    /// Nobody wants to know any more.
    cancelled: Cancelled,
}

/// Who is asked.
pub(crate) enum Adviser {
    Player(AnyPlayer),
    /// The perfect player, without limits of its own.
    Prover(Box<Prover>),
}

impl Adviser {
    /// The adviser of a spec.
    pub(crate) fn new(game: &AnyGame, spec: &Spec) -> Result<Self, SpecError> {
        let is_solver = spec.name() == SOLVER && spec.get("nodes").is_none();
        let prover = is_solver.then(|| Prover::new(game)).flatten();
        Ok(match prover {
            Some(prover) => Self::Prover(Box::new(prover)),
            None => Self::Player(AnyPlayer::new(game, spec, Some(TIME))?),
        })
    }
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
    Known(Question, Advice),
}

impl Hints {
    /// Starts the thread of the player. Answers come as news.
    pub(crate) fn start(
        name: String,
        adviser: Adviser,
        seed: u64,
        answers: Sender<Event>,
    ) -> io::Result<Self> {
        let (questions, asked) = mpsc::channel();
        let rng = stream(seed, &[0, ROLE]);
        thread::Builder::new()
            .name("hint".to_owned())
            .spawn(move || {
                let report_crash = ReportCrash(answers.clone());
                answer_all(adviser, &rng, &asked, &answers);
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
        let question = Question {
            number: self.asked,
            position: position.clone(),
            cancelled: Cancelled::default(),
        };
        // If the thread has died its crash is among the events already.
        let _ = self.questions.send(question.clone());
        self.state = State::Thinking(question);
    }

    /// Takes an answer; one that comes too late is dropped.
    pub(crate) fn hear(&mut self, advice: Advice) {
        if let State::Thinking(question) | State::Known(question, _) = &self.state
            && question.number == advice.question
        {
            self.state = State::Known(question.clone(), advice);
        }
    }

    /// The position is this one now: a hint for another has gone.
    pub(crate) fn follow(&mut self, position: &AnyPosition) {
        if let State::Thinking(question) | State::Known(question, _) = &self.state
            && question.position != *position
        {
            question.cancelled.store(true, Ordering::Relaxed);
            self.state = State::Silent;
        }
    }

    pub(crate) fn is_thinking(&self) -> bool {
        match &self.state {
            State::Silent => false,
            State::Thinking(_) => true,
            State::Known(_, advice) => !advice.is_last,
        }
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

    /// What is known of a move, from one who proves it.
    pub(crate) fn worth(&self, of: &str) -> Option<Worth> {
        let State::Known(_, advice) = &self.state else {
            return None;
        };
        let mut worths = advice.worths.iter();
        worths.find(|(own, _)| own == of).map(|(_, worth)| *worth)
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
    mut adviser: Adviser,
    rng: &Stream,
    questions: &Receiver<Question>,
    answers: &Sender<Event>,
) {
    let mut next = None;
    while let Some(question) = next.take().or_else(|| questions.recv().ok()) {
        // Only the last question is still of interest.
        let question = questions.try_iter().last().unwrap_or(question);
        match &mut adviser {
            Adviser::Player(player) => {
                let advice = Advice {
                    question: question.number,
                    answer: player.advise(&question.position, rng, TIME),
                    worths: Vec::new(),
                    is_last: true,
                };
                if answers.send(Event::News(News::Advice(advice))).is_err() {
                    return;
                }
            }
            Adviser::Prover(prover) => next = prove(prover, &question, questions, answers),
        }
    }
}

/// Tells of a position until all is proved, nobody wants to know, or there is another question, which it returns.
fn prove(
    prover: &mut Prover,
    question: &Question,
    questions: &Receiver<Question>,
    answers: &Sender<Event>,
) -> Option<Question> {
    let (started, next) = (Instant::now(), RefCell::new(None));
    let stop = || {
        if let Some(newer) = questions.try_iter().last() {
            *next.borrow_mut() = Some(newer);
        }
        next.borrow().is_some() || started.elapsed() >= PROOF_TIME
    };
    let budget = Budget {
        stop: Some(&stop),
        cancelled: Some(&question.cancelled),
        ..Budget::default()
    };
    let tell = |known: &Known, is_last| {
        // A screen that is gone needs nothing.
        let _ = answers.send(Event::News(News::Advice(proved(question, known, is_last))));
    };
    let (mut last, mut told) = (None, None::<Instant>);
    prover.prove(&question.position, &budget, &mut |known| {
        if told.is_none_or(|told| told.elapsed() >= PAUSE) {
            told = Some(Instant::now());
            tell(known, false);
        }
        last = Some(known.clone());
    });
    if let Some(last) = last {
        tell(&last, true);
    }
    next.into_inner()
}

fn proved(question: &Question, known: &Known, is_last: bool) -> Advice {
    let no_move = || "there is no move".to_owned();
    Advice {
        question: question.number,
        answer: advice::Advice {
            chosen: known.best.clone().ok_or_else(no_move),
            values: Vec::new(),
            cut_short: is_last && !known.is_proved(),
        },
        worths: known.moves.clone(),
        is_last,
    }
}
