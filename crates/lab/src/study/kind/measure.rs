//! `measure`: a player plays many games, which are summarised.
//!
//! The time of moves depends on the machine, so it is in the status of the run and not in its outcome.

use std::time::{Duration, Instant};

use games::{AnyGame, Fact};
use players::Spec;

use super::forecast::long_time;
use super::table::{self, GAME};
use super::{Experiment, Kind, Replication, Short};
use crate::run::context::{RunContext, RunError};
use crate::run::outcome::Outcome;
use crate::run::plot::{Plot, Style};
use crate::run::sample::{OnProgress, Sample, finish};
use crate::study::keys;
use crate::study::reading::Reading;
use play::measure::{Measurement, Plan};
use play::openings::{self, Openings};
use play::playing::{Interest, Record, Table, Workers};
use play::stats::{Better, mean_interval};

/// The kind.
pub(super) const KIND: Kind = Kind {
    name: "measure",
    about: "a player plays many games and is measured",
    keys: &[
        &GAME,
        &[
            keys::PLAYER.info(),
            keys::AGAINST.info(),
            keys::MEASURE_GAMES.info(),
            keys::MEASURE_BOTH_SEATS.info(),
            keys::MEASURE_OPENINGS.info(),
            keys::MEASURE_MOVE_TIME.info(),
            keys::MEASURE_MOVE_TIMES.info(),
        ],
    ],
    short: &[(keys::MEASURE_GAMES.path(), Short::AtMost(4))],
    read,
};

fn read(reading: &mut Reading<'_>) -> Option<Box<dyn Experiment>> {
    let game = table::game(reading);
    if !reading.has(keys::PLAYER) {
        reading.flaw(
            keys::PLAYER.path(),
            "is missing; e.g. player = \"random\" at the top",
        );
    }
    let player = table::player(reading, keys::PLAYER, game.as_ref());
    let against = table::player(reading, keys::AGAINST, game.as_ref());
    let move_time = reading.get(keys::MEASURE_MOVE_TIME);
    if move_time.is_some_and(|time| time.is_zero()) {
        reading.flaw(keys::MEASURE_MOVE_TIME.path(), "must be more than 0");
    }
    let (game, player) = (game?, player?);
    table::only_for_two(reading, keys::AGAINST, &game);
    table::only_for_two(reading, keys::MEASURE_BOTH_SEATS, &game);
    let players = seated(&game, player, against);
    let openings = read_openings(reading, &game, &players)?;
    let interest = match reading.get(keys::MEASURE_MOVE_TIMES) {
        Some(true) => Interest::MoveTimes,
        _ => Interest::Result,
    };
    let plan = Plan {
        table: Table::new(players, move_time),
        game,
        games: reading.value_of(keys::MEASURE_GAMES),
        seed: 0,
        threads: 1,
        interest,
        both_seats: reading.value_of(keys::MEASURE_BOTH_SEATS),
        openings,
    };
    let limited = move_time.is_some();
    Some(Box::new(Measure { plan, limited }))
}

/// Where games begin.
fn read_openings(reading: &mut Reading<'_>, game: &AnyGame, players: &[Spec]) -> Option<Openings> {
    let Some(text) = reading.get(keys::MEASURE_OPENINGS) else {
        return Some(Openings::between(players));
    };
    let read = Openings::read(&text).and_then(|openings| {
        openings.check(game)?;
        Ok(openings)
    });
    let flaw = |error| reading.flaw(keys::MEASURE_OPENINGS.path(), format!("{error}"));
    read.map_err(flaw).ok()
}

fn seated(game: &AnyGame, player: Spec, against: Option<Spec>) -> Vec<Spec> {
    if table::seats(game) < 2 {
        return vec![player];
    }
    let against = against.unwrap_or_else(|| player.clone());
    vec![player, against]
}

/// A measurement of a player.
#[derive(Debug)]
struct Measure {
    plan: Plan,
    /// Whether players have a time limit.
    limited: bool,
}

impl Measure {
    fn plan(&self, seed: u64) -> Plan {
        Plan {
            seed,
            ..self.plan.clone()
        }
    }
}

impl Experiment for Measure {
    fn steps(&self) -> u64 {
        self.plan.games
    }

