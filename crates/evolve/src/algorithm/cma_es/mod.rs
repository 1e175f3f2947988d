//! `cma-es`: evolution strategy with covariance matrix adaptation, for real genes.
//!
//! Every generation draws its individuals from a normal distribution, then moves the mean towards the better half, stretches the
//! distribution along successful steps (and shrinks it along bad ones), and widens or narrows it as successive steps of the mean
//! agree or cancel. Only the order of the scores counts.
//!
//! Source: N. Hansen, "The CMA Evolution Strategy: A Tutorial" (2016), with negative weights; restarts with a doubled population
//! (IPOP) after Auger and Hansen (2005); injected genomes are taken with a shortened step (Hansen 2011). See `distribution.rs`.
//!
//! | setting | default | |
//! |---|---|---|
//! | `population` | 4 + floor(3 ln n) | individuals per generation; more for rugged or noisy scores |
//! | `sigma` | 0.3 | initial standard deviation, as a share of a gene's range |
//! | `start` | centre of the ranges | initial mean, the same for all genes |
//! | `restarts` | 0 | how often a search that stagnates is restarted elsewhere, each time with twice the population |
//!
//! Without restarts it continues until its distribution degenerates (see `stagnation.rs`), and then finishes.
//!
//! Bounds: the search itself is unbounded; near a bound its values are mapped smoothly into the range (`scale.rs`).
//!
//! When to use: the first choice for 2 to 100 real genes with a rugged or ill-conditioned landscape. For many more genes use
//! `cross-entropy`, whose cost grows linearly.

mod distribution;
mod eigen;
mod scale;
mod stagnation;
mod strategy;

use serde::{Deserialize, Serialize};
use streams::uniform;

use self::distribution::Distribution;
use self::scale::Scale;
use self::stagnation::Stagnation;
use super::{Algorithm, BreedContext, ConfigError, Offspring, Purpose, check_range, mean_genes};
use crate::genome::{Genome, Space};
use crate::individual::{Individual, Origin, ranking};

/// Settings of CMA-ES.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct CmaEsConfig {
    /// Individuals per generation; none: 4 + floor(3 ln n).
    pub population: Option<usize>,
    /// Initial standard deviation, as a share of a gene's range.
    pub sigma: f64,
    /// Initial mean of every gene; none: the centre of its range.
    pub start: Option<f64>,
    /// How often it restarts when it stagnates.
    pub restarts: u32,
}

impl CmaEsConfig {
    /// What each setting is.
    pub(super) const SETTINGS: &[(&str, &str)] = &[
        (
            "population",
            "individuals per generation; auto: 4 + floor(3 ln n) for n genes",
        ),
        (
            "sigma",
            "initial standard deviation, as a share of a gene's range",
        ),
        (
            "start",
            "initial mean of every gene; auto: the centre of its range",
        ),
        (
            "restarts",
            "how often it restarts when it stagnates, with twice the population",
        ),
    ];
}

impl Default for CmaEsConfig {
    fn default() -> Self {
        Self {
            population: None,
            sigma: 0.3,
            start: None,
            restarts: 0,
        }
    }
}

/// The covariance has the square of this many entries; larger ones take longer to decompose than most games.
const MOST_GENES: usize = 1000;

/// The state of CMA-ES.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CmaEs {
    config: CmaEsConfig,
    distribution: Distribution,
    stagnation: Stagnation,
    restarts_left: u32,
    /// The distribution has degenerated and no restart is left.
    ended: bool,
    /// The points that are being scored, concatenated, before they were mapped into bounds.
    drawn: Vec<f64>,
    population: Vec<Individual>,
}

