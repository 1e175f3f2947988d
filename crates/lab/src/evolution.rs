//! Evolves a player: asks for candidates, plays their games on all cores, tells their scores; and measures the champion on
//! games that no selection has seen.
//!
//! A result depends on the plan and its seed alone: games and breeding have streams of their own, scores are put in the
//! order of the candidates.

use std::time::Instant;

use evolve::{Candidate, Config, ConfigError, Genome, Individual, Noise, Optimizer};
use games::{Game, with_game};
use players::Spec;
use serde::Serialize;
use streams::derive;

use crate::fitness::{Fitness, Objective, Opponents};
use crate::measure::{self, Measurement, measure};
use crate::play::{Interest, PlayError, Table, Workers};
use crate::player_file::PlayerFile;
use crate::seat::try_out;
use crate::subject::Subject;

/// What is to be evolved, and how.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The player.
    pub subject: Subject,
    /// The algorithm.
    pub config: Config,
    /// How candidates are scored.
    pub fitness: Fitness,
    /// What earlier scores count.
    pub noise: Noise,
    /// Generations after the first, which is number 0.
    pub generations: u32,
    /// From which all random numbers follow.
    pub seed: u64,
    /// How many threads play.
    pub threads: usize,
    /// How the champion is chosen and measured.
    pub finals: Finals,
}

/// How the champion is chosen and measured, on games that evolution has not seen.
#[derive(Debug, Clone)]
pub struct Finals {
    /// The fittest so many of the last population play for the title; one means that the fittest ever seen has it.
    pub finalists: usize,
    /// Games by which the champion is measured; the finalists share as many among them.
    pub games: u64,
    /// Whom they play, in a game for two.
    pub against: Spec,
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
    /// The algorithm cannot be set like that.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Games could not be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// Whoever watches failed, e.g. could not write a file.
    #[error(transparent)]
    Watcher(Box<dyn std::error::Error + Send + Sync>),
}

/// A generation that is over.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Generation {
    /// Its number; 0 is the first.
    pub number: u32,
    /// The fitness of the fittest who live.
    pub best: f64,
    /// The mean fitness of all who live.
    pub mean: f64,
    /// Games played so far.
    pub games: u64,
}

/// Watches an evolution.
pub trait Watcher {
    /// A game is over; called from any thread.
    fn game_over(&self);