    fn step_name(&self) -> &'static str {
        "games"
    }

    fn games(&self) -> Option<u64> {
        Some(self.plan.games)
    }

    fn game(&self) -> Option<&AnyGame> {
        Some(&self.plan.game)
    }

    fn openings(&self) -> Option<String> {
        let is_opened = openings::suits(&self.plan.game) && self.plan.openings != Openings::None;
        is_opened.then(|| self.plan.openings.to_string())
    }

    fn replication(&self) -> Replication {
        Replication::Games
    }

    fn main_metric(&self) -> (String, Better) {
        ("score".to_owned(), Better::Higher)
    }

    fn wants_the_machine(&self) -> bool {
        self.limited || self.plan.interest == Interest::MoveTimes
    }

    fn run(&self, seed: u64, context: &mut RunContext<'_>) -> Result<Outcome, RunError> {
        let plan = self.plan(seed);
        plan.try_out()?;
        let sample = Sample::open(&plan, context)?;
        context.begin(sample.progress().games, plan.games);
        let on_progress: OnProgress<'_> = &mut |context, progress| {
            (context.status.games, context.status.mean) = (progress.games, progress.mean);
            context.progress(progress.games);
        };
        let records = sample.play(context, on_progress)?;
        let measurement = finish(&plan, &records, context)?;
        let mut outcome = Outcome::default();
        outcome.measured(&measurement);
        let different = plan.different(&records).concat();
        spread_of_moves(&different, &mut outcome);
        won_and_lost_games(&plan.game, &different, &mut outcome);
        keep_times(&measurement, &records, context);
        Ok(outcome)
    }

    fn measured(&self, seed: u64, _: &Outcome) -> Option<Plan> {
        Some(self.plan(seed))
    }

    fn calibrate(
        &self,
        seed: u64,
        workers: &Workers,
        time: Duration,
    ) -> Result<Duration, RunError> {
        let plan = self.plan(seed);
        plan.try_out()?;
        // Openings are drawn once in a run, but with every batch here.
        let drawing = Instant::now();
        plan.play_each(&[], workers, &|_, _| {})?;
        let drawing = drawing.elapsed();
        let mut playing = Duration::ZERO;
        let (started, mut played, mut next) = (Instant::now(), 0, workers.threads() as u64);
        while played < plan.games && started.elapsed() < time {
            let numbers: Vec<u64> = (played..plan.games.min(played + next)).collect();
            let batch = Instant::now();
            plan.play_each(&numbers, workers, &|_, _| {})?;
            playing += batch.elapsed().saturating_sub(drawing);
            if workers.is_stopped() {
                return Err(RunError::Interrupted);
            }
            // At most as many games as fit into the rest of the time, by those played so far.
            played += numbers.len() as u64;
            let left = time.saturating_sub(started.elapsed()).as_secs_f64();
            let fitting = played as f64 * left / started.elapsed().as_secs_f64();
            next = (fitting as u64).clamp(1, 2 * played);
        }
        let share = plan.games as f64 / played as f64;
        Ok(long_time(
            drawing.as_secs_f64() + playing.as_secs_f64() * share,
        ))
    }
}

/// Statistics of won and of lost games, in a one-player game that can be won.
fn won_and_lost_games(game: &AnyGame, records: &[Record], outcome: &mut Outcome) {
    let facts = game.facts();
    let won = |(name, fact): &(&str, Fact)| *name == "won" && matches!(fact, Fact::Flag(_));
    let Some(place) = facts.iter().position(won) else {
        return;
    };
    for (result, flag) in [("won", 1), ("lost", 0)] {
        let those = || records.iter().filter(|record| record.facts[place] == flag);
        let scores: Vec<f64> = those().map(|record| record.score as f64).collect();
        let moves: Vec<f64> = those().map(|record| f64::from(record.moves)).collect();
        for (what, values) in [("score", scores), ("moves", moves)] {
            if !values.is_empty() {
                let name = format!("{what} of {result} games");
                outcome.estimate(&name, mean(&values), mean_interval(&values));
            }
            if let Some(sd) = sd(&values) {
                outcome.number(&format!("{what} sd of {result} games"), sd);
            }
        }
    }
}

fn spread_of_moves(records: &[Record], outcome: &mut Outcome) {
    let moves: Vec<f64> = records
        .iter()
        .map(|record| f64::from(record.moves))
        .collect();
    if let Some(sd) = sd(&moves) {
        outcome.number("moves sd", sd);
    }
}

fn keep_times(measurement: &Measurement, records: &[Record], context: &mut RunContext<'_>) {
    let totals: Vec<f64> = records
        .iter()
        .map(|record| 1000.0 * record.seconds)
        .collect();
    let moved = records.iter().filter(|record| record.moves > 0);
    let means: Vec<f64> = moved
        .map(|record| 1000.0 * record.seconds / f64::from(record.moves))
        .collect();
    let times = [
        ("ms a move", Some(1000.0 * measurement.seconds_per_move)),
        ("ms a move, sd over games", sd(&means)),
        ("total ms a game", Some(mean(&totals))),
        ("total ms a game, sd", sd(&totals)),
        ("games a second", Some(measurement.games_per_second)),
    ];
    let times = times
        .into_iter()
        .filter_map(|(name, time)| Some((name.to_owned(), time?)));
    context.status.times = times.collect();
    context.status.plots = time_by_move(records).into_iter().collect();
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The standard deviation; `None` for fewer than two values.
fn sd(values: &[f64]) -> Option<f64> {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|one| (one - mean) * (one - mean)).sum();
    (values.len() > 1).then(|| (squares / (values.len() as f64 - 1.0)).sqrt())
}

/// The most points in a chart.
const POINTS: usize = 400;

/// Mean time of a move by its number, over all games; `None` if times were not recorded.
fn time_by_move(records: &[Record]) -> Option<Plot> {
    let longest = records.iter().map(|record| record.move_seconds.len()).max();
    let width = longest.filter(|&longest| longest > 0)?.div_ceil(POINTS);
    let mut sums = vec![(0.0, 0.0, 0_u64); longest?.div_ceil(width)];
    for record in records {
        for (number, seconds) in record.move_seconds.iter().enumerate() {
            let (numbers, times, count) = &mut sums[number / width];
            *numbers += number as f64 + 1.0;
            *times += 1000.0 * seconds;
            *count += 1;
        }
    }
    let point = |(numbers, times, count): (f64, f64, u64)| {
        let count = count as f64;
        (numbers / count, times / count)
    };
    Some(Plot {
        name: "time-by-move".to_owned(),
        title: "Time of a move".to_owned(),
        x: "move".to_owned(),
        y: "ms".to_owned(),
        style: Style::Lines,
        log: [false, false],
        series: vec![("mean".to_owned(), sums.into_iter().map(point).collect())],
    })
}
