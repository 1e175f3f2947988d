//! `speed`: moves per second of a player on the fast or the plain board, on one thread.
//!
//! The result is a time, so it is in the status of the run and not in its outcome.

use std::time::Duration;

use games::AnyGame;

use super::table::{self, GAME};
use super::{Experiment, Kind, Short};
use crate::run::context::{RunContext, RunError};
use crate::run::outcome::Outcome;
use crate::study::keys;
use crate::study::reading::Reading;
use play::bench::generators::Generator;
use play::bench::speed::{Board, SpeedTest};
use play::playing::Workers;
use play::stats::Better;

/// The kind.
pub(super) const KIND: Kind = Kind {
    name: "speed",
    about: "moves per second of a player on one thread",
    keys: &[
        &GAME,
        &[
            keys::PLAYER.info(),
            keys::SPEED_SECONDS.info(),
            keys::SPEED_BOARD.info(),
            keys::SPEED_RANDOM.info(),
        ],
    ],
    short: &[(keys::SPEED_SECONDS.path(), Short::AtMostReal(0.2))],
    read,
};

/// The name of the plain board.
const PLAIN: &str = "plain";
/// The longest measurement: a day.
const MOST_SECONDS: f64 = 86_400.0;
/// The metric.
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
    let random = reading.get(keys::SPEED_RANDOM);
    let named = |(name, _): &&(&str, Generator)| random.as_deref() == Some(*name);
    let generator = Generator::ALL.iter().find(named);
    let test = SpeedTest {
        game,
        player,
        board,
        generator: generator.map_or(Generator::default(), |known| known.1),
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
                "{} does not support the plain board; use a player of any game, or in tetris name no player",
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
        // A partial measurement is useless: a stopped run starts over.
        let speed = self.0.run(seed, context.stop())?;
        let speed = speed.ok_or(RunError::Interrupted)?;
        context.status.times.insert(SPEED.to_owned(), speed);
        context.progress(1);
        Ok(Outcome::default())
    }

    fn calibrate(&self, _: u64, _: &Workers, _: Duration) -> Result<Duration, RunError> {
        Ok(self.0.time)
    }
}
