//! The algorithms: they propose genomes and learn from their scores. One file each; the list is below.

mod cma_es;
mod context;
mod cross_entropy;
mod differential_evolution;
mod fittest;
mod ga;
mod grid;
mod islands;
mod one_plus_lambda;
mod random;

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use spec::SpecError;

pub use cma_es::{CmaEs, CmaEsConfig};
pub use context::{BreedContext, Offspring, Purpose};
pub use cross_entropy::{CrossEntropy, CrossEntropyConfig};
pub use differential_evolution::{DifferentialEvolution, DifferentialEvolutionConfig};
pub use ga::{Ga, GaConfig, PRESETS, Preset};
pub use grid::{Grid, GridConfig};
pub use islands::{Islands, IslandsConfig};
pub use one_plus_lambda::{OnePlusLambda, OnePlusLambdaConfig};
pub use random::{Random, RandomConfig};

use self::fittest::Fittest;
use crate::genome::{Genome, Range, Space};
use crate::individual::{Individual, Origin};

/// Proposes genomes and learns from their scores.
pub trait Algorithm {
    /// The first generation will contain these genomes, of which there is at least one.
    fn start_around(&mut self, _genomes: &[Genome], _space: &Space) {}

    /// The offspring of the next generation; none when the algorithm has finished.
    fn propose(&mut self, context: &BreedContext<'_>) -> Vec<Offspring>;

    /// Takes the scored offspring, in the order in which they were proposed. The population's scores are up to date.
    fn update(&mut self, offspring: Vec<Individual>, context: &BreedContext<'_>);

    /// The current population.
    fn population(&self) -> &[Individual];

    /// The current population, to update its scores.
    fn population_mut(&mut self) -> &mut [Individual];

    /// Number of generations of an algorithm that finishes by itself.
    fn generations(&self) -> Option<u64> {
        None
    }

    /// How many of a generation can influence the next one: a race need not rank the others.
    fn survivors(&self) -> usize;

    /// Whether the noise policy may score the population again. An algorithm that never uses those individuals again would
    /// waste the games.
    fn re_evaluates(&self) -> bool {
        true
    }
}

/// Why settings are invalid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// The text of an operator is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A setting is out of range, or does not fit another.
    #[error("{key} = {value}: {problem}")]
    Value {
        /// The setting.
        key: &'static str,
        /// What was given.
        value: String,
        /// What is wrong and what is allowed.
        problem: String,
    },
}

impl ConfigError {
    /// An invalid setting.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "numbers, texts and references to operators all read well at the call"
    )]
    pub fn value(key: &'static str, value: impl ToString, problem: impl Into<String>) -> Self {
        Self::Value {
            key,
            value: value.to_string(),
            problem: problem.into(),
        }
    }
}

/// Rejects a setting that is out of range.
fn check_range<T: PartialOrd + Display>(
    key: &'static str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), ConfigError> {
    if range.contains(&value) {
        return Ok(());
    }
    let problem = format!("must be from {} to {}", range.start(), range.end());
    Err(ConfigError::value(key, value, problem))
}

/// The ranges of real genes; rejects other spaces.
fn ranges_of<'a>(space: &'a Space, algorithm: &str) -> Result<&'a [Range], ConfigError> {
    match space {
        Space::Reals { ranges, .. } => Ok(ranges),
        _ => Err(ConfigError::value(
            "algorithm",
            algorithm,
            "works on real genes only; ga, one-plus-lambda, random and grid work on any",
        )),
    }
}

/// The mean of each gene; of real genes only.
fn mean_genes(genomes: &[Genome]) -> Vec<f64> {
    let genes = 0..genomes[0].reals().len();
    let sum = |gene| -> f64 { genomes.iter().map(|one| one.reals()[gene]).sum() };
    genes.map(|gene| sum(gene) / genomes.len() as f64).collect()
}

