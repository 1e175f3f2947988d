//! `ga`: a genetic algorithm composed of a selection, a crossover, a mutation and a replacement.
//!
//! In every generation the selection picks pairs of parents. With the crossover probability a pair has two children by
//! crossover, each mutated with the mutation probability; otherwise, by `otherwise`, it gives two random immigrants, or copies of
//! the parents, which may be mutated too. The replacement decides who survives. The first population is drawn at random;
//! with `best-of` = k, each of its members is the best of k.
//!
//! [`PRESETS`] holds the algorithms of published works, to start from.

mod presets;

use serde::{Deserialize, Serialize};
use streams::{Stream, chance};

pub use presets::{PRESETS, Preset};

use super::{
    Algorithm, BreedContext, ConfigError, Offspring, Purpose, check_range, random_offspring,
};
use crate::cross::AnyCrossover;
use crate::genome::{Genome, Space};
use crate::individual::{Individual, Origin, ranking};
use crate::mutate::AnyMutation;
use crate::operator::Chosen;
use crate::replace::AnyReplacement;
use crate::select::{AnySelection, Selected};

/// What a pair without crossover gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Otherwise {
    /// Two random individuals.
    Immigrants,
    /// Copies of the parents.
    Copies,
}

/// What happens to a child that equals a member of the population or an earlier child.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Duplicates {
    /// It is kept.
    Allow,
    /// It is mutated until it differs.
    Mutate,
}

/// Settings of a genetic algorithm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct GaConfig {
    /// Individuals.
    pub population: usize,
    /// Random individuals per member of the first population; the best of them is taken.
    pub best_of: usize,
    /// How parents are chosen.
    pub selection: Chosen<AnySelection>,
    /// How children are made.
    pub crossover: Chosen<AnyCrossover>,
    /// Probability that a pair has crossover.
    pub crossover_probability: f64,
    /// What a pair without crossover gives.
    pub otherwise: Otherwise,
    /// How children are changed.
    pub mutation: Chosen<AnyMutation>,
    /// Probability that a child is mutated.
    pub mutation_probability: f64,
    /// What happens to a child that already exists.
    pub duplicates: Duplicates,
    /// Who survives.
    pub replacement: Chosen<AnyReplacement>,
}

impl GaConfig {
    /// What each setting is.
    pub(super) const SETTINGS: &[(&str, &str)] = &[
        ("population", "individuals"),
        (
            "best-of",
            "random individuals per member of the first population; the best of them is taken",
        ),
        ("selection", "how parents are chosen"),
        ("crossover", "how children are made"),
        (
            "crossover-probability",
            "probability that a pair has crossover",
        ),
        ("otherwise", "what a pair without crossover gives"),
        ("mutation", "how children are changed"),
        (
            "mutation-probability",
            "probability that a child is mutated",
        ),
        ("duplicates", "what happens to a child that already exists"),
        ("replacement", "who survives"),
    ];
}

impl Default for GaConfig {
    fn default() -> Self {
        PRESETS[0].config()
    }
}

impl GaConfig {
    fn check_numbers(&self) -> Result<(), ConfigError> {
        check_range("population", self.population, 2..=1_000_000)?;
        check_range("best-of", self.best_of, 1..=1000)?;
        let probabilities = [
            ("crossover-probability", self.crossover_probability),
            ("mutation-probability", self.mutation_probability),
        ];
        probabilities
            .into_iter()
            .try_for_each(|(key, value)| check_range(key, value, 0.0..=1.0))
    }

    fn check_operators(&self, space: &Space) -> Result<(), ConfigError> {
        let wrong = |key, value: &dyn ToString| {
            let value = value.to_string();
            move |problem| ConfigError::value(key, value, problem)
        };
        let crossover = self.crossover.suits(space);
        crossover.map_err(wrong("crossover", &self.crossover))?;
        let mutation = self.mutation.suits(space);
        mutation.map_err(wrong("mutation", &self.mutation))?;
        let replacement = self.replacement.suits(self.population);
        replacement
            .and_then(|()| self.check_losers())
            .map_err(wrong("replacement", &self.replacement))
    }

    /// Rejects a replacement that needs to know the losers when the selection does not name them.
    fn check_losers(&self) -> Result<(), String> {
        if self.selection.names_losers() || !self.replacement.needs_losers() {
            return Ok(());
        }
        let selection = &self.selection;
        Err(format!(
            "needs a selection that names losers, such as fours; {selection} does not"
        ))
    }
}

/// The state of a genetic algorithm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ga {
    config: GaConfig,
    population: Vec<Individual>,
    /// Indices of the individuals that the pending children replace.
    losers: Vec<usize>,
}

/// A parent, and whom its children name as parents: itself, or its own parents if it was only just bred and has no id.
#[derive(Clone, Copy)]
struct Parent<'a> {
    genome: &'a Genome,
    ids: &'a [u64],
}

/// A duplicate is mutated at most this often, then kept: a small space may be exhausted.
const ATTEMPTS: usize = 100;

