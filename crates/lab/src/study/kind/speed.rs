//! `speed`: how many moves a second a player makes, on the fast board or on the plain one, on one thread.
//!
//! The answer is a time, so it stands in the status of the run and not in its outcome.

use std::time::{Duration, Instant};

use games::tetris::{ColumnBits, Plain, Tetris};
use games::{AnyGame, Game, Turn, with_twins};
use players::arena::Dice;
use players::{Playable, Player, Spec, SpecError};

use super::table::{self, GAME};
use super::{Experiment, Kind, Short};
use crate::run::desk::{Desk, RunError};
use crate::run::outcome::Outcome;
use crate::study::keys::{Key, Shape};
use crate::study::reading::Reading;
use play::bench::judged::Judged;
use play::playing::{PlayError, Workers};
use play::seating::{seat, try_out};
use play::stats::Better;

/// The kind.
pub(super) const KIND: Kind = Kind {
    name: "speed",
    about: "how many moves a second a player makes, on one thread",
    keys: &[
        GAME[0],
        GAME[1],
        Key::new(
            "player",
            Shape::Text,
            "Who plays [default in tetris: the best of all placements of the known pieces, two at most, the same on both boards]",
        ),
        Key::new(
            "speed.seconds",
            Shape::Real,
            "How long it plays [default: 5]",
        ),
        Key::new(
            "speed.board",
            Shape::OneOf(&["fast", PLAIN]),
            "The board: of bits, or of plain cells; players that know the fast one only do not play on the plain one [default: fast]",
        ),
    ],
    short: &[("speed.seconds", Short::AtMostReal(0.2))],
    read,
};

/// The name of the plain board.
const PLAIN: &str = "plain";
const SECONDS: f64 = 5.0;
/// Nobody waits longer for a speed.
const MOST_SECONDS: f64 = 86_400.0;
/// What is measured.
const SPEED: &str = "moves a second";

fn read(reading: &mut Reading<'_>) -> Option<Box<dyn Experiment>> {
    let seconds = reading.real("speed.seconds").unwrap_or(SECONDS);
    if !(seconds > 0.0 && seconds <= MOST_SECONDS) {
        let problem = format!("must be more than 0 and at most {MOST_SECONDS}");
        reading.flaw("speed.seconds", problem);
    }
    let game = table::game(reading);
    let player = table::player(reading, "player", game.as_ref());
    let game = game?;
    if !reading.has("player") && !plays_by_itself(&game) {
        reading.flaw("player", "is missing; e.g. player = \"random\" at the top");
    }
    let board = match reading.text("speed.board").as_deref() {
        Some(PLAIN) => Board::Plain,
        _ => Board::Fast,
    };
    if let (Board::Plain, Some(player)) = (board, &player) {
        check_plain(reading, &game, player);
    }
    Some(Box::new(Speed {
        game,
        player,
        board,
        time: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
    }))
}

/// Is there a player when none is named?
fn plays_by_itself(game: &AnyGame) -> bool {
    matches!(game, AnyGame::Tetris(_) | AnyGame::TallTetris(_))
}

fn check_plain(reading: &mut Reading<'_>, game: &AnyGame, player: &Spec) {
    let seated = with_twins!(game, (_fast, plain) => seat(plain, player, None).map(drop));
    if seated.is_err() {
        let problem = format!(
            "{} does not play on the plain board; players of any game do, and in tetris the one that plays when none is named",
            player.name()
        );
        reading.flaw("player", problem);
    }
}

/// Which board is played on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Board {
    Fast,
    Plain,
}

/// The speed of a player.
#[derive(Debug)]
struct Speed {
    game: AnyGame,
    player: Option<Spec>,
    board: Board,
    time: Duration,
}

impl Speed {
    /// Moves a second; nothing if it was stopped.
    fn count(&self, seed: u64, stopped: &dyn Fn() -> bool) -> Result<Option<f64>, PlayError> {
        let pace = Pace::new(self.time, stopped);
        match (&self.player, &self.game) {
            (Some(player), game) => with_twins!(game, (fast, plain) => match self.board {
                Board::Fast => by_spec(fast, player, seed, pace),
                Board::Plain => by_spec(plain, player, seed, pace),
            }),
            (None, AnyGame::Tetris(fast)) => judged(fast, self.board, seed, pace),
            (None, AnyGame::TallTetris(fast)) => judged(fast, self.board, seed, pace),
            (None, _) => unreachable!("a study without a player was refused"),
        }
    }
}

impl Experiment for Speed {
    fn steps(&self) -> u64 {
        1
    }

