//! `evolve`: evolves the weights or program of a player, or a genome for an external program, and measures the champion on fresh games.

mod converged;
mod driver;
mod games;
mod program;

use super::encoding::ENCODING;
use super::table::GAME;
use super::{Experiment, Kind, Short};
use crate::evolution::Stop;
use crate::study::keys;
use crate::study::reading::Reading;

pub use self::program::KEYS as PROGRAM_KEYS;

/// The file of the champion.
pub const CHAMPION: &str = "champion.json";

/// The kind.
pub(super) const KIND: Kind = Kind {
    name: "evolve",
    about: "evolves the weights or program of a player (or a genome that your own program scores) and measures the champion on fresh games",
    keys: &[
        &GAME,
        &ENCODING,
        &[
            keys::START.info(),
            keys::FITNESS_OBJECTIVE.info(),
            keys::OPTIMIZER.info(),
            keys::OPTIMIZER_ALGORITHM.info(),
            keys::FITNESS_GAMES.info(),
            keys::FITNESS_GROWTH.info(),
            keys::FITNESS_NOISE.info(),
            keys::FITNESS_COMMON_GAMES.info(),
            keys::FITNESS_AGAINST.info(),
            keys::FITNESS_OPENINGS.info(),
            keys::FITNESS_EXEC.info(),
            keys::FITNESS_GENES.info(),
            keys::FITNESS_NAMES.info(),
            keys::FITNESS_LOW.info(),
            keys::FITNESS_HIGH.info(),
            keys::FITNESS_GOAL.info(),
            keys::FITNESS_TIME_LIMIT.info(),
            keys::FITNESS_RETRIES.info(),
            keys::FITNESS_COPIES.info(),
            keys::STOP_GENERATIONS.info(),
            keys::STOP_EVALUATIONS.info(),
            keys::STOP_TIME.info(),
            keys::STOP_TARGET.info(),
            keys::STOP_NO_PROGRESS.info(),
            keys::FINAL_GAMES.info(),
            keys::FINAL_FINALISTS.info(),
            keys::FINAL_BASELINES.info(),
            keys::FINAL_AGAINST.info(),
            keys::FINAL_OPENINGS.info(),
        ],
    ],
    short: &[
        (keys::STOP_GENERATIONS.path(), Short::AtMost(2)),
        (keys::FITNESS_GAMES.path(), Short::AtMost(2)),
        (keys::FINAL_GAMES.path(), Short::AtMost(20)),
    ],
    read,
};

/// The fitness is either a program or a game.
fn read(reading: &mut Reading<'_>) -> Option<Box<dyn Experiment>> {
    if reading.has(keys::FITNESS_EXEC) {
        program::read(reading)
    } else {
        games::read(reading)
    }
}

/// Reports every key that does not belong here, with the reason.
fn exclude(reading: &mut Reading<'_>, keys: &[&str], why: &str) {
    for key in keys
        .iter()
        .filter(|key| reading.has_path(key))
        .copied()
        .collect::<Vec<_>>()
    {
        reading.flaw(key, why);
    }
}

fn stop(reading: &Reading<'_>) -> Stop {
    Stop {
        // Set once the algorithm is known.
        generations: 0,
        usual_generations: 0,
        evaluations: reading.get(keys::STOP_EVALUATIONS),
        target: reading.get(keys::STOP_TARGET),
        no_progress: reading.get(keys::STOP_NO_PROGRESS),
        time: reading.get(keys::STOP_TIME),
    }
}
