//! Active nodes: those reachable from the outputs.

use super::grid::{ARITY, Gene, Grid};
use crate::genome::Genome;

/// The active nodes of a genotype. Nodes are counted from 0.
///
/// One bit per address, including inputs: only active nodes take time, and no branch depends on where a connection leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Active {
    inputs: u32,
    words: Vec<u64>,
}

impl Active {
    /// The active nodes of a legal genotype.
    #[must_use]
    pub fn of(grid: &Grid, genome: &Genome) -> Self {
        let inputs = grid.inputs();
        let genes = grid.node_genes(genome);
        let mut words = vec![0; (inputs as usize + genes.len()).div_ceil(64)];
        for &address in grid.output_addresses(genome) {
            reach(&mut words, address, 0);
        }
        if grid.passes().is_some() {
            follow_cycles(grid, genes, &mut words);
            return Self { inputs, words };
        }
        // Each node waits for the one before it, and would wait for its function, too.
        if grid.all_take_two() {
            follow(inputs, genes, &mut words, |_| true);
        } else {
            follow(inputs, genes, &mut words, |function| {
                grid.takes_two(function)
            });
        }
        Self { inputs, words }
    }

    /// Whether a node is active.
    #[must_use]
    pub fn contains(&self, node: u32) -> bool {
        let address = self.inputs + node;
        self.words[address as usize / 64] >> (address % 64) & 1 == 1
    }

    /// Number of active nodes.
    #[must_use]
    pub fn count(&self) -> usize {
        let reached: u32 = self.words.iter().map(|word| word.count_ones()).sum();
        reached as usize - self.inputs().count()
    }

    /// The active nodes from left to right.
    pub fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        self.addresses()
            .filter_map(|address| address.checked_sub(self.inputs))
    }

    /// The inputs that are used.
    pub fn inputs(&self) -> impl Iterator<Item = u32> + '_ {
        self.addresses()
            .take_while(|&address| address < self.inputs)
    }

    fn addresses(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().zip(0..).flat_map(|(&word, place)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(64 * place + bit)
            })
        })
    }

    /// Whether a gene is part of the phenotype: an output, or used by an active node.
    #[must_use]
    pub fn has_gene(&self, grid: &Grid, genome: &Genome, gene: usize) -> bool {
        match grid.gene(gene) {
            Gene::Output { .. } => true,
            Gene::Function { node } => self.contains(node),
            Gene::Connection { node, argument } => {
                let [function, ..] = grid.node_genes(genome)[node as usize];
                self.contains(node) && (argument == 0 || grid.takes_two(function))
            }
        }
    }
}

/// Marks everything that the marked addresses lead to, from right to left: connections lead to the left, to nodes that are visited later.
#[inline(always)]
fn follow(
    inputs: u32,
    genes: &[[u32; 1 + ARITY]],
    words: &mut [u64],
    takes_two: impl Fn(u32) -> bool,
) {
    for word in (0..words.len()).rev() {
        let mut rest: u64 = words[word];
        while rest != 0 {
            let bit = 63 - rest.leading_zeros();
            let Some(node) = (64 * word as u32 + bit).checked_sub(inputs) else {
                // Inputs come before all nodes.
                break;
            };
            rest ^= 1 << bit;
            let [function, x, y] = genes[node as usize];
            let y = if takes_two(function) { y } else { x };
            rest |= reach(words, x, word) | reach(words, y, word);
        }
    }
}

/// Marks everything that the marked addresses lead to, in a program whose connections may lead anywhere.
fn follow_cycles(grid: &Grid, genes: &[[u32; 1 + ARITY]], words: &mut [u64]) {
    let all = 0..(64 * words.len()) as u32;
    let is_marked =
        |words: &[u64], address: u32| words[address as usize / 64] >> (address % 64) & 1 == 1;
    let mut open: Vec<u32> = all.filter(|&address| is_marked(words, address)).collect();
    while let Some(address) = open.pop() {
        let Some(node) = address.checked_sub(grid.inputs()) else {
            continue;
        };
        let [function, x, y] = genes[node as usize];
        let y = if grid.takes_two(function) { y } else { x };
        for argument in [x, y] {
            if !is_marked(words, argument) {
                reach(words, argument, 0);
                open.push(argument);
            }
        }
    }
}

/// Marks an address; returns its bit if it belongs to this word, else 0.
#[inline]
fn reach(words: &mut [u64], address: u32, word: usize) -> u64 {
    let bit = 1 << (address % 64);
    let place = address as usize / 64;
    words[place] |= bit;
    if place == word { bit } else { 0 }
}
