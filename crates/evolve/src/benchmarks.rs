//! Benchmark functions with known optima, and a loop that runs an optimiser on them.
//!
//! All are negated, so that more is better and 0 is the optimum (for `one_max` it is the number of bits).

use crate::candidate::Scores;
use crate::genome::Genome;
use crate::optimizer::Optimizer;

/// The number of evaluations until a score reaches `target`; none if `most` evaluations do not.
pub fn evaluations_to(
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
        let mut scores = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let score = score(&candidate.genome);
            evaluations += 1;
            if score >= target {
                return Some(evaluations);
            }
            scores.push(Scores {
                id: candidate.id,
                scores: vec![score],
            });
        }
        optimizer.tell(&scores).expect("these are asked for");
    }
    None
}

/// Minus the sum of squares; 0 at the origin.
#[must_use]
pub fn sphere(genome: &Genome) -> f64 {
    -genome.reals().iter().map(|x| x * x).sum::<f64>()
}

/// Minus the sum of 10^(6 i / (n - 1)) x^2, for at least two genes; 0 at the origin.
#[must_use]
pub fn ellipsoid(genome: &Genome) -> f64 {
    let x = genome.reals();
    let last = (x.len() - 1) as f64;
    let weight = |place: usize| libm::pow(10.0, 6.0 * place as f64 / last);
    -x.iter()
        .enumerate()
        .map(|(place, x)| weight(place) * x * x)
        .sum::<f64>()
}

/// Rosenbrock's function; 0 at (1, 1, ...).
#[must_use]
pub fn rosenbrock(genome: &Genome) -> f64 {
    let step = |pair: &[f64]| {
        let (off, rest) = (pair[1] - pair[0] * pair[0], 1.0 - pair[0]);
        100.0 * off * off + rest * rest
    };
    -genome.reals().windows(2).map(step).sum::<f64>()
}

/// Rastrigin's function; 0 at the origin.
#[must_use]
pub fn rastrigin(genome: &Genome) -> f64 {
    let hill = |x: &f64| x * x - 10.0 * libm::cos(2.0 * std::f64::consts::PI * x) + 10.0;
    -genome.reals().iter().map(hill).sum::<f64>()
}

/// The number of ones.
///
/// # Panics
/// If the genome is not made of bits.
#[must_use]
pub fn one_max(genome: &Genome) -> f64 {
    match genome {
        Genome::Bits(bits) => f64::from(bits.ones()),
        _ => panic!("expected a genome of bits"),
    }
}
