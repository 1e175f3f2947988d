//! `speed`: how many moves a second a player makes, on the fast board or on the plain one, on one thread.
//!
//! The answer is a time, so it stands in the status of the run and not in its outcome.

use std::time::Duration;

use games::AnyGame;

use super::table::{self, GAME};
use super::{Experiment, Kind, Short};
use crate::run::context::{RunContext, RunError};
use crate::run::outcome::Outcome;
use crate::study::keys;
use crate::study::reading::Reading;
use play::bench::speed::{Board, SpeedTest};
use play::playing::Workers;
use play::stats::Better;

/// The kind.
pub(super) const KIND: Kind = Kind {
    name: "speed",
    about: "how many moves a second a player makes, on one thread",
    keys: &[
        GAME[0],
        GAME[1],
        keys::PLAYER.info(),
        keys::SPEED_SECONDS.info(),
        keys::SPEED_BOARD.info(),
    ],
    short: &[(keys::SPEED_SECONDS.path(), Short::AtMostReal(0.2))],
    read,
};

/// The name of the plain board.
const PLAIN: &str = "plain";
/// Nobody waits longer for a speed.
const MOST_SECONDS: f64 = 86_400.0;
/// What is measured.
const SPEED: &str = "moves a second";

fn read(reading: &mut Reading<'_>) -> Option<Box<dyn Experiment>> {
    let seconds = reading.value_of(keys::SPEED_SECONDS);
    if !(seconds > 0.0 && seconds <= MOST_SECONDS) {
        let problem = format!("must be more than 0 and at most {MOST_SECONDS}");
        reading.flaw(keys::SPEED_SECONDS.path(), problem);
    }
    let game = table::game(reading);
    let player = table::player(reading, keys::PLAYER, game.as_ref());
    let game = game?;
    let board = match reading.get(keys::SPEED_BOARD).as_deref() {
        Some(PLAIN) => Board::Plain,
        _ => Board::Fast,
    };
    let test = SpeedTest {
        game,
        player,
        board,
        time: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
    };
    check_player(reading, &test);
    Some(Box::new(Speed(test)))
}

fn check_player(reading: &mut Reading<'_>, test: &SpeedTest) {
    match &test.player {
        _ if test.is_playable() => {}
        Some(player) if test.board == Board::Plain => {
            let problem = format!(
                "{} does not play on the plain board; players of any game do, and in tetris the one that plays when none is named",
                player.name()
            );
            reading.flaw(keys::PLAYER.path(), problem);
        }
        None if !reading.has(keys::PLAYER) => {
            reading.flaw(
                keys::PLAYER.path(),
                "is missing; e.g. player = \"random\" at the top",
            );
        }
        _ => {}
    }
}

/// The speed of a player.
#[derive(Debug)]
struct Speed(SpeedTest);

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
        Some(&self.0.game)
    }

    fn main_metric(&self) -> (String, Better) {
        (SPEED.to_owned(), Better::Higher)
    }

    fn wants_the_machine(&self) -> bool {
        true
    }

    fn run(&self, seed: u64, context: &mut RunContext<'_>) -> Result<Outcome, RunError> {
        context.begin(0, 1);
        let shared = &*context;
        // Half a time is no time: a run that was stopped begins again.
        let speed = self.0.run(seed, &|| shared.is_stopped())?;
        let speed = speed.ok_or(RunError::Interrupted)?;
        context.status.times.insert(SPEED.to_owned(), speed);
        context.progress(1);
        Ok(Outcome::default())
    }

    fn calibrate(&self, _: u64, _: &Workers, _: Duration) -> Result<Duration, RunError> {
        Ok(self.0.time)
    }
}
