//! Evolves a player: asks the algorithm for candidates, plays their games on all cores, returns the scores; and measures the
//! champion on games that selection has not used.
//!
//! A result depends only on the plan and its seed: games and breeding have separate random streams, and scores are in the
//! order of the candidates. [`Evolution`] works generation by generation, and its [`State`] is all there is to save.

pub mod encoding;
pub mod evaluator;
pub mod external;
pub mod fitness;
pub mod positions;
pub mod presets;
pub mod request;
pub mod settings;
pub mod start;

use std::time::{Duration, Instant};

use evolve::{Candidate, Config, ConfigError, Genome, Individual, Noise, Optimizer, Scores};
use serde::{Deserialize, Serialize};
use streams::derive;

use crate::evolution::evaluator::{Evaluator, EvaluatorError, Games};
use play::playing::{PlayError, Workers};

/// What to evolve, and how.
#[derive(Debug, Clone)]
pub struct Plan<T = Games> {
    /// Scores the candidates.
    pub evaluator: T,
    /// The algorithm.
    pub config: Config,
    /// Individuals of the first generation; the rest of it is drawn.
    pub start: Vec<Genome>,
    /// Re-evaluation policy.
    pub noise: Noise,
    /// When to stop.
    pub stop: Stop,
}

/// When an evolution ends: the first condition that holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Stop {
    /// Generations after the first, which is number 0.
    pub generations: u32,
    /// What that is unless it is set.
    pub usual_generations: u32,
    /// Number of evaluations.
    pub evaluations: Option<u64>,
    /// A score to reach; higher is better, whatever is displayed.
    pub target: Option<f64>,
    /// Number of consecutive generations without improvement.
    pub no_progress: Option<u32>,
    /// Time limit. The result then depends on the machine.
    pub time: Option<Duration>,
}

/// Why an evolution is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// All generations are done.
    Generations,
    /// The evaluations are used up.
    Evaluations,
    /// The target fitness has been reached.
    Target,
    /// There was no improvement for too long.
    NoProgress,
    /// The time is over.
    Time,
    /// The algorithm has ended by itself.
    Exhausted,
}

/// What random numbers are for.
#[derive(Clone, Copy)]
enum Part {
    Breeding = 1,
    Games = 2,
    Finals = 3,
    Measurement = 4,
}

/// Why there is no champion.
#[derive(Debug, thiserror::Error)]
pub enum EvolutionError {
    /// Invalid settings of the algorithm.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Candidates could not be scored.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
}

impl From<PlayError> for EvolutionError {
    fn from(error: PlayError) -> Self {
        Self::Evaluator(error.into())
    }
}

/// A generation that is over.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its number; 0 is the first.
    pub number: u32,
    /// Best fitness in the population.
    pub best: f64,
    /// Mean fitness of the population.
    pub mean: f64,
    /// Games played so far.
    pub games: u64,
}

/// All there is to save of an evolution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The algorithm with its population.
    pub optimizer: Optimizer,
    /// Evaluations so far.
    pub evaluations: u64,
    /// The best fitness so far, and its generation.
    pub record: Option<(f64, u32)>,
}

/// An evolution, generation by generation.
#[derive(Debug)]
pub struct Evolution<'a, T> {
    plan: &'a Plan<T>,
    /// Random seed.
    seed: u64,
    state: State,
    /// Time of the games.
    playing: Duration,
}

impl<'a, T: Evaluator> Evolution<'a, T> {
    /// Starts the evolution of a plan.
    pub fn new(plan: &'a Plan<T>, seed: u64) -> Result<Self, EvolutionError> {
        let space = plan.evaluator.space();
        let breeding = seed_of(seed, Part::Breeding);
        let mut optimizer = Optimizer::new(&plan.config, space, plan.noise, breeding)?;
        optimizer
            .start_from(&plan.start)
            .expect("they were checked when they were read");
        let state = State {
            optimizer,
            evaluations: 0,
            record: None,
        };
        Ok(Self::resume(plan, seed, state))
    }

    /// Resumes from a saved state.
    #[must_use]
    pub fn resume(plan: &'a Plan<T>, seed: u64, state: State) -> Self {
        Self {
            plan,
            seed,
            state,
            playing: Duration::ZERO,
        }
    }

    /// The state to save.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The algorithm with its population.
    #[must_use]
    pub fn optimizer(&self) -> &Optimizer {
        &self.state.optimizer
    }

    /// How many games this many generations take, at most, when a candidate has `each` of them in a generation; one that is scored again
    /// plays again.
    #[must_use]
    pub fn games_at_most(mut self, generations: u64, each: impl Fn(u32) -> u64) -> u64 {
        let first = self.state.optimizer.ask().len() as u64;
        self.pass_generation();
        // From the second generation on, survivors may be scored as well.
        let later = self.state.optimizer.ask().len() as u64;
        let each_later = |generation| later * each(generation);
        let rounds = match self.plan.noise {
            Noise::Racing { rounds } => u64::from(rounds),
            Noise::Keep | Noise::ReEvaluate | Noise::Fresh => 1,
        };
        let last = u32::try_from(generations).unwrap_or(u32::MAX);
        let of_later: u64 = (1..last).map(each_later).sum();
        (first * each(0) + of_later) * rounds
    }

