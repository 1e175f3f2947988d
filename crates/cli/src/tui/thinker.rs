//! Players that think on their own thread, so that keys are answered while they do.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use games::Game;
use players::Player;
use players::arena::Dice;

use super::events::Event;
use super::stage::{Notice, Place};
use super::theme;

/// A move that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Thought<M> {
    /// The number of the question.
    pub(crate) question: u64,
    /// The answer, or why the player cannot go on.
    pub(crate) chosen: Result<M, String>,
    /// How long it took.
    pub(crate) time: Duration,
}

struct Question<G: Game> {
    number: u64,
    seat: u8,
    position: G::Position,
}

/// The way to ask the players of one game.
pub(crate) struct Thinker<G: Game> {
    questions: Sender<Question<G>>,
    asked: u64,
}

impl<G: Game> Thinker<G> {
    /// Starts the thread. Answers come as news.
    pub(crate) fn start<N>(
        game: &G,
        players: Vec<Box<dyn Player<G>>>,
        dice: Dice,
        answers: Sender<Event<N>>,
    ) -> io::Result<Self>
    where
        N: From<Thought<G::Move>> + Send + 'static,
    {
        let (questions, asked) = mpsc::channel();
        let game = game.clone();
        thread::Builder::new()
            .name("player".to_owned())
            .spawn(move || {
                let tell_crash = TellCrash(answers.clone());
                think(&game, players, dice, &asked, &answers);
                drop(tell_crash);
            })?;
        Ok(Self {
            questions,
            asked: 0,
        })
    }

    /// Asks the player at `seat` for a move; returns the number of the question.
    pub(crate) fn ask(&mut self, seat: u8, position: &G::Position) -> u64 {
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

fn think<G: Game, N: From<Thought<G::Move>>>(
    game: &G,
    mut players: Vec<Box<dyn Player<G>>>,
    mut dice: Dice,
    questions: &Receiver<Question<G>>,
    answers: &Sender<Event<N>>,
) {
    for question in questions {
        // Whoever asks again does not wait for the answer any more.
        let question = questions.try_iter().last().unwrap_or(question);
        let started = Instant::now();
        let player = &mut players[usize::from(question.seat)];
        let chosen = player.choose(game, &question.position, dice.of_seat(question.seat));
        let thought = Thought {
            question: question.number,
            chosen: player.forfeit().map_or(Ok(chosen), Err),
            time: started.elapsed(),
        };
        if answers.send(Event::News(thought.into())).is_err() {
            return;
        }
    }
}

/// What a screen says of a player that cannot go on.
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
pub(crate) struct TellCrash<N>(pub(crate) Sender<Event<N>>);

impl<N> Drop for TellCrash<N> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Event::Crash);
        }
    }
}
