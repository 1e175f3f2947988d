//! Many games side by side for a learner: actions in, arrays out, which are written anew by every step and never replaced.

use std::sync::{Arc, Mutex};

use games::{AnyGame, Generators, Turn};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use play::seating::prepare;
use players::arena::Dice;
use players::{Player, Prepared, Spec};
use pyo3::prelude::*;

use crate::encoding::{Encoded, MOST_ACTIONS};
use crate::errors::{IllegalMove, wrong};
use crate::game::Game;
use crate::player::Guests;
use crate::work::Watch;

/// When a game that is over begins again; as Gymnasium's `AutoresetMode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Autoreset {
    /// In the next step, whose action is ignored.
    NextStep,
    /// In the same step; the last observation is kept apart.
    SameStep,
    /// When it is told to.
    Disabled,
}

/// What an action that the rules do not allow does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Illegal {
    /// Nothing: the player is to move again.
    Ignore,
    /// It ends the game, which is lost if it has two players.
    End,
    /// It raises `IllegalMove`.
    Raise,
}

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

/// What of the games is the same for all.
struct Settings<G: Encoded> {
    game: G,
    opponent: Option<Prepared<G>>,
    /// The seat of the learner; none: the first and the second in turn.
    seat: Option<u8>,
    autoreset: Autoreset,
    illegal: Illegal,
}

/// One game.
struct Lane<G: Encoded> {
    position: G::Position,
    dice: Dice,
    seed: u64,
    episode: u64,
    seat: u8,
    opponent: Option<Box<dyn Player<G>>>,
    /// Points of seat 0 when the learner last acted.
    score: i64,
    legal: u128,
    over: bool,
}

impl<G: Encoded> Lane<G> {
    fn new(settings: &Settings<G>, seed: u64) -> Self {
        let mut lane = Self {
            position: settings.game.start(),
            dice: Dice::of(seed, 0),
            seed,
            episode: 0,
            seat: 0,
            opponent: None,
            score: 0,
            legal: 0,
            over: false,
        };
        lane.begin(settings);
        lane
    }

    /// The next game of this seed, or the first of another.
    fn reset(&mut self, settings: &Settings<G>, seed: Option<u64>) {
        (self.seed, self.episode) = seed.map_or((self.seed, self.episode + 1), |seed| (seed, 0));
        self.begin(settings);
    }

    fn begin(&mut self, settings: &Settings<G>) {
        self.position = settings.game.start();
        self.dice = Dice::of(self.seed, self.episode);
        self.seat = settings.seat.unwrap_or((self.episode % 2) as u8);
        self.opponent = settings.opponent.as_ref().map(Prepared::player);
        self.over = false;
        self.settle(settings);
        self.score = settings.game.score(&self.position);
    }

    /// Chance and the opponent act until it is the learner's turn, or the game is over.
    #[inline]
    fn settle(&mut self, settings: &Settings<G>) {
        let game = &settings.game;
        loop {
            match game.turn(&self.position) {
                Turn::Chance => drop(self.dice.draw(game, &mut self.position)),
                Turn::Player(seat) => match &mut self.opponent {
                    Some(opponent) if seat != self.seat => {
                        let chosen = opponent.choose(game, &self.position, self.dice.seat(seat));
                        if opponent.forfeit().is_some() {
                            self.over = true;
                            return;
                        }
                        game.play_unchecked(&mut self.position, chosen);
                    }
                    _ => {
                        self.seat = seat;
                        self.legal = game.legal(&self.position);
                        return;
                    }
                },
                Turn::Over => {
                    self.over = true;
                    self.legal = 0;
                    return;
                }
            }
        }
    }

    /// Makes the move and returns the reward of whoever made it.
    #[inline]
    fn act(&mut self, settings: &Settings<G>, action: usize) -> f64 {
        let (game, seat) = (&settings.game, self.seat);
        game.play_unchecked(&mut self.position, game.decode(action));
        self.settle(settings);
        let before = std::mem::replace(&mut self.score, game.score(&self.position));
        let gain = (self.score - before) as f64;
        if seat == 0 { gain } else { -gain }
    }
}

/// What a step writes.
struct Outputs<'a> {
    board: &'a mut [u8],
    pieces: &'a mut [u8],
    mask: &'a mut [bool],
    rewards: &'a mut [f64],
    terminated: &'a mut [bool],
    illegal: &'a mut [bool],
    last_board: &'a mut [u8],
    last_pieces: &'a mut [u8],
}

