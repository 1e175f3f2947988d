//! Players that think on their own thread, so that keys are answered while they do.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use games::Game;
use players::Player;
use players::arena::Dice;

use super::events::Event;

/// A move that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Thought<M> {
    /// The number of the question.
    pub(crate) question: u64,
    /// The answer.
    pub(crate) chosen: M,
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
    pub(crate) fn start(
        game: &G,
        players: Vec<Box<dyn Player<G>>>,
        dice: Dice,
        answers: Sender<Event<Thought<G::Move>>>,
    ) -> io::Result<Self> {
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

fn think<G: Game>(
    game: &G,
    mut players: Vec<Box<dyn Player<G>>>,
    mut dice: Dice,
    questions: &Receiver<Question<G>>,
    answers: &Sender<Event<Thought<G::Move>>>,
) {
    for question in questions {
        let started = Instant::now();
        let player = &mut players[usize::from(question.seat)];
        let chosen = player.choose(game, &question.position, dice.of_seat(question.seat));
        let thought = Thought {
            question: question.number,
            chosen,
            time: started.elapsed(),
        };
        if answers.send(Event::News(thought)).is_err() {
            return;
        }
    }
}

/// Tells the screen when the player's thread panics: otherwise it would wait for ever.
struct TellCrash<M>(Sender<Event<Thought<M>>>);

impl<M> Drop for TellCrash<M> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Event::Crash);
        }
    }
}
