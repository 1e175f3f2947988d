//! `differential-evolution`: rand/1/bin, for real genes.
//!
//! Every individual x has a trial in every generation. Three other, distinct individuals a, b, c give the mutant
//! a + weight (b - c); the trial takes each gene from the mutant with probability `crossover`, at least one, and the others
//! from x. It replaces x if it is at least as good.
//!
//! Source: R. Storn and K. Price, "Differential Evolution" (1997).
//!
//! | setting | default | |
//! |---|---|---|
//! | `population` | 10 n, at least 10 | individuals |
//! | `weight` | 0.7 | F: the differential weight; 0.5 is faster, but often gets stuck in a curved valley |
//! | `crossover` | 0.9 | CR: probability that a gene comes from the mutant; low (0.1) for separable problems |
//!
//! Bounds: a mutant gene beyond a bound is set half-way between the bound and the gene of x.
//!
//! When to use: rugged landscapes of up to about ten real genes, when evaluations are cheap.

use serde::{Deserialize, Serialize};
use streams::{Stream, below, chance};

use super::{
    Algorithm, BreedContext, ConfigError, Offspring, Purpose, check_range, random_offspring,
    ranges_of,
};
use crate::genome::Space;
use crate::individual::{Individual, Origin};

/// Settings of differential evolution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DifferentialEvolutionConfig {
    /// Individuals; none: ten per gene.
    pub population: Option<usize>,
    /// Factor of the difference.
    pub weight: f64,
    /// Probability that a gene comes from the mutant.
    pub crossover: f64,
}

impl DifferentialEvolutionConfig {
    /// What each setting is.
    pub(super) const SETTINGS: &[(&str, &str)] = &[
        ("population", "individuals; auto: ten per gene"),
        ("weight", "factor of the difference"),
        ("crossover", "probability that a gene comes from the mutant"),
    ];
}

impl Default for DifferentialEvolutionConfig {
    fn default() -> Self {
        Self {
            population: None,
            weight: 0.7,
            crossover: 0.9,
        }
    }
}

/// The state of differential evolution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DifferentialEvolution {
    config: DifferentialEvolutionConfig,
    size: usize,
    population: Vec<Individual>,
}

impl DifferentialEvolution {
    /// The algorithm with these settings.
    pub fn new(config: &DifferentialEvolutionConfig, space: &Space) -> Result<Self, ConfigError> {
        ranges_of(space, "differential-evolution")?;
        let size = config.population.unwrap_or((10 * space.genes()).max(10));
        check_range("population", size, 4..=1_000_000)?;
        check_range("weight", config.weight, 0.0..=2.0)?;
        check_range("crossover", config.crossover, 0.0..=1.0)?;
        Ok(Self {
            config: config.clone(),
            size,
            population: Vec::new(),
        })
    }

    fn trial(&self, target: usize, space: &Space, rng: &mut Stream) -> Offspring {
        let others = self.three_others(target, rng);
        let mut genome = self.population[target].genome.clone();
        let [a, b, c] = others.map(|place| self.population[place].genome.reals());
        let sure = below(rng, genome.genes() as u32) as usize;
        for (gene, value) in genome.reals_mut().iter_mut().enumerate() {
            if chance(rng, self.config.crossover) || gene == sure {
                let mutant = a[gene] + self.config.weight * (b[gene] - c[gene]);
                *value = inward(space, gene, mutant, *value);
            }
        }
        let parents = [target].into_iter().chain(others);
        Offspring {
            genome,
            origin: Origin::Crossed,
            parents: parents.map(|place| self.population[place].id).collect(),
            mutated: true,
        }
    }

    /// Three different places other than the target's.
    fn three_others(&self, target: usize, rng: &mut Stream) -> [usize; 3] {
        let mut taken = [target; 4];
        for found in 1..4 {
            while taken[..found].contains(&taken[found]) {
                taken[found] = below(rng, self.size as u32) as usize;
            }
        }
        [taken[1], taken[2], taken[3]]
    }
}

/// The mutant's gene if it is within bounds; else half-way from the old one to the bound.
fn inward(space: &Space, gene: usize, mutant: f64, old: f64) -> f64 {
    let confined = space.confine(gene, mutant);
    if confined == mutant {
        mutant
    } else {
        f64::midpoint(confined, old)
    }
}

impl Algorithm for DifferentialEvolution {
    fn propose(&mut self, context: &BreedContext<'_>) -> Vec<Offspring> {
        if self.population.is_empty() {
            return random_offspring(context, self.size);
        }
        (0..self.size)
            .map(|slot| {
                let mut rng = context.stream(Purpose::Breed, slot);
                self.trial(slot, context.space, &mut rng)
            })
            .collect()
    }

    fn update(&mut self, offspring: Vec<Individual>, _: &BreedContext<'_>) {
        if self.population.is_empty() {
            self.population = offspring;
            return;
        }
        for (target, trial) in self.population.iter_mut().zip(offspring) {
            if trial.fitness() >= target.fitness() {
                *target = trial;
            }
        }
    }

    fn population(&self) -> &[Individual] {
        &self.population
    }

    fn population_mut(&mut self) -> &mut [Individual] {
        &mut self.population
    }

    fn survivors(&self) -> usize {
        // Every trial is compared with its own target: a race cannot drop anyone.
        2 * self.size
    }
}
