//! A history thinned out for charts: fitness by generation (or scores by training game), the genes of the best, and the fitness of the whole population.

use std::path::Path;

use serde::Serialize;

use super::history::HistoryReader;
use super::learning::{ResultShare, result_shares};
use super::ledger::LedgerError;

/// Fitness by generation. All lists are equally long.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Curve {
    /// Numbers of the generations; of a training, games so far.
    pub generations: Vec<u32>,
    /// Best fitness.
    pub best: Vec<f64>,
    /// Mean fitness.
    pub mean: Vec<f64>,
    /// Standard deviation of the fitness.
    pub sd: Vec<f64>,
    /// Lowest fitness.
    pub low: Vec<f64>,
    /// First quartile.
    pub lower_quartile: Vec<f64>,
    /// Median.
    pub median: Vec<f64>,
    /// Third quartile.
    pub upper_quartile: Vec<f64>,
    /// Highest fitness.
    pub high: Vec<f64>,
    /// The genes of the best, if they are numbers.
    pub genes: Vec<Gene>,
    /// How many play the game.
    pub seats: u8,
    /// What the games of a training ended with.
    pub results: Vec<ResultShare>,
    /// Whether generations were left out.
    pub thinned: bool,
}

/// A gene of the best, by generation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Gene {
    /// Its name.
    pub name: String,
    /// Its value in every generation.
    pub values: Vec<f64>,
}

/// The fitness of the whole population, by generation.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PopulationCurve {
    /// Numbers of the generations.
    pub generations: Vec<u32>,
    /// A list per generation, ascending.
    pub fitness: Vec<Vec<f64>>,
    /// The lowest of all.
    pub low: Option<f64>,
    /// The highest of all.
    pub high: Option<f64>,
}

impl Curve {
    /// The history of the run in this directory in at most this many points; empty if it keeps none. `seats` is how many play its game.
    pub fn read(run: &Path, points: usize, seats: u8) -> Result<Self, LedgerError> {
        let Some(history) = HistoryReader::of_run(run)? else {
            return Ok(Self::default());
        };
        let places = spread(history.generations.len(), points);
        let mut curve = Self {
            thinned: places.len() < history.generations.len(),
            seats,
            results: result_shares(&history, &places, seats)?,
            ..Self::default()
        };
        let mut weights: Vec<Vec<f64>> = Vec::new();
        for place in places {
            let summary = history.generations[place].clone();
            let fitness = history.rows(place)?.fitness;
            curve.generations.push(summary.generation.number);
            curve.best.push(summary.generation.best);
            curve.mean.push(summary.generation.mean);
            curve.sd.push(deviation(&fitness));
            let [low, lower, median, upper, high] = summary.quartiles;
            curve.low.push(low);
            curve.lower_quartile.push(lower);
            curve.median.push(median);
            curve.upper_quartile.push(upper);
            curve.high.push(high);
            weights.extend(summary.best_weights);
        }
        curve.genes = genes(&history.columns, &weights, curve.generations.len());
        Ok(curve)
    }
}

impl PopulationCurve {
    /// The population of the run in this directory, in at most this many generations and this many individuals each.
    pub fn read(run: &Path, columns: usize, rows: usize) -> Result<Self, LedgerError> {
        let Some(history) = HistoryReader::of_run(run)? else {
            return Ok(Self::default());
        };
        let mut crowd = Self::default();
        for place in spread(history.generations.len(), columns) {
            let mut fitness = history.rows(place)?.fitness;
            fitness.sort_by(f64::total_cmp);
            let chosen = spread(fitness.len(), rows).into_iter();
            let column: Vec<f64> = chosen.map(|place| fitness[place]).collect();
            let finite = column.iter().copied().filter(|value| value.is_finite());
            for value in finite {
                crowd.low = Some(crowd.low.map_or(value, |low| low.min(value)));
                crowd.high = Some(crowd.high.map_or(value, |high| high.max(value)));
            }
            let number = history.generations[place].generation.number;
            crowd.generations.push(number);
            crowd.fitness.push(column);
        }
        Ok(crowd)
    }
}

/// Genes that every generation has; a program has none.
fn genes(names: &[String], weights: &[Vec<f64>], generations: usize) -> Vec<Gene> {
    let is_whole =
        weights.len() == generations && weights.iter().all(|weights| weights.len() == names.len());
    if !is_whole {
        return Vec::new();
    }
    let gene = |(place, name): (usize, &String)| Gene {
        name: name.clone(),
        values: weights.iter().map(|weights| weights[place]).collect(),
    };
    names.iter().enumerate().map(gene).collect()
}

fn deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    if values.len() < 2 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / n;
    let off = values.iter().map(|value| value - mean);
    let squares: f64 = off.map(|off| off * off).sum();
    (squares / (n - 1.0)).sqrt()
}

/// At most `most` evenly spaced indices from the first to the last.
#[must_use]
pub fn spread(length: usize, most: usize) -> Vec<usize> {
    if length <= most {
        return (0..length).collect();
    }
    match most {
        0 => Vec::new(),
        1 => vec![length - 1],
        _ => (0..most)
            .map(|number| number * (length - 1) / (most - 1))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_reach_from_the_first_to_the_last() {
        assert_eq!(spread(5, 10), [0, 1, 2, 3, 4]);
        assert_eq!(spread(100, 3), [0, 49, 99]);
        assert_eq!(spread(100, 1), [99]);
        assert_eq!(spread(0, 3), [0_usize; 0]);
    }

    #[test]
    fn the_deviation_is_that_of_a_sample() {
        assert_eq!(deviation(&[1.0]), 0.0);
        assert!((deviation(&[1.0, 3.0]) - 2.0_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_program_has_no_genes() {
        assert!(genes(&["program".to_owned()], &[], 3).is_empty());
        let genes = genes(&["a".to_owned()], &[vec![1.0], vec![2.0]], 2);
        assert_eq!(genes[0].values, [1.0, 2.0]);
    }
}
