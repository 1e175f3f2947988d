//! Benchmark problems, with and without noise.

use evolve::{Candidate, Genome};
use streams::{normal, stream};

pub(crate) use evolve::benchmarks::{
    ellipsoid, evaluations_to, one_max, rastrigin, rosenbrock, sphere,
};

/// A score with noise of the given size, which depends only on the candidate and the game.
pub(crate) fn noisy(candidate: &Candidate, sd: f64, score: impl Fn(&Genome) -> f64) -> f64 {
    let mut rng = stream(
        1,
        &[
            candidate.id,
            candidate.generation.into(),
            candidate.games_before.into(),
        ],
    );
    score(&candidate.genome) + sd * normal(&mut rng)
}
