//! Verification: is evolution as good as reference implementations, and do operators follow their distributions?
//!
//! - CMA-ES: evaluations to 1e-8 on three functions of ten genes, 100 seeds, against 121 runs of pycma 4.5 with the same start, by the
//!   Mann-Whitney test and A12.
//! - Cartesian genetic programming: evaluations to even parity of 3, 4 and 5 bits, 100 seeds each, against the median of
//!   CGP-Library, by the sign test.
//! - Selections, crossovers and mutations: the frequency of each outcome against its probability, by the chi-square test.
//!
//! A check passes if p > 0.01, and 0.35 < A12 < 0.65 where both samples are known. Seeds are fixed, so the answer is always the same.

mod operators;

use evolve::algorithm::{CmaEsConfig, Config, OnePlusLambdaConfig};
use evolve::benchmarks::{ellipsoid, evaluations_to, rosenbrock, sphere};
use evolve::cgp::benchmarks::Parity;
use evolve::operator::Chosen;
use evolve::{Genome, Noise, Optimizer, Space, median_high};
use rayon::prelude::*;
use serde::Serialize;

use play::stats::{a12, mann_whitney, sign_test};

/// The result of one check.
#[derive(Debug, Clone, Serialize)]
pub struct Check {
    /// What was measured.
    pub name: String,
    /// Our result as text.
    pub ours: String,
    /// The reference's.
    pub reference: String,
    /// The p-value of the difference.
    pub p: f64,
    /// The probability that ours needs more than the reference, if known.
    pub a12: Option<f64>,
}

impl Check {
    /// Is ours as good as the reference?
    #[must_use]
    pub fn holds(&self) -> bool {
        self.p > 0.01 && self.a12.is_none_or(|a12| 0.35 < a12 && a12 < 0.65)
    }
}

/// Runs all checks; `done` is called with each result.
pub fn verify(mut done: impl FnMut(&Check)) -> Vec<Check> {
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
        .inspect(|check| done(check))
        .collect()
}

/// One check to run.
type Measure = Box<dyn Fn() -> Check>;

/// Results of pycma.
struct Reference {
    name: &'static str,
    score: fn(&Genome) -> f64,
    /// First mean and standard deviation.
    start: (f64, f64),
    /// Evaluations to 1e-8 of pycma 4.5 in ten dimensions, seeds 1 to 21 and 100 to 199, its own stopping rules switched off.
    evaluations: [u32; 121],
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
    fn measure(&self) -> Check {
        let ours: Vec<f64> = (1..=100)
            .into_par_iter()
            .map(|seed| self.evaluations_of(seed))
            .collect();
        let reference = self.evaluations.map(f64::from);
        Check {
            name: self.name.to_owned(),
            ours: median_evaluations(&ours),
            reference: format!("{} (pycma 4.5)", median_evaluations(&reference)),
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

fn parity(bits: u32, median: f64) -> Check {
    let problem = Parity::new(bits, 100).expect("a grid of 100 nodes");
    let config = OnePlusLambdaConfig {
        lambda: 4,
        mutation: Some(Chosen::new("single").expect("a mutation of programs")),
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
    Check {
        name: format!("CGP, even parity of {bits} bits"),
        ours: median_evaluations(&ours),
        reference: format!("median {median} (CGP-Library)"),
        p: sign_test(above, below),
        a12: None,
    }
}

fn optimizer(config: &Config, space: Space, seed: u64) -> Optimizer {
    Optimizer::new(config, space, Noise::Keep, seed).expect("these settings are allowed")
}

fn median_evaluations(evaluations: &[f64]) -> String {
    let median = median_high(evaluations.iter().copied());
    format!("median {median} evaluations")
}

const SPHERE: [u32; 121] = [
    1360, 1305, 1303, 1409, 1456, 1283, 1203, 1423, 1464, 1336, 1367, 1361, 1281, 1349, 1471, 1263,
    1236, 1336, 1372, 1329, 1343, 1386, 1414, 1210, 1307, 1293, 1172, 1277, 1352, 1325, 1362, 1271,
    1302, 1321, 1270, 1299, 1352, 1392, 1361, 1207, 1375, 1349, 1343, 1297, 1192, 1301, 1328, 1342,
    1409, 1272, 1402, 1251, 1234, 1215, 1428, 1181, 1268, 1357, 1323, 1306, 1374, 1344, 1323, 1302,
    1463, 1423, 1418, 1301, 1301, 1358, 1294, 1314, 1398, 1222, 1342, 1315, 1403, 1438, 1225, 1311,
    1305, 1332, 1275, 1406, 1514, 1368, 1321, 1280, 1280, 1256, 1283, 1310, 1457, 1409, 1282, 1291,
    1278, 1213, 1274, 1314, 1295, 1301, 1346, 1388, 1172, 1379, 1343, 1389, 1416, 1360, 1293, 1394,
    1503, 1448, 1442, 1240, 1228, 1331, 1287, 1383, 1328,
];

const ELLIPSOID: [u32; 121] = [
    3977, 3643, 3843, 4209, 4153, 3943, 3917, 4037, 4050, 3898, 4075, 3681, 3838, 3922, 3985, 4070,
    4056, 3684, 4231, 3706, 3907, 4089, 3902, 4126, 3951, 4497, 3945, 3768, 4023, 4338, 3671, 3902,
    3983, 4015, 3830, 4360, 3754, 3874, 4098, 3961, 3903, 4132, 4000, 3958, 3890, 3752, 3953, 3861,
    4172, 3755, 3930, 3976, 3995, 3952, 4066, 4247, 3589, 3816, 4026, 4210, 3970, 3843, 3710, 4156,
    3874, 4197, 4302, 4084, 3914, 4235, 3848, 3554, 3665, 3986, 3921, 4146, 3929, 4129, 3994, 3686,
    4283, 3478, 3861, 3521, 3814, 4020, 3933, 4024, 4161, 4047, 4242, 4124, 3612, 3872, 4046, 3693,
    4001, 3957, 4068, 3554, 4115, 3737, 4383, 3859, 4327, 3763, 4226, 3881, 4138, 4268, 3824, 3939,
    3638, 3944, 3830, 3724, 4058, 4002, 4013, 3964, 3957,
];

const ROSENBROCK: [u32; 121] = [
    4747, 4633, 4683, 4573, 4478, 4613, 4951, 4637, 5058, 4233, 4697, 4811, 4577, 4593, 4557, 4738,
    4314, 4767, 4848, 4678, 5122, 4802, 4878, 4597, 5104, 4984, 4760, 4817, 4876, 4878, 4904, 4914,
    4646, 4853, 4496, 4903, 4617, 5093, 4855, 4779, 4947, 5167, 4762, 5705, 4868, 4974, 4954, 5282,
    4592, 4869, 5084, 4875, 5089, 4878, 5136, 4948, 4711, 4878, 5170, 4878, 5024, 4484, 4947, 5176,
    4662, 4318, 5200, 4414, 4346, 4682, 4775, 4679, 4256, 5066, 4357, 4683, 5196, 4682, 4603, 4575,
    4696, 4617, 4880, 4953, 4809, 4653, 4715, 4876, 4573, 5050, 4791, 4593, 4715, 4718, 5076, 4894,
    4976, 4805, 4643, 4677, 4971, 5280, 4830, 4643, 4782, 4660, 4740, 4914, 5058, 4812, 4548, 4648,
    4751, 4619, 4973, 4512, 4526, 4492, 4840, 4909, 4604,
];
