//! Benchmark problems with published results: even parity and Koza's polynomial.
//!
//! Grids have one row; more is better.

use super::grid::{FirstOutputs, Grid, GridError, Shape};
use super::program::{Program, run_once};
use super::set::FunctionSet;
use crate::genome::Genome;

/// Even parity of 2 to 6 bits: the output is 1 where the number of ones is even. All cases fit one word.
#[derive(Debug, Clone)]
pub struct Parity {
    grid: Grid,
    inputs: Vec<u64>,
    wanted: u64,
    cases: u32,
}

impl Parity {
    /// The usual setting: `bits` inputs, one row of `nodes`, functions and, or, nand, nor.
    ///
    /// # Panics
    /// If `bits` is not 2 to 6.
    pub fn new(bits: u32, nodes: u32) -> Result<Self, GridError> {
        assert!((2..=6).contains(&bits), "even parity of 2 to 6 bits");
        let cases = 1_u32 << bits;
        let column =
            |bit: u32| (0..cases).fold(0, |word, case| word | u64::from(case >> bit & 1) << case);
        let inputs: Vec<u64> = (0..bits).map(column).collect();
        Ok(Self {
            grid: one_row(bits, nodes, "and,or,nand,nor")?,
            wanted: !inputs.iter().fold(0, |odd, input| odd ^ input),
            inputs,
            cases,
        })
    }

    /// The grid of its programs.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The score of a correct program.
    #[must_use]
    pub fn perfect(&self) -> f64 {
        f64::from(self.cases)
    }

    /// Number of cases that a program gets right.
    #[must_use]
    pub fn score(&self, genome: &Genome) -> f64 {
        let mut outputs = [0];
        run_once(&self.grid, genome, &self.inputs, &mut outputs);
        let wrong = (outputs[0] ^ self.wanted) << (64 - self.cases);
        f64::from(self.cases - wrong.count_ones())
    }
}

/// Koza's first polynomial (1992): x^4 + x^3 + x^2 + x at -1, -0.9 ... 1, functions + - * /.
#[derive(Debug, Clone)]
pub struct Koza {
    grid: Grid,
}

impl Koza {
    /// The problem counts as solved at this score.
    pub const SOLVED: f64 = -0.01;

    /// With one row of `nodes`.
    pub fn new(nodes: u32) -> Result<Self, GridError> {
        let grid = one_row(1, nodes, "+,-,*,/")?;
        Ok(Self { grid })
    }

    /// The grid of its programs.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Minus the sum of the absolute errors.
    #[must_use]
    pub fn score(&self, genome: &Genome) -> f64 {
        let program = Program::new(&self.grid, genome);
        let (mut registers, mut outputs) = (Vec::new(), [0.0]);
        let mut error = |tenths: i32| {
            let x = f64::from(tenths) / 10.0;
            program.run(&[x], &mut registers, &mut outputs);
            (outputs[0] - x * (1.0 + x * (1.0 + x * (1.0 + x)))).abs()
        };
        let errors: f64 = (-10..=10).map(&mut error).sum();
        -errors.min(f64::MAX)
    }
}

fn one_row(inputs: u32, columns: u32, functions: &str) -> Result<Grid, GridError> {
    let functions: FunctionSet = functions.parse().expect("these functions are known");
    Grid::new(Shape {
        inputs,
        outputs: 1,
        rows: 1,
        columns,
        levels_back: None,
        functions,
        first_outputs: FirstOutputs::Any,
        passes: None,
    })
}
