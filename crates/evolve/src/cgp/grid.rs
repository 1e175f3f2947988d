//! The shape of programs, and the legal values of their genes.

use std::ops::Range;

use rand_core::Rng;
use serde::{Deserialize, Serialize};
use streams::below;

use super::function::FunctionKind;
use super::set::FunctionSet;
use crate::genome::Genome;

/// Connection genes per node: the largest arity.
pub const ARITY: usize = 2;

/// Genes per node.
const NODE: usize = 1 + ARITY;

/// Maximum number of nodes.
pub const MOST_NODES: u32 = 65_536;

/// Maximum number of passes of a cyclic program.
pub const MOST_PASSES: u32 = 1000;

/// The parameters of a grid, unchecked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Shape {
    /// Number of inputs.
    pub inputs: u32,
    /// Number of outputs.
    pub outputs: u32,
    /// Nodes per column.
    pub rows: u32,
    /// Columns of nodes.
    pub columns: u32,
    /// How many columns to the left a connection can reach; all if not given.
    #[serde(default)]
    pub levels_back: Option<u32>,
    /// Functions of the nodes.
    pub functions: FunctionSet,
    /// What the outputs of random programs name.
    #[serde(default, skip_serializing_if = "FirstOutputs::is_any")]
    pub first_outputs: FirstOutputs,
    /// How often all nodes of a cyclic program are computed; if not given, connections lead to the left only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<u32>,
}

/// What the outputs of random programs name. Mutation may lead them anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstOutputs {
    /// Any input or node.
    #[default]
    Any,
    /// A node of the last column, as in the listing of 2048-cgp. With one row this is one node, so all outputs are equal.
    LastColumn,
}

impl FirstOutputs {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde hands over a reference"
    )]
    fn is_any(&self) -> bool {
        *self == Self::Any
    }
}

/// Why a shape is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key} = {value}: must be from 1 to {most}")]
pub struct GridError {
    /// The parameter.
    pub key: &'static str,
    /// What was given.
    pub value: u64,
    /// The largest value allowed.
    pub most: u32,
}

/// The shape of programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Shape", try_from = "Shape")]
pub struct Grid {
    inputs: u32,
    outputs: u32,
    rows: u32,
    columns: u32,
    levels_back: u32,
    functions: FunctionSet,
    first_outputs: FirstOutputs,
    passes: Option<u32>,
    /// Which functions take two arguments; cached from `functions` for decoding.
    two: Vec<bool>,
}

/// What a gene encodes. Nodes are counted from 0 here; a node's address is larger by the number of inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gene {
    /// The function of a node.
    Function {
        /// The node.
        node: u32,
    },
    /// The source of a node's argument.
    Connection {
        /// The node.
        node: u32,
        /// Which argument, from 0.
        argument: usize,
    },
    /// The source of an output.
    Output {
        /// Which output, from 0.
        output: u32,
    },
}

/// A node of a genotype.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// Its function.
    pub kind: &'static FunctionKind,
    connections: [u32; ARITY],
}

impl Node {
    /// Addresses of its arguments, as many as its function uses.
    #[must_use]
    pub fn arguments(&self) -> &[u32] {
        &self.connections[..self.kind.arity]
    }
}

impl Grid {
    /// The grid of a valid shape.
    pub fn new(shape: Shape) -> Result<Self, GridError> {
        let levels_back = shape.levels_back.unwrap_or(shape.columns);
        let nodes = u64::from(shape.rows) * u64::from(shape.columns);
        for (key, value, most) in [
            ("inputs", shape.inputs.into(), MOST_NODES),
            ("outputs", shape.outputs.into(), MOST_NODES),
            ("rows", shape.rows.into(), MOST_NODES),
            ("columns", shape.columns.into(), MOST_NODES),
            ("rows x columns", nodes, MOST_NODES),
            ("levels-back", levels_back.into(), shape.columns),
            ("passes", shape.passes.unwrap_or(1).into(), MOST_PASSES),
        ] {
            if !(1..=u64::from(most)).contains(&value) {
                return Err(GridError { key, value, most });
            }
        }
        let arities = (0..shape.functions.len()).map(|place| shape.functions.kind(place).arity);
        Ok(Self {
            two: arities.map(|arity| arity == 2).collect(),
            inputs: shape.inputs,
            outputs: shape.outputs,
            rows: shape.rows,
            columns: shape.columns,
            levels_back,
            functions: shape.functions,
            first_outputs: shape.first_outputs,
            passes: shape.passes,
        })
    }

    /// Number of inputs.
    #[must_use]
    pub fn inputs(&self) -> u32 {
        self.inputs
    }

    /// Number of outputs.
    #[must_use]
    pub fn outputs(&self) -> u32 {
        self.outputs
    }

    /// Nodes per column.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Columns of nodes.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// How many columns to the left a connection can reach.
    #[must_use]
    pub fn levels_back(&self) -> u32 {
        self.levels_back
    }

    /// How often all nodes of a cyclic program are computed; none if connections lead to the left only.
    #[must_use]
    pub fn passes(&self) -> Option<u32> {
        self.passes
    }

    /// Functions of the nodes.
    #[must_use]
    pub fn functions(&self) -> &FunctionSet {
        &self.functions
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.rows * self.columns
    }

    /// Number of genes: 3 per node, 1 per output.
    #[must_use]
    pub fn genes(&self) -> usize {
        self.first_output() + self.outputs as usize
    }