    /// Goes on to the next generation without playing: all candidates are equally good.
    fn pass_generation(&mut self) {
        let optimizer = &mut self.state.optimizer;
        let generation = optimizer.generation();
        while optimizer.generation() == generation {
            let score = |candidate: Candidate| Scores {
                id: candidate.id,
                scores: vec![0.0],
            };
            let scores: Vec<Scores> = optimizer.ask().into_iter().map(score).collect();
            if scores.is_empty() {
                return;
            }
            optimizer
                .tell(&scores)
                .expect("every candidate was asked for");
        }
    }

    /// Time spent on games since it was started or resumed.
    #[must_use]
    pub fn playing_time(&self) -> Duration {
        self.playing
    }

    /// Is it over, apart from the time limit?
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        let stop = &self.plan.stop;
        let over = self.state.optimizer.generation();
        let (best, since) = self.state.record?;
        if stop.target.is_some_and(|target| best >= target) {
            return Some(Ending::Target);
        }
        if over > stop.generations {
            return Some(Ending::Generations);
        }
        if stop
            .evaluations
            .is_some_and(|most| self.state.evaluations >= most)
        {
            return Some(Ending::Evaluations);
        }
        let stale = over - 1 - since;
        stop.no_progress
            .is_some_and(|most| stale >= most)
            .then_some(Ending::NoProgress)
    }

    /// Runs another generation and returns its display values; `None` if the algorithm has ended.
    pub fn step(
        &mut self,
        workers: &Workers,
        finished: &(dyn Fn() + Sync),
    ) -> Result<Option<Generation>, EvolutionError> {
        let number = self.state.optimizer.generation();
        while self.state.optimizer.generation() == number {
            let candidates = self.state.optimizer.ask();
            if candidates.is_empty() {
                return Ok(None);
            }
            let seed = seed_of(self.seed, Part::Games);
            let playing = Instant::now();
            let told = self
                .plan
                .evaluator
                .score(&candidates, seed, workers, finished)?;
            self.playing += playing.elapsed();
            self.state.evaluations += candidates.len() as u64;
            self.state
                .optimizer
                .tell(&told)
                .expect("these candidates were asked for");
        }
        let generation = summary(number, &self.state.optimizer);
        if self
            .state
            .record
            .is_none_or(|(best, _)| generation.best > best)
        {
            self.state.record = Some((generation.best, number));
        }
        let for_people = |score| self.plan.evaluator.for_people(score);
        Ok(Some(Generation {
            best: for_people(generation.best),
            mean: for_people(generation.mean),
            ..generation
        }))
    }

    /// Games needed to choose the champion; none if there is only one finalist.
    #[must_use]
    pub fn final_games(&self) -> u64 {
        match finalists(self.plan.evaluator.finalists(), &self.state.optimizer).len() {
            0 | 1 => 0,
            finalists => self.plan.evaluator.final_games(finalists),
        }
    }

    /// The genome of the champion, and its fitness.
    pub fn choose_champion(
        &self,
        workers: &Workers,
        finished: &(dyn Fn() + Sync),
    ) -> Result<(Genome, f64), EvolutionError> {
        let best = self.state.optimizer.best().expect("a generation is over");
        let finalists = finalists(self.plan.evaluator.finalists(), &self.state.optimizer);
        if finalists.len() < 2 {
            return Ok((best.genome.clone(), self.for_people(best)));
        }
        let candidates: Vec<Candidate> = (0..)
            .zip(&finalists)
            .map(|(slot, one)| candidate(slot, one))
            .collect();
        let seed = seed_of(self.seed, Part::Finals);
        let told = self
            .plan
            .evaluator
            .play_final(&candidates, seed, workers, finished)?;
        let mean = |scores: &[f64]| scores.iter().sum::<f64>() / scores.len() as f64;
        let mut first = 0;
        for place in 1..told.len() {
            if mean(&told[place].scores) > mean(&told[first].scores) {
                first = place;
            }
        }
        let first = finalists[first];
        Ok((first.genome.clone(), self.for_people(first)))
    }

    fn for_people(&self, individual: &Individual) -> f64 {
        self.plan.evaluator.for_people(individual.fitness())
    }
}

fn seed_of(seed: u64, part: Part) -> u64 {
    derive(seed, &[part as u64])
}

/// The seed of the games that measure a run's champion.
#[must_use]
pub fn measurement_seed(seed: u64) -> u64 {
    seed_of(seed, Part::Measurement)
}

fn summary(number: u32, optimizer: &Optimizer) -> Generation {
    let population = optimizer.population();
    let fitness = || population.iter().map(Individual::fitness);
    Generation {
        number,
        best: fitness().fold(f64::NEG_INFINITY, f64::max),
        mean: fitness().sum::<f64>() / population.len() as f64,
        games: optimizer.games(),
    }
}

/// The fittest of the last population, without duplicate genomes.
fn finalists(count: usize, optimizer: &Optimizer) -> Vec<&Individual> {
    let mut population: Vec<&Individual> = optimizer.population().iter().collect();
    population.sort_by(|a, b| b.fitness().total_cmp(&a.fitness()));
    let mut finalists: Vec<&Individual> = Vec::new();
    for one in population {
        if finalists.len() < count && finalists.iter().all(|other| other.genome != one.genome) {
            finalists.push(one);
        }
    }
    finalists
}

fn candidate(slot: u32, individual: &Individual) -> Candidate {
    Candidate {
        id: individual.id,
        generation: 0,
        slot,
        games_before: 0,
        genome: individual.genome.clone(),
    }
}