impl CmaEs {
    /// The algorithm with these settings.
    pub fn new(config: &CmaEsConfig, space: &Space) -> Result<Self, ConfigError> {
        let scale = Scale::of(space)?;
        let genes = space.genes();
        if genes > MOST_GENES {
            let problem =
                format!("works on at most {MOST_GENES} genes, not {genes}; try cross-entropy");
            return Err(ConfigError::value("algorithm", "cma-es", problem));
        }
        let population = config
            .population
            .unwrap_or_else(|| strategy::default_population(genes));
        check_range("population", population, 2..=100_000)?;
        check_range("sigma", config.sigma, 1e-9..=10.0)?;
        check_range("restarts", config.restarts, 0..=9)?;
        let start = vec![config.start; genes];
        let mean = scale
            .start(&start)
            .map_err(|(value, problem)| ConfigError::value("start", value, problem))?;
        Ok(Self {
            config: config.clone(),
            distribution: Distribution::new(mean, config.sigma, population),
            stagnation: Stagnation::default(),
            restarts_left: config.restarts,
            ended: false,
            drawn: Vec::new(),
            population: Vec::new(),
        })
    }

    /// Restarts at a random point with twice the population.
    fn restart(&mut self, context: &BreedContext<'_>) {
        let mut rng = context.stream(Purpose::Replace, 0);
        let mean = (0..context.space.genes()).map(|_| uniform(&mut rng, -0.5, 0.5));
        let population = 2 * self.distribution.population();
        self.distribution = Distribution::new(mean.collect(), self.config.sigma, population);
        self.stagnation = Stagnation::default();
        self.restarts_left -= 1;
    }

    fn draw(&mut self, slot: usize, context: &BreedContext<'_>) -> Offspring {
        let mut rng = context.stream(Purpose::Breed, slot);
        let mut point = self.distribution.draw(&mut rng);
        self.drawn.extend_from_slice(&point);
        Scale::checked(context.space).confine(&mut point);
        Offspring::without_parents(Genome::Reals(point), Origin::Sampled)
    }

    /// Steps from the mean to the individuals, in units of sigma, the fittest first.
    fn steps(&mut self, offspring: &[Individual], order: &[usize], space: &Space) -> Vec<f64> {
        let drawn = std::mem::take(&mut self.drawn);
        let genes = space.genes();
        let mut steps = Vec::with_capacity(drawn.len());
        for &place in order {
            let one = &offspring[place];
            if one.origin == Origin::Guest {
                let mean = self.distribution.mean();
                let point = Scale::checked(space).coordinates(one.genome.reals(), mean);
                let step = self.distribution.likely_step(&point);
                steps.extend_from_slice(&step);
            } else {
                let point = &drawn[place * genes..][..genes];
                steps.extend(self.distribution.step(point));
            }
        }
        steps
    }

    fn is_over(&mut self, offspring: &[Individual], order: &[usize]) -> bool {
        let fitness = |place: usize| offspring[order[place]].fitness();
        // Without a restart to follow, a plateau or noise is no reason to stop.
        self.distribution.is_degenerate(self.config.sigma)
            || self.restarts_left > 0
                && self.stagnation.add(
                    [fitness(0), fitness(order.len() / 2)],
                    fitness(order.len() - 1),
                    self.distribution.patience(),
                )
    }
}

impl Algorithm for CmaEs {
    fn start_around(&mut self, genomes: &[Genome], space: &Space) {
        let near = self.distribution.mean();
        let mean = Scale::checked(space).coordinates(&mean_genes(genomes), near);
        let population = self.distribution.population();
        self.distribution = Distribution::new(mean, self.config.sigma, population);
    }

    fn propose(&mut self, context: &BreedContext<'_>) -> Vec<Offspring> {
        if self.ended {
            return Vec::new();
        }
        (0..self.distribution.population())
            .map(|slot| self.draw(slot, context))
            .collect()
    }

    fn update(&mut self, offspring: Vec<Individual>, context: &BreedContext<'_>) {
        let order = ranking(&offspring);
        let steps = self.steps(&offspring, &order, context.space);
        self.distribution.update(&steps);
        if self.is_over(&offspring, &order) {
            if self.restarts_left > 0 {
                self.restart(context);
            } else {
                self.ended = true;
            }
        }
        self.population = offspring;
    }

    fn population(&self) -> &[Individual] {
        &self.population
    }

    fn population_mut(&mut self) -> &mut [Individual] {
        &mut self.population
    }

    fn survivors(&self) -> usize {
        self.distribution.population() / 2
    }

    fn re_evaluates(&self) -> bool {
        false
    }
}