/// Why a step was not made; nothing was changed.
enum StepError {
    Action {
        place: usize,
        action: i64,
        actions: usize,
    },
    Over {
        place: usize,
    },
    Illegal {
        place: usize,
        action: i64,
        position: String,
    },
}

/// Games of any type.
trait Stepper: Send {
    fn reset(&mut self, seeds: &[Option<u64>], which: Option<&[bool]>, out: &mut Outputs<'_>);
    fn step(&mut self, actions: &[i64], out: &mut Outputs<'_>) -> Result<(), StepError>;
    fn position(&self, place: usize) -> String;
    fn seat(&self, place: usize) -> u8;
}

struct Lanes<G: Encoded> {
    settings: Settings<G>,
    lanes: Vec<Lane<G>>,
    cells: usize,
    pieces: usize,
    actions: usize,
}

impl<G: Encoded> Lanes<G> {
    fn new(settings: Settings<G>, count: usize) -> Self {
        let game = &settings.game;
        let (cells, pieces, actions) =
            (game.shape().iter().product(), game.pieces(), game.actions());
        let lanes = (0..count as u64)
            .map(|seed| Lane::new(&settings, seed))
            .collect();
        Self {
            settings,
            lanes,
            cells,
            pieces,
            actions,
        }
    }

    #[inline]
    fn observe(&self, place: usize, board: &mut [u8], pieces: &mut [u8]) {
        let lane = &self.lanes[place];
        let board = &mut board[place * self.cells..][..self.cells];
        let pieces = &mut pieces[place * self.pieces..][..self.pieces];
        self.settings
            .game
            .observe(&lane.position, lane.seat, board, pieces);
    }

    #[inline]
    fn show(&self, place: usize, out: &mut Outputs<'_>) {
        self.observe(place, out.board, out.pieces);
        let legal = self.lanes[place].legal;
        let mask = &mut out.mask[place * self.actions..][..self.actions];
        mask.iter_mut()
            .enumerate()
            .for_each(|(action, is_legal)| *is_legal = legal >> action & 1 == 1);
    }

    fn check(&self, place: usize, action: i64) -> Result<(), StepError> {
        let (lane, actions) = (&self.lanes[place], self.actions);
        if !(0..actions as i64).contains(&action) {
            return Err(StepError::Action {
                place,
                action,
                actions,
            });
        }
        if lane.over && self.settings.autoreset == Autoreset::Disabled {
            return Err(StepError::Over { place });
        }
        if self.settings.illegal == Illegal::Raise && !lane.over && lane.legal >> action & 1 == 0 {
            let position = lane.position.to_string();
            return Err(StepError::Illegal {
                place,
                action,
                position,
            });
        }
        Ok(())
    }

    #[inline]
    fn step_one(&mut self, place: usize, action: usize, out: &mut Outputs<'_>) {
        let settings = &self.settings;
        let lane = &mut self.lanes[place];
        let (mut reward, mut is_illegal) = (0.0, false);
        if lane.over {
            lane.reset(settings, None);
        } else if lane.legal >> action & 1 == 1 {
            reward = lane.act(settings, action);
        } else {
            is_illegal = true;
            if settings.illegal == Illegal::End {
                lane.over = true;
                reward = if settings.game.seats() == 2 {
                    -1.0
                } else {
                    0.0
                };
            }
        }
        let over = lane.over;
        (
            out.rewards[place],
            out.terminated[place],
            out.illegal[place],
        ) = (reward, over, is_illegal);
        if over && settings.autoreset == Autoreset::SameStep {
            self.observe(place, out.last_board, out.last_pieces);
            self.lanes[place].reset(&self.settings, None);
        }
        self.show(place, out);
    }
}

impl<G: Encoded> Stepper for Lanes<G> {
    fn reset(&mut self, seeds: &[Option<u64>], which: Option<&[bool]>, out: &mut Outputs<'_>) {
        for place in 0..self.lanes.len() {
            if which.is_none_or(|which| which[place]) {
                self.lanes[place].reset(&self.settings, seeds[place]);
                (
                    out.rewards[place],
                    out.terminated[place],
                    out.illegal[place],
                ) = (0.0, false, false);
                self.show(place, out);
            }
        }
    }

    fn step(&mut self, actions: &[i64], out: &mut Outputs<'_>) -> Result<(), StepError> {
        actions
            .iter()
            .enumerate()
            .try_for_each(|(place, &action)| self.check(place, action))?;
        for (place, &action) in actions.iter().enumerate() {
            self.step_one(place, action as usize, out);
        }
        Ok(())
    }

    fn position(&self, place: usize) -> String {
        self.lanes[place].position.to_string()
    }

    fn seat(&self, place: usize) -> u8 {
        self.lanes[place].seat
    }
}

/// Games side by side.
#[pyclass(module = "gamete._gamete")]
pub(crate) struct Vector {
    /// Only ever used by one thread at a time; Python may hand it on.
    stepper: Mutex<Box<dyn Stepper>>,
    count: usize,
    watch: Arc<Watch>,
    /// Functions that play as opponents.
    _guests: Guests,
    #[pyo3(get)]
    shape: Vec<usize>,
    #[pyo3(get)]
    highest: u8,
    #[pyo3(get)]
    piece_places: usize,
    #[pyo3(get)]
    piece_kinds: usize,
    #[pyo3(get)]
    actions: usize,
    #[pyo3(get)]
    board: Py<PyArray1<u8>>,
    #[pyo3(get)]
    pieces: Py<PyArray1<u8>>,
    #[pyo3(get)]
    mask: Py<PyArray1<bool>>,
    #[pyo3(get)]
    rewards: Py<PyArray1<f64>>,
    #[pyo3(get)]
    terminated: Py<PyArray1<bool>>,
    #[pyo3(get)]
    illegal: Py<PyArray1<bool>>,
    #[pyo3(get)]
    last_board: Py<PyArray1<u8>>,
    #[pyo3(get)]
    last_pieces: Py<PyArray1<u8>>,
}

/// How games are stepped, before their type is known.
struct Asked {
    count: usize,
    opponent: Option<Spec>,
    seat: Option<u8>,
    autoreset: Autoreset,
    illegal: Illegal,
}

/// What is known of the arrays of a game.
struct Made {
    stepper: Box<dyn Stepper>,
    shape: Vec<usize>,
    highest: u8,
    pieces: usize,
    kinds: usize,
    actions: usize,
}

fn make<G: Encoded>(game: &G, asked: Asked) -> PyResult<Made> {
    let opponent = asked
        .opponent
        .map(|spec| prepare(game, &spec, None))
        .transpose();
    let (shape, highest) = (game.shape(), game.highest());
    let (pieces, kinds, actions) = (game.pieces(), game.kinds(), game.actions());
    let settings = Settings {
        game: game.clone(),
        opponent: opponent.map_err(wrong)?,
        seat: asked.seat,
        autoreset: asked.autoreset,
        illegal: asked.illegal,
    };
    debug_assert!(actions <= MOST_ACTIONS);
    let stepper = Box::new(Lanes::new(settings, asked.count));
    Ok(Made {
        stepper,
        shape,
        highest,
        pieces,
        kinds,
        actions,
    })
}

/// Runs the stepper with all arrays borrowed.
macro_rules! with_outputs {
    ($self:ident, $py:ident, |$stepper:ident, $out:ident| $body:expr) => {{
        let mut board = $self.board.bind($py).try_readwrite()?;
        let mut pieces = $self.pieces.bind($py).try_readwrite()?;
        let mut mask = $self.mask.bind($py).try_readwrite()?;
        let mut rewards = $self.rewards.bind($py).try_readwrite()?;
        let mut terminated = $self.terminated.bind($py).try_readwrite()?;
        let mut illegal = $self.illegal.bind($py).try_readwrite()?;
        let mut last_board = $self.last_board.bind($py).try_readwrite()?;
        let mut last_pieces = $self.last_pieces.bind($py).try_readwrite()?;
        let mut $out = Outputs {
            board: board.as_slice_mut()?,
            pieces: pieces.as_slice_mut()?,
            mask: mask.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            terminated: terminated.as_slice_mut()?,
            illegal: illegal.as_slice_mut()?,
            last_board: last_board.as_slice_mut()?,
            last_pieces: last_pieces.as_slice_mut()?,
        };
        let $stepper = $self.stepper.get_mut().expect("mutex poisoned");
        $body
    }};
}

impl Vector {
    /// An exception in an opponent that is a function of Python's.
    fn check_guests(&self) -> PyResult<()> {
        self.watch.failure().map_or(Ok(()), Err)
    }

    fn check_length(&self, what: &str, length: usize) -> PyResult<()> {
        match length == self.count {
            true => Ok(()),
            false => Err(wrong(format!("{length} {what} for {} games", self.count))),
        }
    }
}

#[pymethods]
impl Vector {
    #[new]
    #[pyo3(signature = (game, count, *, opponent=None, seat=None, autoreset="next-step", illegal="ignore"))]
    fn new(
        py: Python<'_>,
        game: &Game,
        count: usize,
        opponent: Option<&Bound<'_, PyAny>>,
        seat: Option<u8>,
        autoreset: &str,
        illegal: &str,
    ) -> PyResult<Self> {
        if !(1..=1 << 24).contains(&count) {
            return Err(wrong(format!(
                "{count} games: must be from 1 to {}",
                1 << 24
            )));
        }
        if seat.is_some_and(|seat| seat >= game.game.seats()) {
            return Err(wrong(format!(
                "seat = {}: must be below {}",
                seat.unwrap_or(0),
                game.game.seats()
            )));
        }
        let watch = Arc::new(Watch::default());
        let mut guests = Guests::new(&watch);
        let opponent = opponent
            .map(|opponent| guests.spec(game, opponent))
            .transpose()?;
        let modes = [
            ("next-step", Autoreset::NextStep),
            ("same-step", Autoreset::SameStep),
            ("disabled", Autoreset::Disabled),
        ];
        let ways = [
            ("ignore", Illegal::Ignore),
            ("end", Illegal::End),
            ("raise", Illegal::Raise),
        ];
        let asked = Asked {
            count,
            opponent,
            seat: seat.or((game.game.seats() == 1).then_some(0)),
            autoreset: named("autoreset", autoreset, &modes)?,
            illegal: named("illegal", illegal, &ways)?,
        };
        let made = match &game.game {
            AnyGame::Twenty48(game) => make(game, asked),
            AnyGame::Tetris(game) => make(game, asked),
            AnyGame::TallTetris(game) => make(game, asked),
            AnyGame::Connect(game) => make(game, asked),
            AnyGame::WideConnect(game) => make(game, asked),
            AnyGame::TicTacToe(_) => {
                Err(wrong("there are environments of 2048, tetris and connect"))
            }
        }?;
        let cells: usize = made.shape.iter().product();
        let bytes = |length: usize| PyArray1::zeros(py, length, false).unbind();
        let flags = |length: usize| PyArray1::zeros(py, length, false).unbind();
        Ok(Self {
            stepper: Mutex::new(made.stepper),
            count,
            watch,
            _guests: guests,
            highest: made.highest,
            piece_places: made.pieces,
            piece_kinds: made.kinds,
            actions: made.actions,
            board: bytes(count * cells),
            pieces: bytes(count * made.pieces),
            mask: flags(count * made.actions),
            rewards: PyArray1::zeros(py, count, false).unbind(),
            terminated: flags(count),
            illegal: flags(count),
            last_board: bytes(count * cells),
            last_pieces: bytes(count * made.pieces),
            shape: made.shape,
        })
    }

    /// Begins games: all, or those of the mask; with a seed its first game, without one the next.
    #[pyo3(signature = (seeds, which=None))]
    fn reset(
        &mut self,
        py: Python<'_>,
        seeds: Vec<Option<u64>>,
        which: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        self.check_length("seeds", seeds.len())?;
        let which = which.as_ref().map(|which| which.as_slice()).transpose()?;
        which.map_or(Ok(()), |which| self.check_length("flags", which.len()))?;
        with_outputs!(self, py, |stepper, out| stepper
            .reset(&seeds, which, &mut out));
        self.check_guests()
    }

    /// Makes a move in every game.
    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_slice()?;
        self.check_length("actions", actions.len())?;
        with_outputs!(self, py, |stepper, out| stepper.step(actions, &mut out)).map_err(raised)?;
        self.check_guests()
    }

    /// Makes a move in the first game.
    fn step_one(&mut self, py: Python<'_>, action: i64) -> PyResult<()> {
        with_outputs!(self, py, |stepper, out| stepper.step(&[action], &mut out))
            .map_err(raised)?;
        self.check_guests()
    }

    /// A position as text.
    fn position(&self, place: usize) -> PyResult<String> {
        match place < self.count {
            true => Ok(self.stepper.lock().expect("mutex poisoned").position(place)),
            false => Err(wrong(format!("game {place}: there are {}", self.count))),
        }
    }

    /// The seat that acts in a game, or acted last.
    fn seat(&self, place: usize) -> PyResult<u8> {
        match place < self.count {
            true => Ok(self.stepper.lock().expect("mutex poisoned").seat(place)),
            false => Err(wrong(format!("game {place}: there are {}", self.count))),
        }
    }
}

fn raised(error: StepError) -> PyErr {
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
