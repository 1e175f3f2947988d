//! `cross-entropy`: the cross-entropy method, for real genes.
//!
//! Every generation draws its individuals from one normal distribution per gene, and fits mean and variance to the best of them, the
//! elite. To avoid premature convergence, noise is added to the variance, less in every generation:
//! Z(t) = max(noise (1 - t / noise-generations), 0) times the first variance.
//!
//! Source: R. Y. Rubinstein (1999); the noise: I. Szita and A. Lőrincz, "Learning Tetris Using the Noisy Cross-Entropy Method"
//! (2006): there the first variance is 100 and Z(t) = max(5 - t / 10, 0), which is 0.05 and 50 here.
//!
//! | setting | default | |
//! |---|---|---|
//! | `population` | 100 | individuals per generation |
//! | `elite` | 0.1 | share of them that the distribution is fitted to |
//! | `sigma` | 0.3 | initial standard deviation, as a share of a gene's range |
//! | `start` | centre of the ranges | initial mean, the same for all genes |
//! | `noise` | 0.05 | initial noise, as a share of the initial variance |
//! | `noise-generations` | 50 | generations until the noise has faded to nothing; 0: it stays constant |
//!
//! Bounds: a value beyond a bound is set to the bound.
//!
//! When to use: noisy scores, many genes that hardly depend on each other (it learns no correlations), large populations.

use serde::{Deserialize, Serialize};
use streams::{Stream, normal};

use super::{
    Algorithm, BreedContext, ConfigError, Offspring, Purpose, check_range, mean_genes, ranges_of,
};
use crate::genome::{Genome, Range, Space};
use crate::individual::{Individual, Origin, ranking};

/// Settings of the cross-entropy method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct CrossEntropyConfig {
    /// Individuals per generation.
    pub population: usize,
    /// Share of them that the distribution is fitted to.
    pub elite: f64,
    /// Initial standard deviation, as a share of a gene's range.
    pub sigma: f64,
    /// Initial mean of every gene; none: the centre of its range.
    pub start: Option<f64>,
    /// Initial noise, as a share of the initial variance.
    pub noise: f64,
    /// Generations until the noise has faded to nothing; 0: it stays constant.
    pub noise_generations: u32,
}

impl CrossEntropyConfig {
    /// What each setting is.
    pub(super) const SETTINGS: &[(&str, &str)] = &[
        ("population", "individuals per generation"),
        ("elite", "share of them that the distribution is fitted to"),
        (
            "sigma",
            "initial standard deviation, as a share of a gene's range",
        ),
        (
            "start",
            "initial mean of every gene; auto: the centre of its range",
        ),
        ("noise", "initial noise, as a share of the initial variance"),
        (
            "noise-generations",
            "generations until the noise has faded; 0: it stays constant",
        ),
    ];
}

impl Default for CrossEntropyConfig {
    fn default() -> Self {
        Self {
            population: 100,
            elite: 0.1,
            sigma: 0.3,
            start: None,
            noise: 0.05,
            noise_generations: 50,
        }
    }
}

impl CrossEntropyConfig {
    /// Number of individuals that the distribution is fitted to.
    fn elites(&self) -> usize {
        ((self.elite * self.population as f64).round() as usize).max(2)
    }

    /// The noise in a generation, for an initial variance of 1.
    fn noise_at(&self, generation: u32) -> f64 {
        if self.noise_generations == 0 {
            return self.noise;
        }
        let elapsed = f64::from(generation) / f64::from(self.noise_generations);
        (self.noise * (1.0 - elapsed)).max(0.0)
    }
}

/// The distribution of a gene.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Normal {
    mean: f64,
    sd: f64,
}

/// The state of the cross-entropy method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrossEntropy {
    config: CrossEntropyConfig,
    /// One distribution per gene.
    genes: Vec<Normal>,
    population: Vec<Individual>,
}

impl CrossEntropy {
    /// The algorithm with these settings.
    pub fn new(config: &CrossEntropyConfig, space: &Space) -> Result<Self, ConfigError> {
        let ranges = ranges_of(space, "cross-entropy")?;
        check_range("population", config.population, 4..=1_000_000)?;
        check_range("elite", config.elite, 0.0..=0.5)?;
        check_range("sigma", config.sigma, 1e-9..=10.0)?;
        check_range("noise", config.noise, 0.0..=1.0)?;
        if let Some(start) = config.start {
            check_range("start", start, f64::MIN..=f64::MAX)?;
        }
        let first = |(gene, range): (usize, &Range)| Normal {
            mean: space.confine(gene, config.start.unwrap_or((range.low + range.high) / 2.0)),
            sd: config.sigma * (range.high - range.low),
        };
        Ok(Self {
            config: config.clone(),
            genes: ranges.iter().enumerate().map(first).collect(),
            population: Vec::new(),
        })
    }

    fn draw(&self, space: &Space, rng: &mut Stream) -> Genome {
        let genes = self.genes.iter().enumerate();
        Genome::Reals(
            genes
                .map(|(gene, known)| space.confine(gene, known.mean + known.sd * normal(rng)))
                .collect(),
        )
    }

    fn fit(&mut self, elite: &[&Individual], context: &BreedContext<'_>) {
        let ranges = ranges_of(context.space, "cross-entropy").expect("the space was checked");
        let noise = self.config.noise_at(context.generation);
        for (gene, (known, range)) in self.genes.iter_mut().zip(ranges).enumerate() {
            let count = elite.len() as f64;
            let values = elite.iter().map(|one| one.genome.reals()[gene]);
            let mean = values.clone().sum::<f64>() / count;
            let variance = values.map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
            let first = self.config.sigma * (range.high - range.low);
            *known = Normal {
                mean,
                sd: (variance + noise * first * first).sqrt(),
            };
        }
    }
}

impl Algorithm for CrossEntropy {
    fn start_around(&mut self, genomes: &[Genome], _: &Space) {
        for (gene, mean) in self.genes.iter_mut().zip(mean_genes(genomes)) {
            gene.mean = mean;
        }
    }

    fn propose(&mut self, context: &BreedContext<'_>) -> Vec<Offspring> {
        (0..self.config.population)
            .map(|slot| {
                let genome = self.draw(context.space, &mut context.stream(Purpose::Breed, slot));
                Offspring::without_parents(genome, Origin::Sampled)
            })
            .collect()
    }

    fn update(&mut self, offspring: Vec<Individual>, context: &BreedContext<'_>) {
        let order = ranking(&offspring);
        let best = &order[..self.config.elites()];
        let elite: Vec<&Individual> = best.iter().map(|&place| &offspring[place]).collect();
        self.fit(&elite, context);
        self.population = offspring;
    }

    fn population(&self) -> &[Individual] {
        &self.population
    }

    fn population_mut(&mut self) -> &mut [Individual] {
        &mut self.population
    }

    fn survivors(&self) -> usize {
        self.config.elites()
    }

    fn re_evaluates(&self) -> bool {
        false
    }
}
