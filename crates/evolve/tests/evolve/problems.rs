//! Functions with known optima, and a loop that lets an optimiser loose on them.

use evolve::{Candidate, Genome, Optimizer, Told};
use streams::{normal, stream};

/// Runs until a score of at least `target` is told, and returns how many evaluations that took; none within `most`.
pub(crate) fn evaluations_to(
    optimizer: &mut Optimizer,
    target: f64,
    most: u64,
    score: impl Fn(&Genome) -> f64,
) -> Option<u64> {
    let mut evaluations = 0;
    while evaluations < most {
        let candidates = optimizer.ask();
        if candidates.is_empty() {
            return None;
        }
        let mut told = Vec::new();
        for candidate in candidates {
            let score = score(&candidate.genome);
            evaluations += 1;
            if score >= target {
                return Some(evaluations);
            }
            told.push(Told {
                id: candidate.id,
                scores: vec![score],
            });
        }
        optimizer.tell(&told).expect("they were asked for");
    }
    None
}

/// - sum of squares; 0 at the origin.
pub(crate) fn sphere(genome: &Genome) -> f64 {
    -genome.reals().iter().map(|x| x * x).sum::<f64>()
}

/// - sum of 10^(6 i / (n - 1)) x^2; 0 at the origin.
pub(crate) fn ellipsoid(genome: &Genome) -> f64 {
    let x = genome.reals();
    let last = (x.len() - 1) as f64;
    let weight = |place: usize| 10_f64.powf(6.0 * place as f64 / last);
    -x.iter()
        .enumerate()
        .map(|(place, x)| weight(place) * x * x)
        .sum::<f64>()
}

/// Rosenbrock's valley, turned over; 0 at (1, 1, ...).
pub(crate) fn rosenbrock(genome: &Genome) -> f64 {
    -genome
        .reals()
        .windows(2)
        .map(|pair| 100.0 * (pair[1] - pair[0] * pair[0]).powi(2) + (1.0 - pair[0]).powi(2))
        .sum::<f64>()
}

/// Rastrigin's egg box, turned over; 0 at the origin.
pub(crate) fn rastrigin(genome: &Genome) -> f64 {
    let hill = |x: &f64| x * x - 10.0 * (2.0 * std::f64::consts::PI * x).cos() + 10.0;
    -genome.reals().iter().map(hill).sum::<f64>()
}

/// Number of ones.
pub(crate) fn one_max(genome: &Genome) -> f64 {
    match genome {
        Genome::Bits(bits) => f64::from(bits.ones()),
        _ => unreachable!("the space is one of bits"),
    }
}

/// A score with noise of the given size, the same for the same candidate and game whoever asks.
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
