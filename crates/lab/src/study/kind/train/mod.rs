//! `train`: a network learns by playing against itself or against chance, and is measured on fresh games.

mod crew;
mod driver;
mod meeting;
mod memory;
mod pace;

use std::sync::Arc;
use std::time::{Duration, Instant};

use games::AnyGame;
use learn::{Plan, Restart};
use players::network::{AnyLookup, Shape};
use players::{RecordedGame, Spec};

use super::baselines;
use super::forecast::long_time;
use super::table::{self, GAME};
use super::{Experiment, Kind, Replication, Short};
use crate::evolution::measurement_seed;
use crate::evolution::request::MEASURE_AGAINST;
use crate::run::context::{RunContext, RunError};
use crate::run::outcome::Outcome;
use crate::study::keys;
use crate::study::reading::Reading;
use play::measure;
use play::openings::{self, Openings};
use play::playing::{Interest, Table, Workers};
use play::recorded;
use play::stats::Better;

/// The file of a trained network.
pub const NETWORK: &str = "champion.network";

/// Default number of fresh games that measure a network.
const MEASURE: u64 = 2000;
/// Default number of games to learn from: with the small network about a minute.
const GAMES: u64 = 30_000;

/// The kind.
pub(super) const KIND: Kind = Kind {
    name: "train",
    about: "a network learns to value positions from the games it plays, and is measured on fresh games",
    keys: &[
        &GAME,
        &[
            keys::TRAIN_NETWORK.info(),
            keys::TRAIN_METHOD.info(),
            keys::TRAIN_GAMES.info(),
            keys::TRAIN_INITIAL.info(),
            keys::TRAIN_STAGES.info(),
            keys::TRAIN_RESTART.info(),
            keys::TRAIN_SIDE_BY_SIDE.info(),
            keys::TRAIN_EVERY.info(),
            keys::TRAIN_FROM.info(),
            keys::FINAL_GAMES.info(),
            keys::FINAL_PLIES.info(),
            keys::FINAL_PLY_GAMES.info(),
            keys::FINAL_BASELINES.info(),
            keys::FINAL_AGAINST.info(),
        ],
    ],
    short: &[
        (keys::TRAIN_GAMES.path(), Short::AtMost(200)),
        (keys::TRAIN_EVERY.path(), Short::AtMost(50)),
        (keys::FINAL_GAMES.path(), Short::AtMost(20)),
        (keys::FINAL_PLY_GAMES.path(), Short::AtMost(2)),
    ],
    read,
};

fn read(reading: &mut Reading<'_>) -> Option<Box<dyn Experiment>> {
    let game = table::game(reading)?;
    let plan = Plan {
        shape: Shape {
            tuples: reading
                .get(keys::TRAIN_NETWORK)
                .unwrap_or_else(|| "small".to_owned()),
            stages: reading.get(keys::TRAIN_STAGES).unwrap_or_default(),
        },
        method: method(reading)?,
        initial: reading.value_of(keys::TRAIN_INITIAL) as f32,
        restart: restart(reading),
        side_by_side: reading.value_of(keys::TRAIN_SIDE_BY_SIDE),
        record: Arc::new(record(reading, &game)?),
        game,
    };
    let plan = checked(reading, plan)?;
    let baselines = baselines::read(reading, &plan.game);
    Some(Box::new(Train {
        games: reading.get(keys::TRAIN_GAMES).unwrap_or(GAMES),
        every: reading.value_of(keys::TRAIN_EVERY),
        measured_games: reading.get(keys::FINAL_GAMES).unwrap_or(MEASURE),
        plies: reading.get(keys::FINAL_PLIES).unwrap_or_default(),
        ply_games: reading.value_of(keys::FINAL_PLY_GAMES),
        baselines,
        against: against(reading, &plan.game),
        openings: match openings::suits(&plan.game) {
            true => Openings::Balanced,
            false => Openings::None,
        },
        plan,
    }))
}

fn method(reading: &mut Reading<'_>) -> Option<Spec> {
    let text = reading.get(keys::TRAIN_METHOD);
    let text = text.unwrap_or_else(|| "tc".to_owned());
    let read = Spec::read("method", &text);
    let flaw = |error| reading.flaw(keys::TRAIN_METHOD.path(), format!("{error}"));
    read.map_err(flaw).ok()
}

/// The games to learn from; none if it plays.
fn record(reading: &mut Reading<'_>, game: &AnyGame) -> Option<Vec<RecordedGame>> {
    let Some(from) = reading.get(keys::TRAIN_FROM) else {
        return Some(Vec::new());
    };
    match recorded::read(&reading.file(&from), game) {
        Ok(games) => Some(games),
        Err(problem) => {
            reading.flaw(keys::TRAIN_FROM.path(), problem);
            None
        }
    }
}

fn restart(reading: &mut Reading<'_>) -> Restart {
    let name = reading.get(keys::TRAIN_RESTART);
    let restart = name.and_then(|name| Restart::named(&name));
    let restart = restart.unwrap_or(Restart::Start);
    if restart == Restart::Carousel && !reading.has(keys::TRAIN_STAGES) {
        let problem = "carousel begins games where later stages began, so it needs stages";
        reading.flaw(keys::TRAIN_RESTART.path(), problem);
    }
    restart
}

