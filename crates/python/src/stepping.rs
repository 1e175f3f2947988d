//! Games for a learner as arguments of Python's describe them.

use std::sync::{Arc, Mutex};

use games::AnyGame;
use play::seating::prepare;
use players::Spec;
use pyo3::prelude::*;

use crate::encoding::{Encoded, MOST_ACTIONS};
use crate::errors::{IllegalMove, wrong};
use crate::game::Game;
use crate::lanes::{Autoreset, Illegal, Lanes, Settings, StepError, Stepper};
use crate::player::Guests;
use crate::work::Watch;

fn named<T: Copy>(option: &str, text: &str, all: &[(&str, T)]) -> PyResult<T> {
    let found = all
        .iter()
        .find(|(name, _)| *name == text)
        .map(|(_, value)| *value);
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    found.ok_or_else(|| {
        wrong(format!(
            "{option} = {text}: must be one of {}",
            names.join(", ")
        ))
    })
}

/// How games are stepped.
pub(crate) struct Asked<'a, 'py> {
    pub(crate) count: usize,
    pub(crate) opponent: Option<&'a Bound<'py, PyAny>>,
    pub(crate) seat: Option<u8>,
    pub(crate) autoreset: &'a str,
    pub(crate) illegal: &'a str,
}

/// What boards, pieces and actions there are.
#[derive(Clone, IntoPyObject)]
pub(crate) struct Layout {
    /// The shape of a board.
    pub(crate) shape: Vec<usize>,
    /// The highest number on it.
    pub(crate) highest: u8,
    /// How many pieces are shown beside it.
    pub(crate) pieces: usize,
    /// How many kinds of them there are.
    pub(crate) kinds: usize,
    /// How many actions there are.
    pub(crate) actions: usize,
}

impl Layout {
    fn of<G: Encoded>(game: &G) -> Self {
        Self {
            shape: game.shape(),
            highest: game.highest(),
            pieces: game.pieces(),
            kinds: game.kinds(),
            actions: game.actions(),
        }
    }

    pub(crate) fn cells(&self) -> usize {
        self.shape.iter().product()
    }
}

/// Games that can be stepped, and what is known of their arrays.
pub(crate) struct Stepping {
    /// Only ever used by one thread at a time; Python may hand it on.
    stepper: Mutex<Box<dyn Stepper>>,
    pub(crate) count: usize,
    pub(crate) layout: Layout,
    watch: Arc<Watch>,
    /// Functions that play as opponents.
    _guests: Guests,
}

impl Stepping {
    pub(crate) fn new(game: &Game, asked: &Asked<'_, '_>) -> PyResult<Self> {
        let (count, seats) = (asked.count, game.game.seats());
        if let Some(seat) = asked.seat.filter(|&seat| seat >= seats) {
            return Err(wrong(format!("seat = {seat}: must be below {seats}")));
        }
        let name = game.game.family().name;
        if seats == 1 && asked.opponent.is_some() {
            return Err(wrong(format!("opponent: {name} is a one-player game")));
        }
        let watch = Arc::new(Watch::default());
        let mut guests = Guests::new(&watch);
        let opponent = asked.opponent.map(|opponent| guests.spec(game, opponent));
        let parts = Parts {
            opponent: opponent.transpose()?,
            seat: asked.seat.or((seats == 1).then_some(0)),
            autoreset: named("autoreset", asked.autoreset, &AUTORESETS)?,
            illegal: named("illegal", asked.illegal, &WAYS)?,
            count,
            watch,
            guests,
        };
        match &game.game {
            AnyGame::Twenty48(game) => parts.make(game),
            AnyGame::Tetris(game) => parts.make(game),
            AnyGame::TallTetris(game) => parts.make(game),
            AnyGame::Connect(game) => parts.make(game),
            AnyGame::WideConnect(game) => parts.make(game),
            AnyGame::TicTacToe(_) => {
                Err(wrong("there are environments of 2048, tetris and connect"))
            }
        }
    }

    pub(crate) fn stepper(&mut self) -> &mut dyn Stepper {
        &mut **self.stepper.get_mut().expect("mutex poisoned")
    }

    /// An exception in an opponent that is a function of Python's.
    pub(crate) fn check_guests(&self) -> PyResult<()> {
        self.watch.failure().map_or(Ok(()), Err)
    }

    /// A position as text.
    pub(crate) fn position(&self, place: usize) -> PyResult<String> {
        match place < self.count {
            true => Ok(self.stepper.lock().expect("mutex poisoned").position(place)),
            false => Err(wrong(format!("game {place}: there are {}", self.count))),
        }
    }
}

const AUTORESETS: [(&str, Autoreset); 3] = [
    ("next-step", Autoreset::NextStep),
    ("same-step", Autoreset::SameStep),
    ("disabled", Autoreset::Disabled),
];

const WAYS: [(&str, Illegal); 3] = [
    ("ignore", Illegal::Ignore),
    ("end", Illegal::End),
    ("raise", Illegal::Raise),
];

/// Whatever does not depend on the game's type.
struct Parts {
    count: usize,
    opponent: Option<Spec>,
    seat: Option<u8>,
    autoreset: Autoreset,
    illegal: Illegal,
    watch: Arc<Watch>,
    guests: Guests,
}

impl Parts {
    fn make<G: Encoded>(self, game: &G) -> PyResult<Stepping> {
        let opponent = self.opponent.map(|spec| prepare(game, &spec, None));
        let layout = Layout::of(game);
        debug_assert!(layout.actions <= MOST_ACTIONS);
        let settings = Settings {
            game: game.clone(),
            sight: game.sight(),
            opponent: opponent.transpose().map_err(wrong)?,
            seat: self.seat,
            autoreset: self.autoreset,
            illegal: self.illegal,
        };
        Ok(Stepping {
            stepper: Mutex::new(Box::new(Lanes::new(settings, self.count))),
            count: self.count,
            layout,
            watch: self.watch,
            _guests: self.guests,
        })
    }
}

/// A step that was not made.
pub(crate) fn raised(error: StepError) -> PyErr {
    match error {
        StepError::Action {
            place,
            action,
            actions,
        } => wrong(format!(
            "action {action} of game {place}: must be from 0 to {}",
            actions - 1
        )),
        StepError::Over { place } => wrong(format!("game {place} is over; reset it first")),
        StepError::Illegal {
            place,
            action,
            position,
        } => IllegalMove::new_err(format!(
            "action {action} of game {place} is illegal in {position}"
        )),
    }
}
