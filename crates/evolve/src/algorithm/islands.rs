//! `islands`: several searches of one kind in parallel, which periodically exchange their best individuals.
//!
//! Every `every` generations each island sends copies of its `migrants` best to the next one in a ring. There they replace the
//! last offspring of the next generation and are scored with them. Each island has its own random numbers.
//!
//! Source: R. Tanese, "Distributed Genetic Algorithms" (1989).
//!
//! | setting | default | |
//! |---|---|---|
//! | `islands` | 4 | number of islands |
//! | `every` | 10 | generations between migrations |
//! | `migrants` | 1 | individuals that each island sends |
//! | `inner` | `ga` | the algorithm of every island, with its settings |
//!
//! When to use: where a single population converges too early. `grid` (all islands would score the same points) and
//! nested islands are rejected.

use serde::{Deserialize, Serialize};

use super::{
    Algorithm, AnyAlgorithm, BreedContext, Config, ConfigError, GaConfig, Offspring, check_range,
};
use crate::genome::{Genome, Space};
use crate::individual::{Individual, Origin, ranking};

/// Settings of islands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct IslandsConfig {
    /// Number of islands.
    pub islands: usize,
    /// Generations between migrations.
    pub every: u32,
    /// Individuals that each island sends.
    pub migrants: usize,
    /// The algorithm of every island.
    pub inner: Box<Config>,
}

impl IslandsConfig {
    /// What each setting is.
    pub(super) const SETTINGS: &[(&str, &str)] = &[
        ("islands", "number of islands"),
        ("every", "generations between migrations"),
        ("migrants", "individuals that each island sends"),
        ("inner", "the algorithm of every island"),
    ];
}

impl Default for IslandsConfig {
    fn default() -> Self {
        Self {
            islands: 4,
            every: 10,
            migrants: 1,
            inner: Box::new(Config::Ga(GaConfig::default())),
        }
    }
}

/// A copy of an individual, on its way to another island.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Migrant {
    genome: Genome,
    /// Id of the original.
    of: u64,
}

/// One of the searches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Island {
    algorithm: AnyAlgorithm,
    /// Migrants that arrive in the next generation.
    arriving: Vec<Migrant>,
    /// How many offspring are being scored.
    #[serde(rename = "newborn")]
    offspring: usize,
}

/// The state of all islands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Islands {
    every: u32,
    migrants: usize,
    islands: Vec<Island>,
    /// The populations of all islands, concatenated. While a generation is being scored, the scores here are newer than the islands'.
    population: Vec<Individual>,
}

impl Islands {
    /// The algorithm with these settings.
    pub fn new(config: &IslandsConfig, space: &Space) -> Result<Self, ConfigError> {
        check_range("islands", config.islands, 2..=1000)?;
        check_range("every", config.every, 1..=1_000_000)?;
        check_range("migrants", config.migrants, 0..=1000)?;
        if matches!(*config.inner, Config::Grid(_) | Config::Islands(_)) {
            let name = config.inner.name();
            return Err(ConfigError::value("inner", name, "cannot run on islands"));
        }
        let island = Island {
            algorithm: AnyAlgorithm::new(&config.inner, space)?,
            arriving: Vec::new(),
            offspring: 0,
        };
        Ok(Self {
            every: config.every,
            migrants: config.migrants,
            islands: vec![island; config.islands],
            population: Vec::new(),
        })
    }

    /// Copies the scores from here to the islands.
    fn copy_scores_to_islands(&mut self) {
        let mut known = self.population.iter();
        for island in &mut self.islands {
            for one in island.algorithm.population_mut() {
                one.evidence = known.next().expect("every individual is listed").evidence;
            }
        }
    }

    fn migrate(&mut self) {
        let count = self.islands.len();
        for from in 0..count {
            let population = self.islands[from].algorithm.population();
            let best = ranking(population).into_iter().take(self.migrants);
            let copies = best.map(|place| Migrant {
                genome: population[place].genome.clone(),
                of: population[place].id,
            });
            self.islands[(from + 1) % count].arriving = copies.collect();
        }
    }
}

impl Island {
    fn propose(&mut self, context: &BreedContext<'_>) -> Vec<Offspring> {
        let mut offspring = self.algorithm.propose(context);
        let arriving = std::mem::take(&mut self.arriving);
        for (place, migrant) in offspring.iter_mut().rev().zip(arriving) {
            *place = Offspring {
                parents: vec![migrant.of],
                ..Offspring::without_parents(migrant.genome, Origin::Guest)
            };
        }
        self.offspring = offspring.len();
        offspring
    }
}

impl Algorithm for Islands {
    fn start_around(&mut self, genomes: &[Genome], space: &Space) {
        for island in &mut self.islands {
            island.algorithm.start_around(genomes, space);
        }
    }

    fn propose(&mut self, context: &BreedContext<'_>) -> Vec<Offspring> {
        let islands = self.islands.iter_mut().enumerate();
        islands
            .flat_map(|(number, island)| island.propose(&context.on_island(number)))
            .collect()
    }

    fn update(&mut self, offspring: Vec<Individual>, context: &BreedContext<'_>) {
        self.copy_scores_to_islands();
        let mut offspring = offspring.into_iter();
        for (number, island) in self.islands.iter_mut().enumerate() {
            let own: Vec<Individual> = offspring.by_ref().take(island.offspring).collect();
            // An island whose search has finished proposes nothing.
            if !own.is_empty() {
                island.algorithm.update(own, &context.on_island(number));
            }
        }
        if (context.generation + 1).is_multiple_of(self.every) {
            self.migrate();
        }
        let populations = self
            .islands
            .iter()
            .map(|island| island.algorithm.population());
        self.population = populations.flatten().cloned().collect();
    }

    fn population(&self) -> &[Individual] {
        &self.population
    }

    fn population_mut(&mut self) -> &mut [Individual] {
        &mut self.population
    }

    fn survivors(&self) -> usize {
        let islands = self.islands.iter();
        islands.map(|island| island.algorithm.survivors()).sum()
    }

    fn re_evaluates(&self) -> bool {
        self.islands[0].algorithm.re_evaluates()
    }
}