    /// What a gene encodes.
    #[must_use]
    pub fn gene(&self, gene: usize) -> Gene {
        if gene >= self.first_output() {
            let output = (gene - self.first_output()) as u32;
            return Gene::Output { output };
        }
        let node = (gene / NODE) as u32;
        match gene % NODE {
            0 => Gene::Function { node },
            connection => Gene::Connection {
                node,
                argument: connection - 1,
            },
        }
    }

    /// The genes of a node: its function, then its connections.
    #[must_use]
    pub fn genes_of(&self, node: u32) -> Range<usize> {
        let first = node as usize * NODE;
        first..first + NODE
    }

    /// The index of the first output gene.
    #[must_use]
    pub fn first_output(&self) -> usize {
        self.nodes() as usize * NODE
    }

    /// A node of a genotype.
    #[must_use]
    pub fn node(&self, genome: &Genome, node: u32) -> Node {
        let genes = &genome.integers()[self.genes_of(node)];
        Node {
            kind: self.functions.kind(genes[0] as usize),
            connections: [genes[1], genes[2]],
        }
    }

    /// The genes of all nodes, node by node.
    #[must_use]
    pub(super) fn node_genes<'a>(&self, genome: &'a Genome) -> &'a [[u32; NODE]] {
        genome.integers()[..self.first_output()].as_chunks().0
    }

    /// Whether all functions of the set take two arguments.
    #[must_use]
    pub(super) fn all_take_two(&self) -> bool {
        self.two.iter().all(|&two| two)
    }

    /// Whether a function of the set takes two arguments.
    #[must_use]
    pub(super) fn takes_two(&self, function: u32) -> bool {
        self.two[function as usize]
    }

    /// The addresses of the outputs of a genotype.
    #[must_use]
    pub fn output_addresses<'a>(&self, genome: &'a Genome) -> &'a [u32] {
        &genome.integers()[self.first_output()..]
    }

    /// The nodes that a node's connections can reach: those in the `levels_back` columns left of its own; in a cyclic program also
    /// those of its own column and of all columns to the right.
    #[must_use]
    pub fn reach(&self, node: u32) -> Range<u32> {
        // Most grids have one row, and the division would dominate.
        let column = match self.rows {
            1 => node,
            rows => node / rows,
        };
        let end = match self.passes {
            None => column * self.rows,
            Some(_) => self.nodes(),
        };
        column.saturating_sub(self.levels_back) * self.rows..end
    }

    /// The legal values of a gene.
    #[inline]
    pub(crate) fn legal(&self, gene: usize) -> Legal {
        let (count, skipped) = match self.gene(gene) {
            Gene::Function { .. } => (self.two.len() as u32, 0),
            Gene::Connection { node, .. } => {
                let reach = self.reach(node);
                (self.inputs + reach.len() as u32, reach.start)
            }
            Gene::Output { .. } => (self.inputs + self.nodes(), 0),
        };
        Legal {
            count,
            inputs: self.inputs,
            skipped,
        }
    }

    /// Number of legal values of a gene.
    #[must_use]
    pub fn values(&self, gene: usize) -> u32 {
        self.legal(gene).count
    }

    /// The legal value of a gene at an index in ascending order.
    #[must_use]
    pub fn value(&self, gene: usize, place: u32) -> u32 {
        self.legal(gene).value(place)
    }

    /// The indices among the legal values that a gene of a random program may have.
    #[must_use]
    pub(crate) fn first_places(&self, gene: usize) -> Range<u32> {
        let all = self.values(gene);
        match (self.gene(gene), self.first_outputs) {
            (Gene::Output { .. }, FirstOutputs::LastColumn) => all - self.rows..all,
            _ => 0..all,
        }
    }

    /// The index of a value among the legal ones; none if it is illegal.
    #[must_use]
    pub fn place(&self, gene: usize, value: u32) -> Option<u32> {
        let legal = self.legal(gene);
        let place = legal.place(value);
        (place < legal.count && legal.value(place) == value).then_some(place)
    }
}

/// The legal values of a gene, in ascending order: all below their number, but those from the inputs on are larger by what a connection skips.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Legal {
    /// How many there are.
    pub(crate) count: u32,
    inputs: u32,
    skipped: u32,
}

impl Legal {
    /// The value at an index.
    #[inline]
    fn value(self, place: u32) -> u32 {
        place + if place < self.inputs { 0 } else { self.skipped }
    }

    /// The index of a legal value.
    #[inline]
    fn place(self, value: u32) -> u32 {
        let skipped = if value < self.inputs { 0 } else { self.skipped };
        value.saturating_sub(skipped)
    }

    /// Another value than a legal one, all equally likely; itself if there is no other.
    #[inline]
    pub(crate) fn other<R: Rng>(self, value: u32, rng: &mut R) -> u32 {
        if self.count < 2 {
            return value;
        }
        let place = self.place(value) + 1 + below(rng, self.count - 1);
        // Not the remainder of a division, which would take longer than all else.
        self.value(if place < self.count {
            place
        } else {
            place - self.count
        })
    }
}

impl From<Grid> for Shape {
    fn from(grid: Grid) -> Self {
        Self {
            inputs: grid.inputs,
            outputs: grid.outputs,
            rows: grid.rows,
            columns: grid.columns,
            levels_back: Some(grid.levels_back),
            functions: grid.functions,
            first_outputs: grid.first_outputs,
            passes: grid.passes,
        }
    }
}

impl TryFrom<Shape> for Grid {
    type Error = GridError;

    fn try_from(shape: Shape) -> Result<Self, GridError> {
        Self::new(shape)
    }
}
