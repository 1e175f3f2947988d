//! Evolution scored by games; the champion is measured on fresh ones.

use std::time::Duration;

use evolve::Genome;
use evolve::cgp::Grid;
use games::AnyGame;

use super::super::table::relative_to_study;
use super::super::{baselines, encoding};
use super::{CHAMPION, converged, driver, exclude, program, stop};
use crate::evolution::evaluator::{Evaluator, Games};
use crate::evolution::request::EvolutionRequest;
use crate::evolution::{Evolution, Plan, measurement_seed};
use crate::run::context::{RunContext, RunError};
use crate::run::event::Event;
use crate::run::file::replace;
use crate::run::outcome::Outcome;
use crate::run::sample;
use crate::study::keys;
use crate::study::kind::{Experiment, Replication};
use crate::study::reading::Reading;
use play::measure;
use play::openings::{self, Openings};
use play::playing::Workers;
use play::stats::{Better, Share};
use players::Spec;

/// Default number of fresh games that measure a champion.
const MEASURE: u64 = 2000;

/// Reads an evolution of a player.
pub(super) fn read(reading: &mut Reading<'_>) -> Option<Box<dyn Experiment>> {
    exclude(
        reading,
        program::KEYS,
        "needs fitness.exec, a program as fitness; this study plays a game",
    );
    if reading.get(keys::FINAL_GAMES) == Some(1) {
        let problem = "must be at least 2: a single game says nothing about how the champion plays";
        reading.flaw(keys::FINAL_GAMES.path(), problem);
    }
    let start = reading.get(keys::START).unwrap_or_default();
    let request = EvolutionRequest {
        start: start.iter().map(|name| reading.file(name)).collect(),
        algorithm: reading.get(keys::OPTIMIZER_ALGORITHM),
        settings: reading.others(keys::OPTIMIZER, &["algorithm"]),
        generations: reading.get(keys::STOP_GENERATIONS),
        stop: stop(reading),
        games: reading.get(keys::FITNESS_GAMES),
        growth: reading.get(keys::FITNESS_GROWTH),
        noise: reading.get(keys::FITNESS_NOISE),
        common_games: reading.get(keys::FITNESS_COMMON_GAMES),
        finalists: reading.get(keys::FINAL_FINALISTS),
        measure: reading.get(keys::FINAL_GAMES).unwrap_or(MEASURE),
        measure_against: reading
            .get(keys::FINAL_AGAINST)
            .map(|player| relative_to_study(reading, player)),
        measure_openings: reading.get(keys::FINAL_OPENINGS),
        ..encoding::request(reading)?
    };
    let plan = encoding::plan(&request, reading)?;
    let baselines = baselines::read(reading, plan.evaluator.encoding.game());
    Some(Box::new(Evolve { plan, baselines }))
}

/// An evolution of a player.
#[derive(Debug)]
struct Evolve {
    plan: Plan,
    /// Players that are measured beside its champion.
    baselines: Vec<Spec>,
}

impl Experiment for Evolve {
    fn steps(&self) -> u64 {
        u64::from(self.plan.stop.generations) + 1
    }

    fn usual_steps(&self) -> Option<u64> {
        Some(u64::from(self.plan.stop.usual_generations))
    }

