//! `grid`: grid search. Scores every point of a grid once, then finishes; the best point is kept.
//!
//! A real gene has `steps` values, evenly spaced over its range (with one step: the centre); a discrete gene
//! takes all its values. The last gene changes fastest.
//!
//! | setting | default | |
//! |---|---|---|
//! | `steps` | 10 | values per real gene |
//! | `batch` | 1000 | points per generation |
//!
//! When to use: up to about four genes, to see the whole landscape. Rejects more than 100 million points. For any genome.

use serde::{Deserialize, Serialize};

use super::{Algorithm, BreedContext, ConfigError, Fittest, Offspring, check_range};
use crate::genome::{Bits, Genome, Range, Space};
use crate::individual::{Individual, Origin};

/// Settings of grid search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct GridConfig {
    /// Values per real gene.
    pub steps: u32,
    /// Points per generation.
    pub batch: usize,
}

impl GridConfig {
    /// What each setting is.
    pub(super) const SETTINGS: &[(&str, &str)] = &[
        ("steps", "values per real gene"),
        ("batch", "points per generation"),
    ];
}

impl Default for GridConfig {
    fn default() -> Self {
        Self {
            steps: 10,
            batch: 1000,
        }
    }
}

/// More points would take years.
const MOST_POINTS: u64 = 100_000_000;

/// The state of grid search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    config: GridConfig,
    points: u64,
    /// The first point that has not been proposed yet.
    next: u64,
    /// Points that guests replaced: they are proposed again.
    left_out: Vec<u64>,
    /// Points that are being scored.
    proposed: Vec<u64>,
    fittest: Fittest,
}

impl Grid {
    /// The algorithm with these settings.
    pub fn new(config: &GridConfig, space: &Space) -> Result<Self, ConfigError> {
        check_range("steps", config.steps, 1..=1_000_000)?;
        check_range("batch", config.batch, 1..=1_000_000)?;
        Ok(Self {
            config: config.clone(),
            points: count_points(config.steps, space)?,
            next: 0,
            left_out: Vec::new(),
            proposed: Vec::new(),
            fittest: Fittest::default(),
        })
    }

    /// Numbers of the points of the next generation.
    fn next_batch(&mut self) -> Vec<u64> {
        let mut batch = std::mem::take(&mut self.left_out);
        let room = self.config.batch.saturating_sub(batch.len()) as u64;
        let end = self.points.min(self.next + room);
        batch.extend(self.next..end);
        self.next = end;
        batch
    }

    /// The point of this number: its digits are the indices of the genes' values.
    fn point(&self, number: u64, space: &Space) -> Genome {
        let mut rest = number;
        let mut places = vec![0; space.genes()];
        for (gene, place) in places.iter_mut().enumerate().rev() {
            let values = u64::from(values(self.config.steps, space, gene));
            *place = (rest % values) as u32;
            rest /= values;
        }
        match space {
            Space::Bits { .. } => Genome::Bits(bits(&places)),
            Space::Reals { ranges, .. } => {
                let both = places.iter().zip(ranges);
                Genome::Reals(
                    both.map(|(&place, range)| self.real(place, range))
                        .collect(),
                )
            }
            Space::Symbols { .. } | Space::Integers { .. } | Space::Program(_) => {
                let both = places.iter().enumerate();
                Genome::Integers(
                    both.map(|(gene, &place)| space.value(gene, place))
                        .collect(),
                )
            }
        }
    }

    fn real(&self, place: u32, range: &Range) -> f64 {
        if self.config.steps == 1 {
            return f64::midpoint(range.low, range.high);
        }
        let along = f64::from(place) / f64::from(self.config.steps - 1);
        (range.low + (range.high - range.low) * along).min(range.high)
    }
}

fn bits(places: &[u32]) -> Bits {
    let mut bits = Bits::zeros(places.len());
    for (gene, &place) in places.iter().enumerate() {
        bits.set(gene, place == 1);
    }
    bits
}

fn values(steps: u32, space: &Space, gene: usize) -> u32 {
    space.values(gene).unwrap_or(steps)
}

fn count_points(steps: u32, space: &Space) -> Result<u64, ConfigError> {
    let values = || (0..space.genes()).map(|gene| u64::from(values(steps, space, gene)));
    let points = values().try_fold(1_u64, u64::checked_mul);
    match points {
        Some(points) if points <= MOST_POINTS => Ok(points),
        _ => {
            let digits = values()
                .map(|values| libm::log10(values as f64))
                .sum::<f64>();
            let number = points.map_or(format!("10^{digits:.0}"), |points| points.to_string());
            let problem =
                format!("makes a grid of {number} points; at most {MOST_POINTS} can be searched");
            Err(ConfigError::value("steps", steps, problem))
        }
    }
}

impl Algorithm for Grid {
    fn generations(&self) -> Option<u64> {
        Some(self.points.div_ceil(self.config.batch as u64))
    }

    fn propose(&mut self, context: &BreedContext<'_>) -> Vec<Offspring> {
        self.proposed = self.next_batch();
        let points = self.proposed.iter();
        points
            .map(|&number| {
                Offspring::without_parents(self.point(number, context.space), Origin::Listed)
            })
            .collect()
    }

    fn update(&mut self, offspring: Vec<Individual>, _: &BreedContext<'_>) {
        let proposed = std::mem::take(&mut self.proposed);
        let both = proposed.into_iter().zip(&offspring);
        let guests = both.filter(|(_, one)| one.origin == Origin::Guest);
        self.left_out = guests.map(|(number, _)| number).collect();
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
