//! The normal distribution of CMA-ES and its update: one generation of the tutorial's algorithm (Hansen 2016, figure 6).

use serde::{Deserialize, Serialize};
use streams::{Stream, uniform};

use super::eigen::{Eigen, add_scaled, dot};
use super::strategy::Strategy;

/// Sigma grows at most by a factor of e per generation.
const MOST_LOG_STEP: f64 = 1.0;
/// Below this share of the initial sigma the search has converged.
const LEAST_SIGMA: f64 = 1e-12;
/// Above this the search has diverged.
const MOST_SIGMA: f64 = 1e20;
/// A covariance with a larger ratio of eigenvalues is numerically singular.
const MOST_CONDITION: f64 = 1e14;

/// N(mean, sigma^2 C) with its two evolution paths, in unbounded coordinates (see `scale.rs`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Distribution {
    strategy: Strategy,
    generation: u32,
    mean: Vec<f64>,
    sigma: f64,
    /// C, row by row.
    covariance: Vec<f64>,
    /// Eigenvectors of C as of the last decomposition.
    axes: Vec<f64>,
    /// Square roots of its eigenvalues.
    lengths: Vec<f64>,
    /// Ratio of its largest to its smallest eigenvalue.
    condition: f64,
    /// Generations since the last decomposition.
    stale: u32,
    sigma_path: Vec<f64>,
    covariance_path: Vec<f64>,
}

impl Distribution {
    /// An isotropic distribution.
    pub(super) fn new(mean: Vec<f64>, sigma: f64, population: usize) -> Self {
        let n = mean.len();
        let axes = Eigen::identity(n).vectors;
        Self {
            strategy: Strategy::new(n, population),
            generation: 0,
            sigma,
            covariance: axes.clone(),
            axes,
            lengths: vec![1.0; n],
            condition: 1.0,
            stale: 0,
            sigma_path: vec![0.0; n],
            covariance_path: vec![0.0; n],
            mean,
        }
    }

    /// Individuals per generation.
    pub(super) fn population(&self) -> usize {
        self.strategy.weights.len()
    }

    /// Generations without progress after which the search counts as stagnant.
    pub(super) fn patience(&self) -> usize {
        10 + (30 * self.mean.len()).div_ceil(self.population())
    }

    /// Samples a point.
    pub(super) fn draw(&self, rng: &mut Stream) -> Vec<f64> {
        let mut point = self.mean.clone();
        let mut spare = None;
        for (axis, length) in self.axes().zip(&self.lengths) {
            let step = spare.take().unwrap_or_else(|| {
                let (one, other) = normal_pair(rng);
                spare = Some(other);
                one
            });
            add_scaled(&mut point, self.sigma * length * step, axis);
        }
        point
    }

    /// Its mean.
    pub(super) fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// The step from the mean to a point, in units of sigma.
    pub(super) fn step(&self, point: &[f64]) -> impl Iterator<Item = f64> {
        let pairs = point.iter().zip(&self.mean);
        pairs.map(|(x, mean)| (x - mean) / self.sigma)
    }

    /// As [`step`](Self::step), shortened to a likely length: a point that was not sampled from here could otherwise distort the
    /// adaptation (Hansen 2011).
    pub(super) fn likely_step(&self, point: &[f64]) -> Vec<f64> {
        let mut step: Vec<f64> = self.step(point).collect();
        let n = step.len() as f64;
        let likely = n.sqrt() + 2.0 * n / (n + 2.0);
        let length = self.squared_length(&step).sqrt();
        if length > likely {
            step.iter_mut().for_each(|x| *x *= likely / length);
        }
        step
    }

    /// Adapts to steps, concatenated, the fittest first.
    pub(super) fn update(&mut self, steps: &[f64]) {
        let step = self.recombined(steps);
        add_scaled(&mut self.mean, self.sigma, &step);
        self.follow_sigma_path(&step);
        let stalled = self.follow_covariance_path(&step);
        self.adapt_covariance(steps, stalled);
        self.adapt_sigma();
        self.generation += 1;
        self.stale += 1;
        if self.stale >= self.strategy.decomposition_interval(self.mean.len()) {
            self.decompose();
        }
    }

    /// Whether it has become too small, too large or singular.
    pub(super) fn is_degenerate(&self, first_sigma: f64) -> bool {
        let longest = self.lengths.iter().fold(0.0, |most: f64, &x| most.max(x));
        let reach = self.sigma * longest;
        // Written so that NaN counts as degenerate.
        let usable = reach > LEAST_SIGMA * first_sigma
            && reach < MOST_SIGMA
            && self.condition < MOST_CONDITION;
        !usable
    }

    fn axes(&self) -> impl Iterator<Item = &[f64]> {
        self.axes.chunks_exact(self.mean.len())
    }

    fn recombined(&self, steps: &[f64]) -> Vec<f64> {
        let n = self.mean.len();
        let mut mean = vec![0.0; n];
        let weighted = steps.chunks_exact(n).zip(&self.strategy.weights);
        for (step, weight) in weighted.take(self.strategy.mu) {
            add_scaled(&mut mean, *weight, step);
        }
        mean
    }

    /// C^(-1/2) times a step.
    fn whitened(&self, step: &[f64]) -> Vec<f64> {
        let mut whitened = vec![0.0; step.len()];
        for (axis, length) in self.axes().zip(&self.lengths) {
            add_scaled(&mut whitened, dot(axis, step) / length, axis);
        }
        whitened
    }