/// The plan, if it can be carried out; reports what is wrong with it.
fn checked(reading: &mut Reading<'_>, plan: Plan) -> Option<Plan> {
    if !plan.initial.is_finite() {
        reading.flaw(keys::TRAIN_INITIAL.path(), "must be a number");
        return None;
    }
    if let Err(error) = plan.setup(0) {
        reading.flaw(keys::TRAIN_METHOD.path(), error.to_string());
        return None;
    }
    let one_stage = Shape::of(&plan.shape.tuples);
    let wrong = match (AnyLookup::new(&plan.game, &one_stage), plan.lookup()) {
        (Err(error), _) => (keys::TRAIN_NETWORK.path(), error.to_string()),
        (Ok(_), Err(error)) => (keys::TRAIN_STAGES.path(), error.to_string()),
        (Ok(_), Ok(_)) => return Some(plan),
    };
    reading.flaw(wrong.0, wrong.1);
    None
}

/// The opponent that measures a network in a two-player game.
fn against(reading: &mut Reading<'_>, game: &AnyGame) -> Option<Spec> {
    table::only_for_two(reading, keys::FINAL_AGAINST, game);
    if game.seats() < 2 {
        return None;
    }
    let against = table::player(reading, keys::FINAL_AGAINST, Some(game));
    against.or_else(|| MEASURE_AGAINST.parse().ok())
}

/// A training.
#[derive(Debug)]
struct Train {
    plan: Plan,
    games: u64,
    /// Games per point of the learning curve.
    every: u64,
    measured_games: u64,
    plies: Vec<u64>,
    ply_games: u64,
    baselines: Vec<Spec>,
    /// The opponent that measures it, in a two-player game.
    against: Option<Spec>,
    /// Where the games that measure it begin.
    openings: Openings,
}

impl Train {
    /// The games that measure a player.
    fn measurement(&self, player: Spec, games: u64, seed: u64) -> measure::Plan {
        let players = [player].into_iter().chain(self.against.clone());
        measure::Plan {
            table: Table::new(players.collect(), None),
            game: self.plan.game.clone(),
            games,
            seed: measurement_seed(seed),
            threads: 1,
            interest: Interest::Result,
            both_seats: self.against.is_some(),
            openings: self.openings.clone(),
        }
    }
}

impl Experiment for Train {
    fn steps(&self) -> u64 {
        self.games
    }

    fn usual_steps(&self) -> Option<u64> {
        Some(GAMES)
    }

    fn step_name(&self) -> &'static str {
        "games"
    }

    fn games(&self) -> Option<u64> {
        Some(self.games + self.measured_games + self.ply_games * self.plies.len() as u64)
    }

    fn game(&self) -> Option<&AnyGame> {
        Some(&self.plan.game)
    }

    fn title(&self) -> Option<String> {
        let (game, network) = (self.plan.game.family().name, &self.plan.shape.tuples);
        Some(format!(
            "{game} by a network of {network}, trained by {}",
            self.plan.method
        ))
    }

    fn replication(&self) -> Replication {
        Replication::Runs
    }

    fn main_metric(&self) -> (String, Better) {
        ("score".to_owned(), Better::Higher)
    }

    fn try_out(&self, _: &Workers) -> Result<(), RunError> {
        memory::check(&self.plan)
    }

    fn run(&self, seed: u64, context: &mut RunContext<'_>) -> Result<Outcome, RunError> {
        driver::run(self, seed, context)
    }

    fn measured(&self, seed: u64, outcome: &Outcome) -> Option<measure::Plan> {
        let champion = outcome.champion.as_ref()?.spec().ok()?;
        Some(self.measurement(champion, self.measured_games, seed))
    }

    fn baselines(&self, seed: u64) -> Vec<measure::Plan> {
        let games = baselines::games(&self.plan.game, self.measured_games);
        let plan = |player: &Spec| self.measurement(player.clone(), games, seed);
        self.baselines.iter().map(plan).collect()
    }

    fn calibrate(
        &self,
        seed: u64,
        workers: &Workers,
        time: Duration,
    ) -> Result<Duration, RunError> {
        let mut crew = crew::Crew::new(&self.plan, seed, workers.threads())?;
        let (started, mut finished) = (Instant::now(), Vec::new());
        while started.elapsed() < time && crew.ended() < self.games && !workers.is_stopped() {
            crew.advance(self.games, &mut finished);
        }
        // Games become longer as the network learns: the last ones say most, and the whole takes some times longer.
        let late = &finished[finished.len() / 2..];
        let moves: f64 = late.iter().map(|game| f64::from(game.moves)).sum();
        let a_move = started.elapsed().as_secs_f64() / crew.moves().max(1) as f64;
        let a_game = moves / late.len().max(1) as f64 * a_move;
        let games = self.games + self.measured_games / workers.threads() as u64;
        Ok(long_time(a_game * games as f64 * LONGER))
    }
}

/// How many times longer than at its beginning a training's games are taken to be. It is a rough guess: less for the small network, and more
/// for large ones.
const LONGER: f64 = 2.5;
