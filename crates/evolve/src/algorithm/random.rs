//! `random`: random search. Every individual is drawn from the whole space; the best one is kept.
//!
//! | setting | default | |
//! |---|---|---|
//! | `population` | 100 | individuals per generation |
//!
//! When to use: as a baseline for the others. For any genome.

use serde::{Deserialize, Serialize};

use super::{
    Algorithm, BreedContext, ConfigError, Fittest, Offspring, check_range, random_offspring,
};
use crate::genome::Space;
use crate::individual::Individual;

/// Settings of random search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct RandomConfig {
    /// Individuals per generation.
    pub population: usize,
}

impl RandomConfig {
    /// What each setting is.
    pub(super) const SETTINGS: &[(&str, &str)] = &[("population", "individuals per generation")];
}

impl Default for RandomConfig {
    fn default() -> Self {
        Self { population: 100 }
    }
}

/// The state of random search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Random {
    config: RandomConfig,
    fittest: Fittest,
}

impl Random {
    /// The algorithm with these settings.
    pub fn new(config: &RandomConfig, _: &Space) -> Result<Self, ConfigError> {
        check_range("population", config.population, 1..=1_000_000)?;
        Ok(Self {
            config: config.clone(),
            fittest: Fittest::default(),
        })
    }
}

impl Algorithm for Random {
    fn propose(&mut self, context: &BreedContext<'_>) -> Vec<Offspring> {
        random_offspring(context, self.config.population)
    }

    fn update(&mut self, offspring: Vec<Individual>, _: &BreedContext<'_>) {
        self.fittest.update(offspring);
    }

    fn population(&self) -> &[Individual] {
        self.fittest.as_slice()
    }

    fn population_mut(&mut self) -> &mut [Individual] {
        self.fittest.as_mut_slice()
    }

    fn survivors(&self) -> usize {
        1
    }
}