    fn squared_length(&self, step: &[f64]) -> f64 {
        let parts = self.axes().zip(&self.lengths);
        parts
            .map(|(axis, length)| dot(axis, step) / length)
            .map(|part| part * part)
            .sum()
    }

    fn follow_sigma_path(&mut self, step: &[f64]) {
        let whitened = self.whitened(step);
        let Strategy {
            c_sigma, mu_eff, ..
        } = self.strategy;
        let fresh = (c_sigma * (2.0 - c_sigma) * mu_eff).sqrt();
        self.sigma_path.iter_mut().for_each(|x| *x *= 1.0 - c_sigma);
        add_scaled(&mut self.sigma_path, fresh, &whitened);
    }

    /// Returns whether the update was stalled, as it is while sigma grows fast (the h_sigma of the tutorial).
    fn follow_covariance_path(&mut self, step: &[f64]) -> bool {
        let Strategy {
            c_sigma,
            c_c,
            mu_eff,
            chi,
            ..
        } = self.strategy;
        let n = step.len() as f64;
        let age = 2.0 * (f64::from(self.generation) + 1.0);
        let warmth = (1.0 - libm::pow(1.0 - c_sigma, age)).sqrt();
        let stalled = self.path_length() / warmth >= (1.4 + 2.0 / (n + 1.0)) * chi;
        self.covariance_path
            .iter_mut()
            .for_each(|x| *x *= 1.0 - c_c);
        if !stalled {
            let fresh = (c_c * (2.0 - c_c) * mu_eff).sqrt();
            add_scaled(&mut self.covariance_path, fresh, step);
        }
        stalled
    }

    fn path_length(&self) -> f64 {
        dot(&self.sigma_path, &self.sigma_path).sqrt()
    }

    fn adapt_covariance(&mut self, steps: &[f64], stalled: bool) {
        let n = self.mean.len();
        let Strategy { c_1, c_mu, c_c, .. } = self.strategy;
        let factors = self.step_factors(steps);
        let made_up = if stalled { c_c * (2.0 - c_c) } else { 0.0 };
        let weights: f64 = self.strategy.weights.iter().sum();
        let keep = 1.0 - c_1 * (1.0 - made_up) - c_mu * weights;
        self.covariance.iter_mut().for_each(|x| *x *= keep);
        add_square(&mut self.covariance, c_1, &self.covariance_path);
        for (step, factor) in steps.chunks_exact(n).zip(factors) {
            add_square(&mut self.covariance, factor, step);
        }
        symmetrise(&mut self.covariance, n);
    }

    /// The factor of each step's outer product; steps of negative weight are scaled to average length, unless they have none, as that of a
    /// guest at the mean.
    fn step_factors(&self, steps: &[f64]) -> Vec<f64> {
        let n = self.mean.len();
        let weighted = steps.chunks_exact(n).zip(&self.strategy.weights);
        weighted
            .map(|(step, &weight)| {
                let scale = match self.squared_length(step) {
                    _ if weight >= 0.0 => 1.0,
                    0.0 => 0.0,
                    length => n as f64 / length,
                };
                self.strategy.c_mu * weight * scale
            })
            .collect()
    }

    fn adapt_sigma(&mut self) {
        let Strategy {
            c_sigma,
            damping,
            chi,
            ..
        } = self.strategy;
        let log_step = c_sigma / damping * (self.path_length() / chi - 1.0);
        self.sigma *= libm::exp(log_step.min(MOST_LOG_STEP));
    }

    fn decompose(&mut self) {
        let eigen = Eigen::of(&self.covariance, self.mean.len());
        let greatest = eigen.values.iter().copied().fold(0.0, f64::max);
        let least = eigen.values.iter().copied().fold(greatest, f64::min);
        self.stale = 0;
        self.condition = MOST_CONDITION;
        if least * MOST_CONDITION > greatest {
            self.condition = greatest / least;
            self.lengths = eigen.values.iter().map(|value| value.sqrt()).collect();
            self.axes = eigen.vectors;
        }
    }
}

/// Two standard normal numbers (Marsaglia's polar method, much faster than one at a time).
fn normal_pair(rng: &mut Stream) -> (f64, f64) {
    loop {
        let (x, y) = (uniform(rng, -1.0, 1.0), uniform(rng, -1.0, 1.0));
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            let stretch = (-2.0 * libm::log(square) / square).sqrt();
            return (x * stretch, y * stretch);
        }
    }
}

/// Adds a multiple of x x' to the lower triangle of a matrix.
fn add_square(matrix: &mut [f64], factor: f64, x: &[f64]) {
    let rows = matrix.chunks_exact_mut(x.len()).zip(x);
    for (diagonal, (row, &part)) in rows.enumerate() {
        add_scaled(&mut row[..=diagonal], factor * part, x);
    }
}

/// Copies the lower triangle of a matrix to the upper one.
fn symmetrise(matrix: &mut [f64], n: usize) {
    for row in 0..n {
        for column in 0..row {
            matrix[column * n + row] = matrix[row * n + column];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_guest_at_the_mean_does_not_end_the_search() {
        let mut distribution = Distribution::new(vec![0.5; 3], 0.3, 6);
        let mut rng = streams::stream(1, &[]);
        for _ in 0..20 {
            let guest = distribution.mean().to_vec();
            let mut steps = Vec::new();
            for _ in 0..5 {
                steps.extend(distribution.step(&distribution.draw(&mut rng)));
            }
            steps.extend(distribution.likely_step(&guest));
            distribution.update(&steps);
            assert!(!distribution.is_degenerate(0.3));
        }
    }
}
