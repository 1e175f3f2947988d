//! Hints: what another player would do here. It thinks on its own thread, and its answer counts only for
//! the position it was asked about.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use games::{Game, Stream, stream};
use players::Player;
use ratatui::text::Line;

use super::events::Event;
use super::stage::{PANEL, row};
use super::theme;
use super::thinker::TellCrash;
use crate::output::number;

/// Most time to judge the moves, and again to choose one: a person waits two seconds at most for a player that can
/// be limited.
pub(crate) const TIME: Duration = Duration::from_secs(1);
/// The generator of hints is no player's and not that of chance.
const ROLE: u64 = 3;
/// Values beyond this say that the game is decided.
const DECIDED: f64 = 1e12;

/// What the player thinks of a position.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Advice<M> {
    question: u64,
    /// What it would do, or why it cannot say.
    chosen: Result<M, String>,
    /// Its value of every move; none if it does not judge moves.
    values: Vec<(M, f64)>,
    /// Did judging take all the time there was?
    cut_short: bool,
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

    fn advice(&self) -> Option<&Advice<G::Move>> {
        match &self.state {
            State::Known(_, advice) => Some(advice),
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

/// A value for people: whole numbers as such, others as precisely as they are near to zero.
pub(crate) fn value_text(value: f64) -> String {
    match value {
        _ if value >= DECIDED => "won".to_owned(),
        _ if value <= -DECIDED => "lost".to_owned(),
        _ if value.fract() == 0.0 || value.abs() >= 1000.0 => number(value, 0),
        _ => number(value, 2),
    }
}

/// A value with its sign in at most so many characters; if nothing else fits, only the sign.
pub(crate) fn short_text(value: f64, width: usize) -> String {
    let sign = match value {
        _ if value == 0.0 => return "0".to_owned(),
        _ if value > 0.0 => "+",
        _ => "-",
    };
    let mut texts = Vec::new();
    if value.abs() >= DECIDED {
        texts.push(value_text(value));
    } else {
        let decimals = if value.fract() == 0.0 { 0 } else { 2 };
        texts.extend(
            (0..=decimals)
                .rev()
                .map(|decimals| format!("{value:+.decimals$}")),
        );
    }
    // A small number must not be rounded until it looks like a draw.
    let tells =
        |text: &String| text.len() <= width && text.contains(|c: char| ('1'..='z').contains(&c));
    texts.into_iter().find(tells).unwrap_or(sign.to_owned())
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
        let advice = advise(game, &mut *player, rng, &question);
        if answers.send(Event::News(advice.into())).is_err() {
            return;
        }
    }
}

/// Judges and chooses with the same random numbers, so that both are of one mind.
fn advise<G: Game>(
    game: &G,
    player: &mut dyn Player<G>,
    rng: &Stream,
    question: &Question<G>,
) -> Advice<G::Move> {
    let started = Instant::now();
    let values = player.judge(game, &question.position, &mut rng.clone());
    let cut_short = started.elapsed() >= TIME;
    let mut chosen = player.choose(game, &question.position, &mut rng.clone());
    if cut_short {
        chosen = no_worse(chosen, &values);
    }
    Advice {
        question: question.number,
        chosen: player.forfeit().map_or(Ok(chosen), Err),
        values,
        cut_short,
    }
}

/// In a hurry a player may choose what it found worse when it judged: then the best of what it judged.
fn no_worse<M: Copy + PartialEq>(chosen: M, values: &[(M, f64)]) -> M {
    let value = values.iter().find(|(own, _)| *own == chosen);
    let highest = values.iter().max_by(|(_, a), (_, b)| a.total_cmp(b));
    match (value, highest) {
        (Some((_, value)), Some((best, highest))) if highest > value => *best,
        _ => chosen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_found_worse_than_another_is_not_advised() {
        let values = [(1, -7.0), (2, -4.0), (3, -4.5)];
        assert_eq!(no_worse(1, &values), 2);
        assert_eq!(no_worse(2, &values), 2);
        assert_eq!(no_worse(4, &values), 4, "it may be better than all");
        assert_eq!(no_worse(1, &[]), 1);
    }

    #[test]
    fn values_are_told_as_well_as_they_fit() {
        let check = |value, expected: [&str; 4]| {
            let short = [5, 3, 2].map(|width| short_text(value, width));
            assert_eq!(value_text(value), expected[0]);
            assert_eq!(short, expected[1..], "{value}");
        };
        check(5.0, ["5", "+5", "+5", "+5"]);
        check(-18.0, ["-18", "-18", "-18", "-"]);
        check(0.0, ["0", "0", "0", "0"]);
        check(-0.0, ["0", "0", "0", "0"]);
        check(-0.25, ["-0.25", "-0.25", "-", "-"]);
        check(0.501, ["0.50", "+0.50", "+1", "+1"]);
        check(-12.345, ["-12.35", "-12.3", "-12", "-"]);
        check(12_345.678, ["12,346", "+", "+", "+"]);
        check(1e15 - 3.0, ["won", "won", "won", "+"]);
        check(f64::NEG_INFINITY, ["lost", "lost", "-", "-"]);
    }
}
