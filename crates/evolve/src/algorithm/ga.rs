//! `ga`: a genetic algorithm composed of a selection, a crossover, a mutation and a replacement.
//!
//! A generation: the selection gives pairs of parents. With the crossover probability a pair has two children by
//! crossover, each mutated with the mutation probability; else, by `otherwise`, two random immigrants take their place, or
//! copies of the parents, which may be mutated likewise. The replacement decides who lives on. The first population is
//! drawn at random; with `best-of` = k, each of its members is the best of k.
//!
//! The four documents' algorithms are [`PRESETS`]: settings to start from.

use serde::{Deserialize, Serialize};
use streams::{Stream, chance};

use super::{Algorithm, BreedContext, ConfigError, Offspring, Purpose};
use crate::cross::AnyCrossover;
use crate::genome::{Genome, Space};
use crate::individual::{Individual, Origin, ranking};
use crate::mutate::AnyMutation;
use crate::operator::{AnyOperator, Chosen};
use crate::replace::AnyReplacement;
use crate::select::{AnySelection, Selected};

/// What becomes of a pair that has no crossover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Otherwise {
    /// Two random individuals come instead.
    Immigrants,
    /// The parents are copied.
    Copies,
}

/// What becomes of a child that equals somebody in the population or an earlier child.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Duplicates {
    /// It lives.
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
    /// Each of the first population is the best of so many random ones.
    pub best_of: usize,
    /// Who becomes a parent.
    pub selection: Chosen<AnySelection>,
    /// What children inherit.
    pub crossover: Chosen<AnyCrossover>,
    /// How likely a pair has crossover.
    pub crossover_probability: f64,
    /// What happens to a pair that has none.
    pub otherwise: Otherwise,
    /// How a child changes.
    pub mutation: Chosen<AnyMutation>,
    /// How likely a child is changed.
    pub mutation_probability: f64,
    /// What happens to a child that is there already.
    pub duplicates: Duplicates,
    /// Who lives on.
    pub replacement: Chosen<AnyReplacement>,
}

impl Default for GaConfig {
    fn default() -> Self {
        PRESETS[0].config()
    }
}

