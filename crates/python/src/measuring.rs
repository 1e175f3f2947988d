//! `measure`, `match` and `solve`: plans from arguments, and results as JSON, which reads back exactly.

use std::sync::Arc;
use std::time::Duration;

use play::helpers::Helpers;
use play::measure::{Plan, measure as play_measure};
use play::openings::Openings;
use play::playing::{Interest, Table, Workers};
use play::solution::{Question, read_board, solve_with};
use play::tournament::{Plan as Tournament, play as play_match};
use players::Spec;
use players::solver::{AnySolver, Budget, Config};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use serde::Serialize;

use crate::errors::{failed, unplayed, wrong};
use crate::game::Game;
use crate::numbers;
use crate::player::Guests;
use crate::work::{Watch, conduct};

/// A limit of time. Clocks do not go on for ever: a million years are none.
fn seconds(limit: Option<f64>, name: &str) -> PyResult<Option<Duration>> {
    const LONGEST: f64 = 1e9;
    match limit {
        Some(limit) if !(0.0..=LONGEST).contains(&limit) => Err(wrong(format!(
            "{name} = {limit}: must be a number of seconds from 0 to {LONGEST}"
        ))),
        limit => Ok(limit.map(Duration::from_secs_f64)),
    }
}

/// Where games begin: a name of the command line's, or positions.
fn openings(game: &Game, given: Option<&Bound<'_, PyAny>>, usual: Openings) -> PyResult<Openings> {
    let Some(given) = given else {
        return Ok(usual);
    };
    let openings = match given.extract::<String>() {
        Ok(name) => {
            Openings::read(&name).map_err(|error| wrong(format!("openings = {name}: {error}")))?
        }
        Err(_) => {
            let texts = given.try_iter()?.map(|one| Ok(one?.str()?.to_string()));
            Openings::List(texts.collect::<PyResult<_>>()?)
        }
    };
    openings
        .check(&game.game)
        .map_err(|error| wrong(format!("openings: {error}")))?;
    Ok(openings)
}

pub(crate) fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(failed)
}

fn one_player(game: &Game, option: &str) -> PyErr {
    wrong(format!(
        "{option}: {} is a one-player game",
        game.game.family().name
    ))
}

/// Plays many games of a player and sums them up.
#[pyfunction]
#[pyo3(signature = (game, player, *, against, both_seats, openings, games, seed, threads, move_time, progress))]
#[expect(
    clippy::too_many_arguments,
    reason = "they are those of the command line"
)]
pub(crate) fn measure(
    py: Python<'_>,
    game: &Game,
    player: &Bound<'_, PyAny>,
    against: Option<&Bound<'_, PyAny>>,
    both_seats: bool,
    openings: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = numbers::games)] games: u64,
    #[pyo3(from_py_with = numbers::seed)] seed: u64,
    #[pyo3(from_py_with = numbers::threads)] threads: usize,
    move_time: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let seats = usize::from(game.game.seats());
    if seats < 2 && against.is_some() {
        return Err(one_player(game, "against"));
    }
    if seats < 2 && both_seats {
        return Err(one_player(game, "both_seats"));
    }
    let watch = Arc::new(Watch::default());
    let mut guests = Guests::new(&watch);
    let first = guests.spec(game, player)?;
    let second = against.map_or(Ok(first.clone()), |against| guests.spec(game, against))?;
    let players: Vec<Spec> = [first, second].into_iter().take(seats).collect();
    let openings = self::openings(game, openings, Openings::between(&players))?;
    let plan = Plan {
        game: game.game.clone(),
        table: Table::new(players, seconds(move_time, "move_time")?),
        games,
        seed,
        threads,
        interest: Interest::Result,
        both_seats,
        openings,
    };
    let played = conduct(py, &watch, progress, || {
        let workers = Workers::new(plan.threads)?.until(&watch.stop);
        play_measure(&plan, &workers, &|| watch.count(), &mut |_| {})
    })?;
    drop(guests);
    match played.map_err(unplayed)? {
        Some(measurement) => json(&measurement),
        None => Err(PyKeyboardInterrupt::new_err(())),
    }
}

/// Lets players meet each other.
#[pyfunction]
#[pyo3(name = "match", signature = (game, players, *, openings, games, seed, threads, move_time, progress))]
#[expect(
    clippy::too_many_arguments,
    reason = "they are those of the command line"
)]
pub(crate) fn match_(
    py: Python<'_>,
    game: &Game,
    players: Vec<Bound<'_, PyAny>>,
    openings: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = numbers::games)] games: u64,
    #[pyo3(from_py_with = numbers::seed)] seed: u64,
    #[pyo3(from_py_with = numbers::threads)] threads: usize,
    move_time: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let watch = Arc::new(Watch::default());
    let mut guests = Guests::new(&watch);
    let specs = players.iter().map(|player| guests.spec(game, player));
    let specs: Vec<Spec> = specs.collect::<PyResult<_>>()?;
    if specs.len() < 2 {
        return Err(wrong(format!(
            "a match needs two players or more, not {}",
            specs.len()
        )));
    }
    let plan = Tournament {
        game: game.game.clone(),
        players: specs,
        games,
        seed,
        move_time: seconds(move_time, "move_time")?,
        openings: self::openings(game, openings, Openings::Balanced)?,
    };
    let played = conduct(py, &watch, progress, || {
        let workers = Workers::new(threads)?.until(&watch.stop);
        play_match(&plan, &workers, &|| watch.count())
    })?;
    drop(guests);
    match played.map_err(unplayed)? {
        Some(outcome) => json(&outcome),
        None => Err(PyKeyboardInterrupt::new_err(())),
    }
}

/// The exact value of a position of Connect-N.
#[pyfunction]
#[pyo3(signature = (game, position, *, weak, nodes, seconds, book, table, threads))]
#[expect(
    clippy::too_many_arguments,
    reason = "they are those of the command line"
)]
pub(crate) fn solve(
    py: Python<'_>,
    game: &Game,
    position: &str,
    weak: bool,
    #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
    seconds: Option<f64>,
    book: bool,
    #[pyo3(from_py_with = numbers::table)] table: u32,
    #[pyo3(from_py_with = numbers::threads)] threads: usize,
) -> PyResult<String> {
    let limit = self::seconds(seconds, "seconds")?;
    let helpers = Helpers::new(threads, table);
    let config = Config {
        table,
        book,
        ..Config::default()
    };
    let name = game.game.family().name;
    let mut solver = AnySolver::new(&game.game, config)
        .ok_or_else(|| wrong(format!("{name} cannot be solved; only connect can")))?;
    let board = read_board(&solver, position).map_err(wrong)?;
    let question = if weak {
        Question::Verdict
    } else {
        Question::Moves
    };
    let watch = Arc::new(Watch::default());
    let solution = conduct(py, &watch, None, || {
        let started = std::time::Instant::now();
        let stop = || watch.is_stopped() || limit.is_some_and(|limit| started.elapsed() >= limit);
        let budget = Budget {
            nodes,
            stop: Some(&stop),
            ..Budget::default()
        };
        solve_with(
            &helpers,
            &mut solver,
            &board,
            question,
            &budget,
            &mut |_| {},
        )
    })?;
    json(&solution)
}