/// Random offspring.
fn random_offspring(context: &BreedContext<'_>, count: usize) -> Vec<Offspring> {
    (0..count)
        .map(|slot| {
            let mut rng = context.stream(Purpose::Breed, slot);
            Offspring::without_parents(context.space.random(&mut rng), Origin::Random)
        })
        .collect()
}

/// An entry in the list of algorithms.
#[derive(Debug, Clone, Copy)]
pub struct AlgorithmKind {
    /// Its name in studies and on the command line.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// What each of its settings is, by name.
    pub settings: &'static [(&'static str, &'static str)],
}

macro_rules! algorithms {
    ($($type:ident($config:ident) = $name:literal, $about:literal;)+) => {
        /// The settings of an algorithm.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "algorithm")]
        pub enum Config {
            $(#[doc = $about] #[serde(rename = $name)] $type($config)),+
        }

        /// The state of any algorithm of the list.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "algorithm")]
        #[expect(missing_docs, reason = "the list says what they are")]
        pub enum AnyAlgorithm {
            $(#[serde(rename = $name)] $type($type)),+
        }

        /// All algorithms.
        pub static ALGORITHMS: &[AlgorithmKind] = &[$(AlgorithmKind { name: $name, about: $about, settings: $config::SETTINGS }),+];

        impl Config {
            /// The algorithm of this name with its default settings.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$type($config::default())),)+
                    _ => None,
                }
            }

            /// The algorithm's name.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$type(_) => $name),+
                }
            }
        }

        impl AnyAlgorithm {
            /// The algorithm with these settings, for genomes of this space.
            pub fn new(config: &Config, space: &Space) -> Result<Self, ConfigError> {
                if space.genes() == 0 {
                    return Err(ConfigError::value("genes", 0, "must be at least 1"));
                }
                Ok(match config {
                    $(Config::$type(config) => Self::$type($type::new(config, space)?)),+
                })
            }
        }

        impl Algorithm for AnyAlgorithm {
            fn start_around(&mut self, genomes: &[Genome], space: &Space) {
                match self { $(Self::$type(one) => one.start_around(genomes, space)),+ }
            }

            fn propose(&mut self, context: &BreedContext<'_>) -> Vec<Offspring> {
                match self { $(Self::$type(one) => one.propose(context)),+ }
            }

            fn update(&mut self, offspring: Vec<Individual>, context: &BreedContext<'_>) {
                match self { $(Self::$type(one) => one.update(offspring, context)),+ }
            }

            fn population(&self) -> &[Individual] {
                match self { $(Self::$type(one) => one.population()),+ }
            }

            fn population_mut(&mut self) -> &mut [Individual] {
                match self { $(Self::$type(one) => one.population_mut()),+ }
            }

            fn survivors(&self) -> usize {
                match self { $(Self::$type(one) => one.survivors()),+ }
            }

            fn generations(&self) -> Option<u64> {
                match self { $(Self::$type(one) => one.generations()),+ }
            }

            fn re_evaluates(&self) -> bool {
                match self { $(Self::$type(one) => one.re_evaluates()),+ }
            }
        }
    };
}

algorithms! {
    Ga(GaConfig) = "ga", "a genetic algorithm, composed of selection, crossover, mutation and replacement";
    CmaEs(CmaEsConfig) = "cma-es", "samples a normal distribution and adapts its mean, width and shape; for real genes";
    CrossEntropy(CrossEntropyConfig) = "cross-entropy", "fits one normal distribution per gene to the best; for real genes";
    DifferentialEvolution(DifferentialEvolutionConfig) = "differential-evolution", "adds differences between individuals to other individuals; for real genes";
    OnePlusLambda(OnePlusLambdaConfig) = "one-plus-lambda", "one parent, a few mutated copies, the best survives; for programs";
    Islands(IslandsConfig) = "islands", "several searches in parallel that exchange their best individuals";
    Random(RandomConfig) = "random", "draws every individual at random and keeps the best";
    Grid(GridConfig) = "grid", "scores every point of a grid once";
}