    fn step_name(&self) -> &'static str {
        "generations"
    }

    fn games(&self) -> Option<u64> {
        let evolution = Evolution::new(&self.plan, 0).ok()?;
        let evaluator = &self.plan.evaluator;
        let games = |generation| evaluator.games_each(generation);
        let games = evolution.games_at_most(self.steps(), games);
        let finals = evaluator.final_games(evaluator.finalists()) + evaluator.finals.games;
        Some(games + finals)
    }

    fn game(&self) -> Option<&AnyGame> {
        Some(self.plan.evaluator.encoding.game())
    }

    fn grid(&self) -> Option<&Grid> {
        self.plan.evaluator.encoding.grid()
    }

    fn openings(&self) -> Option<String> {
        let Games {
            fitness, finals, ..
        } = &self.plan.evaluator;
        let both = [&fitness.openings, &finals.openings];
        let any = both.iter().any(|openings| **openings != Openings::None);
        (any && openings::suits(self.plan.evaluator.encoding.game()))
            .then(|| format!("fitness {}, final {}", both[0], both[1]))
    }

    fn title(&self) -> Option<String> {
        let encoding = &self.plan.evaluator.encoding;
        let (game, player) = (encoding.game().family().name, encoding.player().label());
        Some(format!(
            "{game} by {player}, evolved by {}",
            self.plan.config.name()
        ))
    }

    fn replication(&self) -> Replication {
        Replication::Runs
    }

    fn main_metric(&self) -> (String, Better) {
        let objective = self.plan.evaluator.fitness.objective.measured();
        let name = objective.name(self.plan.evaluator.encoding.game());
        (name.to_owned(), Better::Higher)
    }

    fn objective(&self) -> String {
        let objective = self.plan.evaluator.fitness.objective;
        let game = self.plan.evaluator.encoding.game();
        objective.name(game).to_owned()
    }

    fn wants_the_machine(&self) -> bool {
        self.plan.stop.time.is_some()
    }

    fn try_out(&self, _: &Workers) -> Result<(), RunError> {
        Ok(self.plan.evaluator.try_out()?)
    }

    fn run(&self, seed: u64, context: &mut RunContext<'_>) -> Result<Outcome, RunError> {
        let (evolution, genome, mut outcome) = driver::run(&self.plan, seed, context)?;
        outcome.number("games", evolution.optimizer().games() as f64);
        converged::add(&self.plan, &evolution, seed, context, &mut outcome)?;
        measure_champion(&self.plan, &genome, seed, context, &mut outcome)?;
        Ok(outcome)
    }

    fn measured(&self, seed: u64, outcome: &Outcome) -> Option<measure::Plan> {
        let champion = outcome.champion.as_ref()?.spec().ok()?;
        let seed = measurement_seed(seed);
        Some(self.plan.evaluator.measurement_of(champion, seed))
    }

    fn baselines(&self, seed: u64) -> Vec<measure::Plan> {
        let evaluator = &self.plan.evaluator;
        let games = baselines::games(evaluator.encoding.game(), evaluator.finals.games);
        let plan = |player: &Spec| measure::Plan {
            games,
            ..evaluator.measurement_of(player.clone(), measurement_seed(seed))
        };
        self.baselines.iter().map(plan).collect()
    }

    fn calibrate(
        &self,
        seed: u64,
        workers: &Workers,
        time: Duration,
    ) -> Result<Duration, RunError> {
        let evaluator = &self.plan.evaluator;
        let finals = evaluator.final_games(evaluator.finalists()) + evaluator.finals.games;
        driver::calibrate(&self.plan, seed, finals, workers, time)
    }
}

/// Measures the champion and saves it.
fn measure_champion(
    plan: &Plan,
    genome: &Genome,
    seed: u64,
    context: &mut RunContext<'_>,
    outcome: &mut Outcome,
) -> Result<(), RunError> {
    let champion = plan.evaluator.encoding.file(genome);
    replace(&context.path(CHAMPION), champion.text().as_bytes())?;
    let measured = plan.evaluator.measurement(genome, measurement_seed(seed));
    let (run, games) = (context.run.id.clone(), measured.games);
    context.hear(&Event::FinalsBegan { run, games });
    let records = sample::sample(&measured, context)?;
    outcome.measured(&sample::finish(&measured, &records, context)?);
    if plan.evaluator.fitness.objective.asks() {
        let (seed, positions) = (measured.seed, &plan.evaluator.fitness.positions);
        let encoding = &plan.evaluator.encoding;
        let (game, player) = (encoding.game(), encoding.spec(genome));
        let (kept, asked) = positions.kept_by(game, &player, games, seed, context.workers())?;
        if asked > 0 {
            let Share { share, ci95, .. } = Share::new(kept, asked);
            outcome.estimate("kept", share, Some(ci95));
        }
    }
    outcome.champion = Some(champion);
    Ok(())
}