    fn step_name(&self) -> &'static str {
        "trials"
    }

    fn games(&self) -> Option<u64> {
        None
    }

    fn game(&self) -> Option<&AnyGame> {
        Some(&self.game)
    }

    fn main_metric(&self) -> (String, Better) {
        (SPEED.to_owned(), Better::Higher)
    }

    fn wants_the_machine(&self) -> bool {
        true
    }

    fn run(&self, seed: u64, desk: &mut Desk<'_>) -> Result<Outcome, RunError> {
        desk.begin(0, 1);
        let shared = &*desk;
        // Half a time is no time: a run that was stopped begins anew.
        let speed = self.count(seed, &|| shared.is_stopped())?;
        let speed = speed.ok_or(RunError::Interrupted)?;
        desk.status.times.insert(SPEED.to_owned(), speed);
        desk.progress(1);
        Ok(Outcome::default())
    }

    fn calibrate(&self, _: u64, _: &Workers, _: Duration) -> Result<Duration, RunError> {
        Ok(self.time)
    }
}

/// How many moves were made in what time. Looking at the clock after each would be part of what is measured, so it is looked at about every
/// millisecond.
struct Pace<'a> {
    time: Duration,
    stopped: &'a dyn Fn() -> bool,
    started: Instant,
    moves: u64,
    /// Moves at which to look again.
    next: u64,
    looked: Instant,
    batch: u64,
}

const LOOK_EVERY: Duration = Duration::from_millis(1);

/// What the clock says.
enum Look {
    GoOn,
    Enough,
    Stopped,
}

impl<'a> Pace<'a> {
    fn new(time: Duration, stopped: &'a dyn Fn() -> bool) -> Self {
        let now = Instant::now();
        Self {
            time,
            stopped,
            started: now,
            moves: 0,
            next: 1,
            looked: now,
            batch: 1,
        }
    }

    /// To be called after every move.
    fn moved(&mut self) -> Look {
        self.moves += 1;
        if self.moves < self.next {
            return Look::GoOn;
        }
        if (self.stopped)() {
            return Look::Stopped;
        }
        if self.started.elapsed() >= self.time {
            return Look::Enough;
        }
        self.batch = match self.looked.elapsed() < LOOK_EVERY {
            true => self.batch * 2,
            false => (self.batch / 2).max(1),
        };
        (self.next, self.looked) = (self.moves + self.batch, Instant::now());
        Look::GoOn
    }

    fn speed(&self) -> f64 {
        self.moves as f64 / self.started.elapsed().as_secs_f64()
    }
}

fn judged<C: ColumnBits>(
    fast: &Tetris<C>,
    board: Board,
    seed: u64,
    pace: Pace<'_>,
) -> Result<Option<f64>, PlayError> {
    let known = fast.rules().known;
    let (name, judged) = ("the player of both boards", || Judged::new(known));
    match board {
        Board::Fast => play(fast, name, seed, pace, || Ok(vec![Box::new(judged())])),
        Board::Plain => {
            let plain = Plain::twin(fast);
            play(&plain, name, seed, pace, || Ok(vec![Box::new(judged())]))
        }
    }
}

fn by_spec<G: Playable>(
    game: &G,
    player: &Spec,
    seed: u64,
    pace: Pace<'_>,
) -> Result<Option<f64>, PlayError> {
    try_out(game, std::slice::from_ref(player))?;
    let seats = 0..game.seats();
    play(game, &player.label(), seed, pace, || {
        seats.clone().map(|_| seat(game, player, None)).collect()
    })
}

/// Plays one game after the other until the time is over.
fn play<G: Game>(
    game: &G,
    name: &str,
    seed: u64,
    mut pace: Pace<'_>,
    seated: impl Fn() -> Result<Vec<Box<dyn Player<G>>>, SpecError>,
) -> Result<Option<f64>, PlayError> {
    for number in 0.. {
        let (mut players, mut dice) = (seated()?, Dice::of(seed, number));
        let mut position = game.start();
        loop {
            let seat = match game.turn(&position) {
                Turn::Over => break,
                Turn::Chance => {
                    dice.draw(game, &mut position);
                    continue;
                }
                Turn::Player(seat) => seat,
            };
            let player = &mut players[usize::from(seat)];
            let chosen = player.choose(game, &position, dice.of_seat(seat));
            if let Some(reason) = player.forfeit() {
                let spec = name.to_owned();
                return Err(PlayError::GaveUp { spec, reason });
            }
            game.play_unchecked(&mut position, chosen);
            match pace.moved() {
                Look::GoOn => {}
                Look::Enough => return Ok(Some(pace.speed())),
                Look::Stopped => return Ok(None),
            }
        }
    }
    unreachable!("there is always another game")
}
