//! Evolution scored by an external program; the champion is measured with fresh seeds.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use evolve::{Candidate, Config, Genome, Noise, Optimizer};
use games::AnyGame;
use serde_json::json;
use spec::SpecError;

use super::super::encoding::tell;
use super::{CHAMPION, driver, exclude, stop};
use crate::evolution::evaluator::{Evaluator, EvaluatorError};
use crate::evolution::external::{
    External, Genes, Goal, Program, Programs, Settings, SettingsError,
};
use crate::evolution::request::{config, of_config, usual_generations};
use crate::evolution::{Evolution, Plan, Stop, measurement_seed};
use crate::run::context::{RunContext, RunError};
use crate::run::event::Event;
use crate::run::file::replace;
use crate::run::outcome::Outcome;
use crate::study::keys;
use crate::study::kind::{Experiment, Replication};
use crate::study::reading::Reading;
use play::playing::Workers;
use play::stats::{Better, mean_interval};

/// Keys that make sense with a program only.
pub const KEYS: &[&str] = &[
    keys::FITNESS_GENES.path(),
    keys::FITNESS_NAMES.path(),
    keys::FITNESS_LOW.path(),
    keys::FITNESS_HIGH.path(),
    keys::FITNESS_GOAL.path(),
    keys::FITNESS_TIME_LIMIT.path(),
    keys::FITNESS_RETRIES.path(),
    keys::FITNESS_COPIES.path(),
];
/// Keys that are only for games.
const OF_GAMES: &[&str] = &[
    keys::GAME.path(),
    keys::PRESET.path(),
    keys::PLAYER.path(),
    keys::CHROMOSOME.path(),
    keys::INITIAL.path(),
    keys::WITHOUT.path(),
    keys::START.path(),
    keys::FITNESS_OBJECTIVE.path(),
    keys::FITNESS_GROWTH.path(),
    keys::FITNESS_AGAINST.path(),
    keys::FITNESS_OPENINGS.path(),
    keys::FINAL_AGAINST.path(),
    keys::FINAL_BASELINES.path(),
    keys::FINAL_OPENINGS.path(),
];

/// The default algorithm.
const ALGORITHM: &str = "cma-es";
const GENERATIONS: u32 = 100;
const FINALISTS: usize = 10;
const FINAL_QUESTIONS: u64 = 100;

/// Reads an evolution of a genome for a program.
pub(super) fn read(reading: &mut Reading<'_>) -> Option<Box<dyn Experiment>> {
    exclude(
        reading,
        OF_GAMES,
        "cannot be combined with fitness.exec: the fitness is a program, and no game is played",
    );
    let external = external(reading);
    let noise = noise(reading);
    let config = algorithm(reading);
    let (external, (noise, common), config) = (external?, noise?, config?);
    let evaluator = Program {
        external: Arc::new(external),
        questions: reading.get(keys::FITNESS_GAMES).unwrap_or(1),
        common,
        finalists: reading.get(keys::FINAL_FINALISTS).unwrap_or(FINALISTS),
        final_questions: reading.get(keys::FINAL_GAMES).unwrap_or(FINAL_QUESTIONS),
    };
    let optimizer = Optimizer::new(&config, evaluator.external.space(), noise, 0);
    let optimizer = match optimizer {
        Ok(optimizer) => optimizer,
        Err(error) => {
            tell(reading, vec![of_config(&error)]);
            return None;
        }
    };
    let goal = evaluator.external.settings().goal;
    let plan = Plan {
        stop: stop_for(reading, goal, &optimizer),
        evaluator,
        config,
        start: Vec::new(),
        noise,
    };
    let copies = reading.get(keys::FITNESS_COPIES);
    let programs = reading.programs();
    Some(Box::new(ExternalEvolution {
        plan,
        copies,
        programs,
    }))
}

/// The program, if its settings are valid.
fn external(reading: &mut Reading<'_>) -> Option<External> {
    let genes = genes(reading);
    let mut settings = Settings::new(
        reading.get(keys::FITNESS_EXEC)?,
        genes?,
        reading.value_of(keys::FITNESS_LOW),
        reading.value_of(keys::FITNESS_HIGH),
    );
    settings.folder = Some(reading.base().to_owned());
    if reading.get(keys::FITNESS_GOAL).as_deref() == Some("lowest") {
        settings.goal = Goal::Lowest;
    }
    if let Some(time) = reading.get(keys::FITNESS_TIME_LIMIT) {
        settings.time_limit = time;
    }
    if let Some(retries) = reading.get(keys::FITNESS_RETRIES) {
        settings.retries = retries;
    }
    let (low, high) = (settings.low, settings.high);
    let range = (low >= high).then_some(SettingsError::Range { low, high });
    let external = External::new(settings);
    let other = external
        .as_ref()
        .err()
        .filter(|error| range.as_ref() != Some(error));
    for error in range.iter().chain(other) {
        reading.flaw(key_of(error), error.to_string());
    }
    external.ok()
}

