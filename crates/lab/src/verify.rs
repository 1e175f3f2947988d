//! Yardsticks: is evolution as good as the best programs known, and do operators do what they say?
//!
//! - CMA-ES: evaluations to 1e-8 on three functions of ten genes, 21 seeds, beside pycma 4.5 with the same start, by Mann and
//!   Whitney's test and A12.
//! - Cartesian genetic programming: evaluations to even parity of 3, 4 and 5 bits, 100 seeds each, beside the median of
//!   CGP-Library, by the sign test.
//! - Selections, crossovers and mutations: how often each outcome comes, beside its probability, by the chi-square test.
//!
//! A yardstick holds if p > 0.01, and 0.35 < A12 < 0.65 where both samples are known. Seeds are fixed, so the answer is always the same.

mod operators;

use evolve::algorithm::{CmaEsConfig, Config, OnePlusLambdaConfig};
use evolve::cgp::yardstick::Parity;
use evolve::operator::Chosen;
use evolve::yardstick::{ellipsoid, evaluations_to, rosenbrock, sphere};
use evolve::{Genome, Noise, Optimizer, Space};
use rayon::prelude::*;
use serde::Serialize;

use crate::stats::{a12, mann_whitney, sign_test};

/// What a yardstick tells.
#[derive(Debug, Clone, Serialize)]
pub struct Yardstick {
    /// What was measured.
    pub name: String,
    /// Ours, as a person reads it.
    pub ours: String,
    /// The reference's.
    pub reference: String,
    /// How probable so large a difference is if there is none.
    pub p: f64,
    /// The probability that ours needs more than the reference, where that is known.
    pub a12: Option<f64>,
}

impl Yardstick {
    /// Is ours as good as the reference?
    #[must_use]
    pub fn holds(&self) -> bool {
        self.p > 0.01 && self.a12.is_none_or(|a12| 0.35 < a12 && a12 < 0.65)
    }
}

/// All yardsticks; `done` hears of each as it ends.
pub fn verify(mut done: impl FnMut(&Yardstick)) -> Vec<Yardstick> {
    let cma_es = CMA_ES
        .iter()
        .map(|reference| -> Measure { Box::new(|| reference.measure()) });
    let parity = PARITY
        .iter()
        .map(|&(bits, median)| -> Measure { Box::new(move || parity(bits, median)) });
    let operators = operators::measures();
    cma_es
        .chain(parity)
        .chain(operators)
        .map(|measure| measure())
        .inspect(|yardstick| done(yardstick))
        .collect()
}

/// One yardstick to be measured.
type Measure = Box<dyn Fn() -> Yardstick>;

/// What pycma needed.
struct Reference {
    name: &'static str,
    score: fn(&Genome) -> f64,
    /// First mean and standard deviation.
    start: (f64, f64),
    /// Evaluations to 1e-8 of pycma 4.5 with seeds 1 to 21 in ten dimensions.
    evaluations: [u32; 21],
}

const CMA_ES: [Reference; 3] = [
    Reference {
        name: "CMA-ES on the sphere",
        score: sphere,
        start: (1.0, 0.5),
        evaluations: SPHERE,
    },
    Reference {
        name: "CMA-ES on the ellipsoid",
        score: ellipsoid,
        start: (1.0, 0.5),
        evaluations: ELLIPSOID,
    },
    Reference {
        name: "CMA-ES on Rosenbrock's valley",
        score: rosenbrock,
        start: (0.1, 0.1),
        evaluations: ROSENBROCK,
    },
];

impl Reference {
    fn measure(&self) -> Yardstick {
        let ours: Vec<f64> = (1..=21)
            .into_par_iter()
            .map(|seed| self.evaluations_of(seed))
            .collect();
        let reference = self.evaluations.map(f64::from);
        Yardstick {
            name: self.name.to_owned(),
            ours: told(&ours),
            reference: format!("{} (pycma 4.5)", told(&reference)),
            p: mann_whitney(&ours, &reference),
            a12: Some(a12(&ours, &reference)),
        }
    }

    fn evaluations_of(&self, seed: u64) -> f64 {
        let (start, sigma) = self.start;
        let config = CmaEsConfig {
            start: Some(start),
            sigma,
            ..CmaEsConfig::default()
        };
        // Ranges of width one, so that the share of the range is the standard deviation itself.
        let space = Space::reals(10, 0.0, 1.0, false);
        let mut optimizer = optimizer(&Config::CmaEs(config), space, seed);
        let most = 100_000;
        evaluations_to(&mut optimizer, -1e-8, most, self.score).unwrap_or(most) as f64
    }
}

/// Median evaluations of CGP-Library in 100 runs: 100 nodes in a row, and, or, nand, nor, (1+4), single mutation.
const PARITY: [(u32, f64); 3] = [(3, 1663.0), (4, 7391.0), (5, 30_525.0)];

fn parity(bits: u32, median: f64) -> Yardstick {
    let problem = Parity::new(bits, 100).expect("a grid of 100 nodes");
    let config = OnePlusLambdaConfig {
        lambda: 4,
        mutation: Chosen::new("single").expect("a mutation of programs"),
    };
    let evaluations = |seed| {
        let space = Space::Program(problem.grid().clone());
        let mut optimizer = optimizer(&Config::OnePlusLambda(config.clone()), space, seed);
        let most = 10_000_000;
        evaluations_to(&mut optimizer, problem.perfect(), most, |genome| {
            problem.score(genome)
        })
        .unwrap_or(most) as f64
    };
    let ours: Vec<f64> = (1..=100).into_par_iter().map(evaluations).collect();
    let above = ours
        .iter()
        .filter(|&&evaluations| evaluations > median)
        .count() as u32;
    let below = ours
        .iter()
        .filter(|&&evaluations| evaluations < median)
        .count() as u32;
    Yardstick {
        name: format!("CGP, even parity of {bits} bits"),
        ours: told(&ours),
        reference: format!("median {median} (CGP-Library)"),
        p: sign_test(above, below),
        a12: None,
    }
}

fn optimizer(config: &Config, space: Space, seed: u64) -> Optimizer {
    Optimizer::new(config, space, Noise::Keep, seed).expect("these settings are allowed")
}

fn told(evaluations: &[f64]) -> String {
    let mut sorted = evaluations.to_vec();
    sorted.sort_by(f64::total_cmp);
    format!("median {} evaluations", sorted[sorted.len() / 2])
}

const SPHERE: [u32; 21] = [
    1360, 1305, 1303, 1409, 1456, 1283, 1203, 1423, 1464, 1336, 1367, 1361, 1281, 1349, 1471, 1263,
    1236, 1336, 1372, 1329, 1343,
];

const ELLIPSOID: [u32; 21] = [
    3977, 3643, 3843, 4209, 4153, 3943, 3917, 4037, 4050, 3898, 4075, 3681, 3838, 3922, 3985, 4070,
    4056, 3684, 4231, 3706, 3907,
];

const ROSENBROCK: [u32; 21] = [
    4747, 4633, 4683, 4573, 4478, 4613, 4951, 4637, 5058, 4233, 4697, 4811, 4577, 4593, 4557, 4738,
    4314, 4767, 4848, 4678, 5122,
];
