//! Players that think on their own thread, so that keys are answered while they do.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use games::Generators;
use play::any::{AnyPlayer, AnyPosition};
use players::arena::Dice;

use super::events::{Event, News};
use super::stage::{Notice, Place};
use super::theme;

/// A move that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Thought {
    /// The number of the question.
    pub(crate) question: u64,
    /// The answer, or why the player gave up.
    pub(crate) chosen: Result<String, String>,
    /// How long it took.
    pub(crate) time: Duration,
}

struct Question {
    number: u64,
    seat: u8,
    position: AnyPosition,
}

/// The way to ask the players of one game.
pub(crate) struct Thinker {
    questions: Sender<Question>,
    asked: u64,
}

impl Thinker {
    /// Starts the thread. Answers come as news.
    pub(crate) fn start(
        players: Vec<AnyPlayer>,
        dice: Dice,
        answers: Sender<Event>,
    ) -> io::Result<Self> {
        let (questions, asked) = mpsc::channel();
        thread::Builder::new()
            .name("player".to_owned())
            .spawn(move || {
                let report_crash = ReportCrash(answers.clone());
                think(players, dice, &asked, &answers);
                drop(report_crash);
            })?;
        Ok(Self {
            questions,
            asked: 0,
        })
    }

    /// Asks the player at `seat` for a move; returns the number of the question.
    pub(crate) fn ask(&mut self, seat: u8, position: &AnyPosition) -> u64 {
        self.asked += 1;
        // If the thread has died its crash is among the events already.
        let _ = self.questions.send(Question {
            number: self.asked,
            seat,
            position: position.clone(),
        });
        self.asked
    }
}

fn think(
    mut players: Vec<AnyPlayer>,
    mut dice: Dice,
    questions: &Receiver<Question>,
    answers: &Sender<Event>,
) {
    for question in questions {
        // A later question means that nobody waits for the answer to this one.
        let question = questions.try_iter().last().unwrap_or(question);
        let (seat, started) = (question.seat, Instant::now());
        let chosen = players[usize::from(seat)].choose(&question.position, dice.seat(seat));
        let thought = Thought {
            question: question.number,
            chosen,
            time: started.elapsed(),
        };
        if answers.send(Event::News(News::Thought(thought))).is_err() {
            return;
        }
    }
}

/// What a screen says about a player that gave up.
pub(crate) fn forfeit_notice(title: String, reason: &str) -> Notice {
    const WIDTH: usize = 44;
    const MOST_LINES: usize = 10;
    let characters: Vec<Vec<char>> = reason.lines().map(|line| line.chars().collect()).collect();
    let lines = characters.iter().flat_map(|line| line.chunks(WIDTH));
    Notice {
        title,
        style: theme::BAD,
        lines: lines
            .map(|line| line.iter().collect())
            .take(MOST_LINES)
            .collect(),
        place: Place::Picture,
    }
}

/// Tells the screen when the player's thread panics: otherwise it would wait for ever.
pub(crate) struct ReportCrash(pub(crate) Sender<Event>);

impl Drop for ReportCrash {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Event::Crash);
        }
    }
}