fn genes(reading: &mut Reading<'_>) -> Option<Genes> {
    let (count, names) = (
        reading.get(keys::FITNESS_GENES),
        reading.get(keys::FITNESS_NAMES),
    );
    match (count, names) {
        (Some(count), Some(names)) if count != names.len() => {
            let message = format!(
                "there are {} names but {count} genes; give only one of the two keys",
                names.len()
            );
            reading.flaw(keys::FITNESS_NAMES.path(), message);
            None
        }
        (_, Some(names)) => Some(Genes::Named(names)),
        (Some(count), None) => Some(Genes::Count(count)),
        (None, None) => {
            if !reading.has(keys::FITNESS_GENES) && !reading.has(keys::FITNESS_NAMES) {
                reading.flaw(
                    keys::FITNESS_GENES.path(),
                    "is missing; e.g. genes = 3, or names = [\"kp\", \"ki\", \"kd\"] under [fitness]",
                );
            }
            None
        }
    }
}

fn key_of(error: &SettingsError) -> &'static str {
    match error {
        SettingsError::NoCommand => keys::FITNESS_EXEC.path(),
        SettingsError::NoGenes => keys::FITNESS_GENES.path(),
        SettingsError::SameName(_) => keys::FITNESS_NAMES.path(),
        SettingsError::Range { .. } => keys::FITNESS_LOW.path(),
        SettingsError::TimeLimit(_) => keys::FITNESS_TIME_LIMIT.path(),
        SettingsError::NoCopies => keys::FITNESS_COPIES.path(),
    }
}

/// The re-evaluation policy, and whether all candidates get the same seeds.
fn noise(reading: &mut Reading<'_>) -> Option<(Noise, bool)> {
    let text = reading.get(keys::FITNESS_NOISE);
    let noise = text.map_or(Ok(Noise::ReEvaluate), |text| Noise::from_str(&text));
    let noise = noise
        .map_err(|error: SpecError| reading.flaw(keys::FITNESS_NOISE.path(), error.to_string()));
    let noise = noise.ok()?;
    let common = reading.get(keys::FITNESS_COMMON_GAMES);
    if matches!(noise, Noise::Racing { .. }) && common == Some(false) {
        reading.flaw(
            keys::FITNESS_COMMON_GAMES.path(),
            "racing compares candidates on the same seeds; remove this setting",
        );
        return None;
    }
    Some((noise, common.unwrap_or(true)))
}

fn algorithm(reading: &mut Reading<'_>) -> Option<Config> {
    let algorithm = reading.get(keys::OPTIMIZER_ALGORITHM);
    let settings = reading.others(keys::OPTIMIZER, &["algorithm"]);
    let mut faults = Vec::new();
    let config = config(
        algorithm.as_deref().unwrap_or(ALGORITHM),
        &settings,
        &mut faults,
    );
    tell(reading, faults);
    config
}

/// A target is given as the program's fitness.
fn stop_for(reading: &Reading<'_>, goal: Goal, optimizer: &Optimizer) -> Stop {
    let (stop, usual_generations) = (stop(reading), usual_generations(optimizer, GENERATIONS));
    Stop {
        generations: reading
            .get(keys::STOP_GENERATIONS)
            .unwrap_or(usual_generations),
        usual_generations,
        target: stop.target.map(|target| goal.score(target)),
        ..stop
    }
}

/// An evolution of a genome for a program.
#[derive(Debug)]
struct ExternalEvolution {
    /// Its program is never used: every run takes the shared one.
    plan: Plan<Program>,
    /// Copies in parallel, if not one per thread.
    copies: Option<usize>,
    /// Programs that all runs of the study share.
    programs: Arc<Programs>,
}

impl ExternalEvolution {
    fn settings(&self) -> &Settings {
        self.plan.evaluator.external.settings()
    }