impl GaConfig {
    fn check_numbers(&self) -> Result<(), ConfigError> {
        let within = |key, number: f64, low: f64, high: f64| {
            if (low..=high).contains(&number) {
                return Ok(());
            }
            let problem = format!("must be from {low} to {high}");
            Err(ConfigError::value(key, number, problem))
        };
        within("population", self.population as f64, 2.0, 1_000_000.0)?;
        within("best-of", self.best_of as f64, 1.0, 1000.0)?;
        within(
            "crossover-probability",
            self.crossover_probability,
            0.0,
            1.0,
        )?;
        within("mutation-probability", self.mutation_probability, 0.0, 1.0)
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

    /// Refuses a replacement that would wait in vain to hear whom to replace.
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

/// Settings with a name.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// One line on where it comes from.
    pub about: &'static str,
    population: usize,
    best_of: usize,
    selection: &'static str,
    crossover: (&'static str, f64, Otherwise),
    mutation: (&'static str, f64),
    duplicates: Duplicates,
    replacement: &'static str,
}

/// The documents' algorithms.
pub static PRESETS: &[Preset] = &[
    Preset {
        name: "2048-ga",
        about: "2048 without look-ahead (2017): roulette, uniform crossover, the best N of 2N",
        population: 100,
        best_of: 1,
        selection: "roulette",
        crossover: ("uniform", 0.95, Otherwise::Immigrants),
        mutation: ("one-gene", 0.05),
        duplicates: Duplicates::Allow,
        replacement: "best",
    },
    Preset {
        name: "tetris-ga",
        about: "Tetris by real weights (2015): parents from the best fifth, swap-blend, steps of up to a half, an elite of 5 %",
        population: 100,
        best_of: 10,
        selection: "at-least-as-good(share=0.2)",
        crossover: ("swap-blend(swap=0.1, blend=0.1)", 1.0, Otherwise::Copies),
        mutation: ("delta-absolute(rate=0.02, size=0.5)", 1.0),
        duplicates: Duplicates::Mutate,
        replacement: "generational(elite=0.05)",
    },
    Preset {
        name: "connect-ga",
        about: "Connect-N by matches: parents from the better half, crossover 0.4, the best one passes",
        population: 50,
        best_of: 1,
        selection: "better-half",
        crossover: ("one-point", 0.4, Otherwise::Copies),
        // The document names a rate, 0.005 a gene, but no kind.
        mutation: ("replace(rate=0.005)", 1.0),
        duplicates: Duplicates::Allow,
        replacement: "generational(elite=best)",
    },
    Preset {
        name: "cgp",
        about: "2048 by CGP (2023): of four at random two are parents and two are replaced by their children",
        population: 8,
        best_of: 1,
        selection: "fours",
        crossover: ("cut-node", 1.0, Otherwise::Copies),
        mutation: ("single(times=1)", 1.0),
        duplicates: Duplicates::Allow,
        replacement: "losers(selected=4)",
    },
];

impl Preset {
    /// The settings.
    #[must_use]
    pub fn config(&self) -> GaConfig {
        fn chosen<T: AnyOperator>(text: &str) -> Chosen<T> {
            Chosen::new(text).expect("presets name operators that are there")
        }
        GaConfig {
            population: self.population,
            best_of: self.best_of,
            selection: chosen(self.selection),
            crossover: chosen(self.crossover.0),
            crossover_probability: self.crossover.1,
            otherwise: self.crossover.2,
            mutation: chosen(self.mutation.0),
            mutation_probability: self.mutation.1,
            duplicates: self.duplicates,
            replacement: chosen(self.replacement),
        }
    }
}

/// A genetic algorithm at work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ga {
    config: GaConfig,
    population: Vec<Individual>,
    /// Whom the children on their way would replace.
    losers: Vec<usize>,
}

/// So many times a duplicate is mutated before it is let be: a small space may have nothing else left.
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

    fn first_population(&self, context: &BreedContext<'_>) -> Vec<Offspring> {
        (0..self.config.population * self.config.best_of)
            .map(|slot| {
                let genome = context
                    .space
                    .random(&mut context.stream(Purpose::Breed, slot));
                Offspring::without_parents(genome, Origin::Random)
            })
            .collect()
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

    fn children(&self, space: &Space, [a, b]: [usize; 2], rng: &mut Stream) -> [Offspring; 2] {
        let parents = [&self.population[a], &self.population[b]];
        let genomes = parents.map(|parent| &parent.genome);
        let child = |genome, origin, parents| Offspring {
            genome,
            origin,
            parents,
            mutated: false,
        };
        if chance(rng, self.config.crossover_probability) {
            let ids = vec![parents[0].id, parents[1].id];
            let children = self.config.crossover.cross(space, genomes, rng);
            children.map(|genome| {
                self.maybe_mutated(space, child(genome, Origin::Crossed, ids.clone()), rng)
            })
        } else if self.config.otherwise == Otherwise::Copies {
            parents.map(|parent| {
                let copy = child(parent.genome.clone(), Origin::Copied, vec![parent.id]);
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

    /// Mutates children that equal someone until they differ.
    fn without_duplicates(&self, children: &mut [Offspring], context: &BreedContext<'_>) {
        for place in 0..children.len() {
            let (before, rest) = children.split_at_mut(place);
            let child = &mut rest[0];
            let is_there = |genome: &Genome| {
                before.iter().any(|other| other.genome == *genome)
                    || self.population.iter().any(|other| other.genome == *genome)
            };
            let mut rng = context.stream(Purpose::Replace, place);
            for _ in 0..ATTEMPTS {
                if !is_there(&child.genome) {
                    break;
                }
                self.config
                    .mutation
                    .mutate(context.space, &mut child.genome, &mut rng);
                child.mutated = true;
            }
        }
    }

    /// The best of every `best_of` in a row.
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
            return self.first_population(context);
        }
        let count = self.config.replacement.children(self.population.len());
        let pairs = self.pairs(context).into_iter().enumerate();
        let mut children: Vec<Offspring> = pairs
            .flat_map(|(slot, pair)| {
                self.children(
                    context.space,
                    pair,
                    &mut context.stream(Purpose::Breed, slot),
                )
            })
            .take(count)
            .collect();
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
