//! `evolve`: finds the weights or the program of a player, or the genome that a program from outside wants, and measures the champion
//! afresh.

mod course;
mod games;
mod program;

use super::subject::{OBJECTIVE, SUBJECT};
use super::table::GAME;
use super::{Experiment, Kind, Short};
use crate::evolution::Stop;
use crate::study::keys::{Key, Shape};
use crate::study::reading::Reading;
use play::measure::MOST_GAMES;

/// The file of the champion.
pub(crate) const CHAMPION: &str = "champion.json";

/// The kind.
pub(super) const KIND: Kind = Kind {
    name: "evolve",
    about: "finds the weights or the program of a player (or what a program of yours scores best) and measures the champion afresh",
    keys: &[
        GAME[0],
        GAME[1],
        SUBJECT[0],
        SUBJECT[1],
        SUBJECT[2],
        SUBJECT[3],
        OBJECTIVE,
        Key::new(
            "optimizer",
            Shape::Open,
            "The algorithm and its settings; 'gamete algorithms NAME' lists them",
        ),
        Key::new(
            "optimizer.algorithm",
            Shape::Text,
            "The algorithm, or the genetic algorithm of one of the documents",
        ),
        Key::new(
            "fitness.games",
            Shape::Whole(1, 1_000_000),
            "Games a candidate plays (connect: opponents it meets; with exec: questions, 1 if nothing is said)",
        ),
        Key::new(
            "fitness.noise",
            Shape::Text,
            "What earlier scores count: keep, re-evaluate, fresh, racing",
        ),
        Key::new(
            "fitness.common-games",
            Shape::Truth,
            "Whether all candidates of a generation play the same games",
        ),
        Key::new(
            "fitness.against",
            Shape::Texts,
            "In a game for two: whom candidates play, or each-other",
        ),
        Key::new(
            "fitness.exec",
            Shape::Text,
            "Instead of a game: a command whose program scores genomes, e.g. \"python3 pid.py\", started beside the study",
        ),
        Key::new(
            "fitness.genes",
            Shape::Whole(1, 100_000),
            "With exec: how many real numbers a genome has",
        ),
        Key::new(
            "fitness.names",
            Shape::Texts,
            "With exec, instead of genes: the names of the numbers",
        ),
        Key::new(
            "fitness.low",
            Shape::Real,
            "With exec: where genes begin, the lowest value [default: -1]",
        ),
        Key::new(
            "fitness.high",
            Shape::Real,
            "With exec: where genes begin, the highest value [default: 1]",
        ),
        Key::new(
            "fitness.goal",
            Shape::OneOf(&["highest", "lowest"]),
            "With exec: which fitness is wanted [default: highest]",
        ),
        Key::new(
            "fitness.time-limit",
            Shape::Time,
            "With exec: for one answer [default: 10s]",
        ),
        Key::new(
            "fitness.retries",
            Shape::Whole(0, 1000),
            "With exec: how often a question is asked again after a crash or a time-out [default: 2]",
        ),
        Key::new(
            "fitness.copies",
            Shape::Whole(1, 1024),
            "With exec: programs side by side, shared by all runs [default: one a thread]",
        ),
        Key::new(
            "stop.generations",
            Shape::Whole(0, 10_000_000),
            "Generations after the first",
        ),
        Key::new(
            "stop.evaluations",
            Shape::Whole(1, u64::MAX >> 1),
            "Stop when so many candidates have been scored",
        ),
        Key::new(
            "stop.time",
            Shape::Time,
            "Stop after so much working time; results then depend on the machine",
        ),
        Key::new(
            "stop.target",
            Shape::Real,
            "Stop when a generation's best fitness reaches this",
        ),
        Key::new(
            "stop.no-progress",
            Shape::Whole(1, 10_000_000),
            "Stop when so many generations bring nothing better",
        ),
        Key::new(
            "final.games",
            Shape::Whole(2, MOST_GAMES),
            "Fresh games by which the champion is measured",
        ),
        Key::new(
            "final.finalists",
            Shape::Whole(1, 1000),
            "The fittest so many play for the title; 1: the fittest ever seen has it",
        ),
        Key::new(
            "final.against",
            Shape::Text,
            "In a game for two: whom the champion is measured against",
        ),
    ],
    short: &[
        ("stop.generations", Short::AtMost(2)),
        ("fitness.games", Short::AtMost(2)),
        ("final.games", Short::AtMost(20)),
    ],
    read,
};

/// A fitness that is a program needs no game, and the other way round.
fn read(reading: &mut Reading<'_>) -> Option<Box<dyn Experiment>> {
    if reading.has(program::EXEC) {
        program::read(reading)
    } else {
        games::read(reading)
    }
}

/// Says of every key that is there but does not belong there why not.
fn exclude(reading: &mut Reading<'_>, keys: &[&str], why: &str) {
    for key in keys
        .iter()
        .filter(|key| reading.has(key))
        .copied()
        .collect::<Vec<_>>()
    {
        reading.flaw(key, why);
    }
}

fn stop(reading: &Reading<'_>) -> Stop {
    Stop {
        // Known when the algorithm is.
        generations: 0,
        evaluations: reading.whole("stop.evaluations"),
        target: reading.real("stop.target"),
        no_progress: reading.whole("stop.no-progress"),
        time: reading.time("stop.time"),
    }
}