    /// The program, shared with all runs that use the same one.
    fn shared(&self, workers: &Workers) -> Arc<External> {
        let settings = Settings {
            copies: self.copies.unwrap_or(workers.threads()),
            ..self.settings().clone()
        };
        let shared = self.programs.get(&settings);
        shared.expect("the settings were checked")
    }

    /// Requests to choose and measure the champion.
    fn finals(&self) -> u64 {
        let evaluator = &self.plan.evaluator;
        evaluator.final_games(evaluator.finalists) + evaluator.final_questions
    }

    /// The plan of a run, with the shared program.
    fn plan(&self, workers: &Workers) -> Plan<Program> {
        let mut plan = self.plan.clone();
        plan.evaluator.external = self.shared(workers);
        plan
    }
}

impl Experiment for ExternalEvolution {
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
        let each = u64::from(self.plan.evaluator.questions);
        let games = evolution.games_at_most(self.steps(), |_| each);
        Some(games + self.finals())
    }

    fn game(&self) -> Option<&AnyGame> {
        None
    }

    fn replication(&self) -> Replication {
        Replication::Runs
    }

    fn main_metric(&self) -> (String, Better) {
        let better = match self.settings().goal {
            Goal::Highest => Better::Higher,
            Goal::Lowest => Better::Lower,
        };
        ("fitness".to_owned(), better)
    }

    fn wants_the_machine(&self) -> bool {
        self.plan.stop.time.is_some()
    }

    fn try_out(&self, workers: &Workers) -> Result<(), RunError> {
        let program = self.shared(workers);
        let tried = self.programs.try_out(&program);
        Ok(tried.map_err(EvaluatorError::from)?)
    }

    fn run(&self, seed: u64, context: &mut RunContext<'_>) -> Result<Outcome, RunError> {
        let plan = self.plan(context.workers());
        let (_, genome, mut outcome) = driver::run(&plan, seed, context)?;
        let fitness = measure(&plan, &genome, measurement_seed(seed), context)?;
        let mean = fitness.iter().sum::<f64>() / fitness.len() as f64;
        outcome.number("measured evaluations", fitness.len() as f64);
        outcome.estimate("fitness", mean, mean_interval(&fitness));
        keep(&plan, &genome, mean, context)?;
        outcome.genome = Some(named(&plan, &genome));
        Ok(outcome)
    }

    fn calibrate(
        &self,
        seed: u64,
        workers: &Workers,
        time: Duration,
    ) -> Result<Duration, RunError> {
        let plan = self.plan(workers);
        driver::calibrate(&plan, seed, self.finals(), workers, time)
    }
}

/// The program's fitness values for the champion, each with a fresh seed.
fn measure(
    plan: &Plan<Program>,
    genome: &Genome,
    seed: u64,
    context: &RunContext<'_>,
) -> Result<Vec<f64>, RunError> {
    let evaluator = &plan.evaluator;
    let (run, games) = (context.run.id.clone(), evaluator.final_questions);
    context.hear(&Event::FinalsBegan { run, games });
    let (external, goal) = (&evaluator.external, evaluator.external.settings().goal);
    let questions = u32::try_from(games).unwrap_or(u32::MAX);
    let finished = || context.game_over();
    let candidate = fresh(genome);
    let scored = external.score(
        &[candidate],
        questions,
        true,
        seed,
        context.stop(),
        &finished,
    );
    let mut fitness = Vec::new();
    for scored in scored.map_err(EvaluatorError::from)? {
        fitness.extend(scored.scores.into_iter().map(|score| goal.fitness(score)));
    }
    Ok(fitness)
}

fn fresh(genome: &Genome) -> Candidate {
    Candidate {
        id: 0,
        generation: 0,
        slot: 0,
        games_before: 0,
        genome: genome.clone(),
    }
}

fn named(plan: &Plan<Program>, genome: &Genome) -> BTreeMap<String, f64> {
    let names = plan.evaluator.external.settings().genes.names();
    names
        .into_iter()
        .zip(genome.reals().iter().copied())
        .collect()
}

/// Saves the champion as a file that other programs can read.
fn keep(
    plan: &Plan<Program>,
    genome: &Genome,
    fitness: f64,
    context: &RunContext<'_>,
) -> Result<(), RunError> {
    let champion = json!({
        "format": "gamete-genome",
        "version": 1,
        "names": plan.evaluator.external.settings().genes.names(),
        "genome": genome.reals(),
        "fitness": fitness,
    });
    let text = serde_json::to_string_pretty(&champion).expect("plain data") + "\n";
    Ok(replace(&context.path(CHAMPION), text.as_bytes())?)
}
