//! The constants of CMA-ES, determined by the number of genes and the population (Hansen 2016, table 1).

use serde::{Deserialize, Serialize};

/// The default population: 4 + floor(3 ln n).
pub(super) fn default_population(genes: usize) -> usize {
    4 + (3.0 * libm::log(genes as f64)) as usize
}

/// Weights and learning rates. The names are those of the tutorial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Strategy {
    /// One weight per rank; the positive ones, the first `mu`, add up to 1.
    pub(super) weights: Vec<f64>,
    /// Number of individuals that move the mean.
    pub(super) mu: usize,
    /// Variance-effective selection mass of the positive weights.
    pub(super) mu_eff: f64,
    /// Learning rate of the step-size path.
    pub(super) c_sigma: f64,
    /// Damping of the step size.
    pub(super) damping: f64,
    /// Learning rate of the covariance path.
    pub(super) c_c: f64,
    /// Learning rate of the rank-one update.
    pub(super) c_1: f64,
    /// Learning rate of the rank-mu update.
    pub(super) c_mu: f64,
    /// Mean length of a standard normal vector.
    pub(super) chi: f64,
}

impl Strategy {
    /// The constants for this number of genes and individuals.
    pub(super) fn new(genes: usize, population: usize) -> Self {
        let n = genes as f64;
        let raw = raw_weights(population);
        let mu = population / 2;
        let mu_eff = effective(&raw[..mu]);
        let c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + mu_eff) * (population as f64 / 6.0).min(1.0);
        let c_mu = (2.0 * (0.25 + mu_eff + 1.0 / mu_eff - 2.0) / ((n + 2.0) * (n + 2.0) + mu_eff))
            .min(1.0 - c_1);
        // 3 as in pycma, where the tutorial has 5: fewer evaluations in a curved valley, and never more.
        let c_sigma = (mu_eff + 2.0) / (n + mu_eff + 3.0);
        let crowd = ((mu_eff - 1.0) / (n + 1.0)).sqrt() - 1.0;
        Self {
            weights: scaled_weights(&raw, mu, n, c_1, c_mu),
            mu,
            mu_eff,
            c_sigma,
            damping: 1.0 + 2.0 * crowd.max(0.0) + c_sigma,
            c_c: (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n),
            c_1,
            c_mu,
            chi: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }

    /// Generations between decompositions of the covariance, which changes little in between: 1 / (2 n (c_1 + c_mu)) as in Hansen's
    /// `purecma`, rounded up.
    pub(super) fn decomposition_interval(&self, genes: usize) -> u32 {
        (0.5 / ((self.c_1 + self.c_mu) * genes as f64)).ceil() as u32
    }
}

fn raw_weights(population: usize) -> Vec<f64> {
    let middle = libm::log((population as f64 + 1.0) / 2.0);
    (1..=population)
        .map(|rank| middle - libm::log(rank as f64))
        .collect()
}

fn effective(weights: &[f64]) -> f64 {
    let sum: f64 = weights.iter().sum();
    let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
    sum * sum / squares
}

/// Positive weights add up to 1; negative ones keep the covariance positive definite (equations 50 to 53).
fn scaled_weights(raw: &[f64], mu: usize, n: f64, c_1: f64, c_mu: f64) -> Vec<f64> {
    let (better, worse) = raw.split_at(mu);
    let positive: f64 = better.iter().sum();
    let negative: f64 = -worse.iter().sum::<f64>();
    let most = (1.0 + c_1 / c_mu)
        .min(1.0 + 2.0 * effective(worse) / (effective(better) + 2.0))
        .min((1.0 - c_1 - c_mu) / (n * c_mu));
    let better = better.iter().map(|weight| weight / positive);
    let worse = worse.iter().map(|weight| most * weight / negative);
    better.chain(worse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_those_of_the_tutorial() {
        let strategy = Strategy::new(10, default_population(10));
        assert_eq!(strategy.weights.len(), 10);
        assert!((strategy.mu_eff - 3.1673).abs() < 1e-3);
        assert!((strategy.weights[..5].iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(strategy.weights[5..].iter().all(|&weight| weight < 0.0));
    }
}
