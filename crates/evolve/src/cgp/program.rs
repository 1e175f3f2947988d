//! Executable programs: the active nodes of a genotype, renumbered from left to right.
//!
//! A cyclic program computes all its nodes several times. A connection to the left takes the value of this pass, any other one that of the
//! pass before; before the first pass all nodes are 0. Nothing is kept from one run to the next, so a program is a function of its inputs.

use super::active::Active;
use super::grid::Grid;
use super::value::Value;
use crate::genome::Genome;

/// A node to compute; `x` and `y` are registers.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Step<F> {
    function: F,
    x: u32,
    y: u32,
}

/// The phenotype of a genotype. Registers hold the inputs, then one result per step.
#[derive(Debug, Clone, PartialEq)]
pub struct Program<T: Value> {
    inputs: usize,
    steps: Vec<Step<T::Function>>,
    outputs: Vec<u32>,
    /// How often the steps of a cyclic program are computed.
    passes: Option<u32>,
}

impl<T: Value> Program<T> {
    /// The program of a legal genotype.
    ///
    /// # Panics
    /// If the grid's functions are not those of `T`, or the genotype is not one of the grid.
    #[must_use]
    pub fn new(grid: &Grid, genome: &Genome) -> Self {
        let functions = T::functions(grid.functions()).expect("functions of this kind of values");
        let inputs = grid.inputs() as usize;
        let genes = grid.node_genes(genome);
        let active = Active::of(grid, genome);
        let mut steps = Vec::with_capacity(active.count());
        // The register of every address. Those of inactive nodes are never read: only the unused second argument of a unary
        // function can refer to one.
        let mut registers = vec![0; inputs + genes.len()];
        registers[..inputs]
            .iter_mut()
            .zip(0..)
            .for_each(|(register, input)| *register = input);
        active
            .nodes()
            .zip(inputs as u32..)
            .for_each(|(node, register)| {
                registers[inputs + node as usize] = register;
            });
        active.nodes().for_each(|node| {
            let [function, x, y] = genes[node as usize].map(|gene| gene as usize);
            steps.push(Step {
                function: functions[function],
                x: registers[x],
                y: registers[y],
            });
        });
        let outputs = grid.output_addresses(genome).iter();
        let outputs = outputs.map(|&address| registers[address as usize]);
        Self {
            inputs,
            steps,
            outputs: outputs.collect(),
            passes: grid.passes(),
        }
    }

    /// Computes the outputs. `registers` is scratch space; reusing it avoids allocation.
    ///
    /// # Panics
    /// If there are not as many inputs or outputs as the grid has.
    #[inline]
    pub fn run(&self, inputs: &[T], registers: &mut Vec<T>, outputs: &mut [T]) {
        assert_eq!(inputs.len(), self.inputs, "one value per input");
        assert_eq!(outputs.len(), self.outputs.len(), "one place per output");
        registers.clear();
        registers.reserve(inputs.len() + self.steps.len());
        registers.extend(inputs.iter().map(|input| input.admitted()));
        match self.passes {
            None => self.compute(registers),
            Some(passes) => self.repeat(passes, registers),
        }
        for (output, &register) in outputs.iter_mut().zip(&self.outputs) {
            *output = registers[register as usize];
        }
    }

    #[inline]
    fn compute(&self, registers: &mut Vec<T>) {
        for step in &self.steps {
            let (x, y) = (registers[step.x as usize], registers[step.y as usize]);
            registers.push(T::apply(step.function, x, y));
        }
    }

    fn repeat(&self, passes: u32, registers: &mut Vec<T>) {
        registers.resize(self.inputs + self.steps.len(), T::ZERO);
        for _ in 0..passes {
            for (place, step) in (self.inputs..).zip(&self.steps) {
                let (x, y) = (registers[step.x as usize], registers[step.y as usize]);
                registers[place] = T::apply(step.function, x, y);
            }
        }
    }

    /// The outputs for these inputs; panics as [`run`](Self::run).
    #[must_use]
    pub fn evaluate(&self, inputs: &[T]) -> Vec<T>
    where
        T: Default,
    {
        let mut outputs = vec![T::default(); self.outputs.len()];
        self.run(inputs, &mut Vec::new(), &mut outputs);
        outputs
    }

    /// Number of nodes that are computed.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps.len()
    }
}

/// Computes the outputs of a program without cycles once, with all nodes up to the last output: that is faster than to find the active ones
/// first, as [`Program`] does.
pub(super) fn run_once<T: Value>(grid: &Grid, genome: &Genome, inputs: &[T], outputs: &mut [T]) {
    let functions = T::functions(grid.functions()).expect("functions of this kind of values");
    let addresses = grid.output_addresses(genome);
    let last = addresses.iter().copied().max().unwrap_or_default() as usize;
    let nodes = (last + 1).saturating_sub(inputs.len());
    let mut values = Vec::with_capacity(inputs.len() + nodes);
    values.extend(inputs.iter().map(|input| input.admitted()));
    for &[function, x, y] in &grid.node_genes(genome)[..nodes] {
        let (x, y) = (values[x as usize], values[y as usize]);
        values.push(T::apply(functions[function as usize], x, y));
    }
    for (output, &address) in outputs.iter_mut().zip(addresses) {
        *output = values[address as usize];
    }
}