    /// A generation is over; these live now. An error ends the evolution.
    fn generation_over(
        &mut self,
        generation: &Generation,
        population: &[Individual],
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;

    /// Is it to end after this generation?
    fn enough(&self) -> bool;

    /// This is the champion; it will be measured now. An error ends the evolution.
    fn champion_found(
        &mut self,
        champion: &PlayerFile,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;

    /// The champion is looked for and measured by so many games.
    fn finals_begin(&mut self, games: u64);
}

/// What came out.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// The fitness by which the champion was selected: flattered by luck.
    pub selected_at: f64,
    /// The champion, measured on fresh games.
    pub champion: Champion,
    /// Generations that were bred after the first.
    pub generations: u32,
    /// Games that were played to score candidates.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// How long evolution took, without the finals.
    pub seconds: f64,
    /// Games a second, all threads together.
    pub games_per_second: f64,
    /// Time of the algorithm itself (asking and telling), as a share of the whole.
    pub overhead: f64,
}

/// A champion with its true worth.
#[derive(Debug, Clone, Serialize)]
pub struct Champion {
    /// The player.
    #[serde(flatten)]
    pub file: PlayerFile,
    /// What fresh games tell of it.
    #[serde(flatten)]
    pub measurement: ChampionMeasurement,
}

/// A measurement without what the player file tells already.
#[derive(Debug, Clone, Serialize)]
pub struct ChampionMeasurement {
    /// Games it was measured by.
    pub measured_games: u64,
    /// Everything they tell.
    #[serde(flatten)]
    pub rest: serde_json::Map<String, serde_json::Value>,
    /// The same, for whoever prints it.
    #[serde(skip)]
    pub whole: Measurement,
}

/// Evolves the player of the plan.
pub fn evolve(plan: &Plan, watcher: &mut (impl Watcher + Sync)) -> Result<Outcome, EvolutionError> {
    let part = |part: Part| derive(plan.seed, &[part as u64]);
    let space = plan.subject.space().clone();
    let mut optimizer = Optimizer::new(&plan.config, space, plan.noise, part(Part::Breeding))?;
    try_out_opponents(plan)?;
    let workers = Workers::new(plan.threads)?;
    let started = Instant::now();
    let mut busy = 0.0;
    while optimizer.generation() <= plan.generations {
        let asked = Instant::now();
        let candidates = optimizer.ask();
        let asking = asked.elapsed();
        if candidates.is_empty() {
            break;
        }
        let shared = &*watcher;
        let told = plan.fitness.score(
            &plan.subject,
            &candidates,
            part(Part::Games),
            &workers,
            &|| shared.game_over(),
        )?;
        let before = optimizer.generation();
        let telling = Instant::now();
        optimizer.tell(&told).expect("these scores were asked for");
        busy += (asking + telling.elapsed()).as_secs_f64();
        if optimizer.generation() > before {
            let population = optimizer.population();
            watcher
                .generation_over(&summary(before, &optimizer), population)
                .map_err(EvolutionError::Watcher)?;
            if watcher.enough() {
                break;
            }
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let (genome, selected_at) =
        choose_champion(plan, &optimizer, &workers, part(Part::Finals), watcher)?;
    let file = plan.subject.file(&genome);
    watcher
        .champion_found(&file)
        .map_err(EvolutionError::Watcher)?;
    let champion = measure_champion(plan, &genome, part(Part::Measurement), watcher)?;
    Ok(Outcome {
        selected_at,
        champion,
        generations: optimizer.generation().saturating_sub(1),
        games: optimizer.games(),
        seed: plan.seed,
        seconds,
        games_per_second: optimizer.games() as f64 / seconds,
        overhead: busy / seconds,
    })
}

/// One message before the first game is better than a thousand lost games.
fn try_out_opponents(plan: &Plan) -> Result<(), PlayError> {
    with_game!(plan.subject.game(), game => {
        if game.seats() == 2 {
            let pool = match &plan.fitness.opponents {
                Opponents::EachOther => &[],
                Opponents::Pool(pool) => pool.as_slice(),
            };
            try_out(game, pool)?;
            try_out(game, std::slice::from_ref(&plan.finals.against))?;
        }
        Ok(())
    })
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

/// The genome of the champion, and the fitness by which it came so far.
fn choose_champion(
    plan: &Plan,
    optimizer: &Optimizer,
    workers: &Workers,
    seed: u64,
    watcher: &mut (impl Watcher + Sync),
) -> Result<(Genome, f64), EvolutionError> {
    let best = optimizer.best().expect("a generation is over");
    let finalists = finalists(plan.finals.finalists, optimizer);
    if finalists.len() < 2 {
        return Ok((best.genome.clone(), best.fitness()));
    }
    let fitness = final_games(plan, finalists.len() as u64);
    watcher.finals_begin(games_of(&fitness, plan) * finalists.len() as u64);
    let candidates: Vec<Candidate> = (0..)
        .zip(&finalists)
        .map(|(slot, one)| candidate(slot, one))
        .collect();
    let shared = &*watcher;
    let told = fitness.score(&plan.subject, &candidates, seed, workers, &|| {
        shared.game_over();
    })?;
    let mean = |scores: &[f64]| scores.iter().sum::<f64>() / scores.len() as f64;
    let mut first = 0;
    for place in 1..told.len() {
        if mean(&told[place].scores) > mean(&told[first].scores) {
            first = place;
        }
    }
    Ok((finalists[first].genome.clone(), finalists[first].fitness()))
}

/// The fittest of the last population, no genome twice.
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

/// The games of the finals: the same for all, against the measure of all things in a game for two.
fn final_games(plan: &Plan, finalists: u64) -> Fitness {
    let two = with_game!(plan.subject.game(), game => game.seats()) == 2;
    let objective = match plan.fitness.objective {
        Objective::NotLost | Objective::Graded => Objective::Score,
        other => other,
    };
    let games = plan
        .finals
        .games
        .div_ceil(finalists * if two { 2 } else { 1 });
    Fitness {
        games: u32::try_from(games).unwrap_or(u32::MAX),
        objective,
        common: true,
        opponents: Opponents::Pool(vec![plan.finals.against.clone()]),
    }
}

fn games_of(fitness: &Fitness, plan: &Plan) -> u64 {
    let seats = with_game!(plan.subject.game(), game => game.seats());
    u64::from(fitness.games) * u64::from(seats)
}

fn measure_champion(
    plan: &Plan,
    genome: &Genome,
    seed: u64,
    watcher: &mut (impl Watcher + Sync),
) -> Result<Champion, EvolutionError> {
    let seats = with_game!(plan.subject.game(), game => game.seats());
    let players = [plan.subject.spec(genome), plan.finals.against.clone()];
    let measured = measure::Plan {
        game: plan.subject.game().clone(),
        table: Table::new(players.into_iter().take(usize::from(seats)).collect(), None),
        games: plan.finals.games,
        seed,
        threads: plan.threads,
        interest: Interest::Result,
        both_seats: seats == 2,
    };
    watcher.finals_begin(measured.games);
    let shared = &*watcher;
    let (measurement, _) = measure(&measured, &|| shared.game_over())?;
    let file = plan.subject.file(genome);
    Ok(Champion {
        measurement: ChampionMeasurement::of(measurement, &file),
        file,
    })
}

impl ChampionMeasurement {
    fn of(whole: Measurement, file: &PlayerFile) -> Self {
        let value = |value: serde_json::Result<serde_json::Value>| match value {
            Ok(serde_json::Value::Object(map)) => map,
            _ => serde_json::Map::new(),
        };
        let mut rest = value(serde_json::to_value(&whole));
        for told_already in value(serde_json::to_value(file))
            .keys()
            .map(String::as_str)
            .chain(["games"])
        {
            rest.remove(told_already);
        }
        Self {
            measured_games: whole.games,
            rest,
            whole,
        }
    }
}