impl Ga {
    /// The algorithm with these settings.
    pub fn new(config: &GaConfig, space: &Space) -> Result<Self, ConfigError> {
        config.check_numbers()?;
        config.check_operators(space)?;
        Ok(Self {
            config: config.clone(),
            population: Vec::new(),
            losers: Vec::new(),
        })
    }

    fn pairs(&mut self, context: &BreedContext<'_>) -> Vec<[usize; 2]> {
        let fitness: Vec<f64> = self.population.iter().map(Individual::fitness).collect();
        let children = self.config.replacement.children(self.population.len());
        let mut rng = context.stream(Purpose::Select, 0);
        let Selected { pairs, losers } =
            self.config
                .selection
                .select(&fitness, children.div_ceil(2), &mut rng);
        self.losers = losers.into_iter().flatten().collect();
        pairs
    }

    /// A parent among the population and the children bred so far.
    fn parent<'a>(&'a self, place: usize, children: &'a [Offspring]) -> Parent<'a> {
        match self.population.get(place) {
            Some(one) => Parent {
                genome: &one.genome,
                ids: std::slice::from_ref(&one.id),
            },
            None => {
                let child = &children[place - self.population.len()];
                Parent {
                    genome: &child.genome,
                    ids: &child.parents,
                }
            }
        }
    }

    fn children(
        &self,
        space: &Space,
        parents: [Parent<'_>; 2],
        rng: &mut Stream,
    ) -> [Offspring; 2] {
        let genomes = parents.map(|parent| parent.genome);
        let child = |genome, origin, parents| Offspring {
            genome,
            origin,
            parents,
            mutated: false,
        };
        if chance(rng, self.config.crossover_probability) {
            let ids = || parents.map(|parent| parent.ids).concat();
            let children = self.config.crossover.cross(space, genomes, rng);
            children
                .map(|genome| self.maybe_mutated(space, child(genome, Origin::Crossed, ids()), rng))
        } else if self.config.otherwise == Otherwise::Copies {
            parents.map(|parent| {
                let copy = child(parent.genome.clone(), Origin::Copied, parent.ids.to_vec());
                self.maybe_mutated(space, copy, rng)
            })
        } else {
            [(); 2].map(|()| Offspring::without_parents(space.random(rng), Origin::Random))
        }
    }

    fn maybe_mutated(&self, space: &Space, mut child: Offspring, rng: &mut Stream) -> Offspring {
        if chance(rng, self.config.mutation_probability) {
            let before = child.genome.clone();
            self.config.mutation.mutate(space, &mut child.genome, rng);
            child.mutated = child.genome != before;
        }
        child
    }

    /// Mutates children until they differ from the population and from each other.
    fn without_duplicates(&self, children: &mut [Offspring], context: &BreedContext<'_>) {
        for place in 0..children.len() {
            let (before, rest) = children.split_at_mut(place);
            let child = &mut rest[0];
            let exists = |genome: &Genome| {
                before.iter().any(|other| other.genome == *genome)
                    || self.population.iter().any(|other| other.genome == *genome)
            };
            let mut rng = context.stream(Purpose::Replace, place);
            for _ in 0..ATTEMPTS {
                if !exists(&child.genome) {
                    break;
                }
                self.config
                    .mutation
                    .mutate(context.space, &mut child.genome, &mut rng);
                child.mutated = true;
            }
        }
    }

    /// The best of every `best_of` consecutive offspring.
    fn best_of_each(&self, offspring: &[Individual]) -> Vec<Individual> {
        offspring
            .chunks(self.config.best_of)
            .map(|several| several[ranking(several)[0]].clone())
            .collect()
    }
}

impl Algorithm for Ga {
    fn propose(&mut self, context: &BreedContext<'_>) -> Vec<Offspring> {
        if self.population.is_empty() {
            return random_offspring(context, self.config.population * self.config.best_of);
        }
        let count = self.config.replacement.children(self.population.len());
        let pairs = self.pairs(context).into_iter().enumerate();
        let mut children: Vec<Offspring> = Vec::with_capacity(2 * pairs.len());
        for (slot, pair) in pairs {
            let parents = pair.map(|place| self.parent(place, &children));
            let mut rng = context.stream(Purpose::Breed, slot);
            let bred = self.children(context.space, parents, &mut rng);
            children.extend(bred);
        }
        children.truncate(count);
        if self.config.duplicates == Duplicates::Mutate {
            self.without_duplicates(&mut children, context);
        }
        children
    }

    fn update(&mut self, offspring: Vec<Individual>, _: &BreedContext<'_>) {
        if self.population.is_empty() {
            self.population = self.best_of_each(&offspring);
            return;
        }
        let old = std::mem::take(&mut self.population);
        let losers = std::mem::take(&mut self.losers);
        self.population = self.config.replacement.replace(old, offspring, &losers);
    }

    fn population(&self) -> &[Individual] {
        &self.population
    }

    fn population_mut(&mut self) -> &mut [Individual] {
        &mut self.population
    }

    fn survivors(&self) -> usize {
        self.config.replacement.survivors(self.config.population)
    }
}
