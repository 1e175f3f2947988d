//! Genotypes as text: function and connections of every node, each node followed by two spaces, then the outputs.

use super::grid::{Gene, Grid};
use crate::genome::Genome;

/// Why a text is not a genotype of a grid. Genes are counted from 0, nodes are named by address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GenotypeError {
    /// Too many genes, or too few.
    #[error(
        "{found} genes; expected {needed}: 3 for each of {nodes} nodes, then {outputs} for the outputs"
    )]
    Count {
        /// Genes in the text.
        found: usize,
        /// Genes of the grid.
        needed: usize,
        /// Nodes of the grid.
        nodes: u32,
        /// Outputs of the grid.
        outputs: u32,
    },
    /// A gene that the grid does not allow.
    #[error("gene {gene}, {what}, is '{word}': must be {allowed}")]
    Illegal {
        /// The gene's index.
        gene: usize,
        /// What it stands for.
        what: String,
        /// What was given.
        word: String,
        /// What is allowed.
        allowed: String,
    },
}

impl Grid {
    /// Parses a genotype; numbers are separated by any whitespace.
    pub fn parse(&self, text: &str) -> Result<Genome, GenotypeError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() != self.genes() {
            return Err(GenotypeError::Count {
                found: words.len(),
                needed: self.genes(),
                nodes: self.nodes(),
                outputs: self.outputs(),
            });
        }
        let words = words.into_iter().enumerate();
        let genes: Result<_, _> = words.map(|(gene, word)| self.read(gene, word)).collect();
        genes.map(Genome::Integers)
    }

    fn read(&self, gene: usize, word: &str) -> Result<u32, GenotypeError> {
        let value = word.parse().ok();
        value
            .filter(|&value| self.place(gene, value).is_some())
            .ok_or_else(|| GenotypeError::Illegal {
                gene,
                what: self.what(gene),
                word: word.to_owned(),
                allowed: self.allowed(gene),
            })
    }

    /// A genotype as text.
    #[must_use]
    pub fn print(&self, genome: &Genome) -> String {
        let mut text = String::new();
        for (gene, value) in genome.integers().iter().enumerate() {
            text.push_str(match self.gene(gene) {
                _ if gene == 0 => "",
                Gene::Function { .. } | Gene::Output { output: 0 } => "  ",
                _ => " ",
            });
            text.push_str(&value.to_string());
        }
        text
    }

    /// A description of a gene.
    fn what(&self, gene: usize) -> String {
        let address = |node| self.inputs() + node;
        match self.gene(gene) {
            Gene::Function { node } => format!("the function of node {}", address(node)),
            Gene::Connection { node, argument } => {
                format!("connection {} of node {}", argument + 1, address(node))
            }
            Gene::Output { output } => format!("output {output}"),
        }
    }

    /// A description of a gene's legal values.
    fn allowed(&self, gene: usize) -> String {
        let last = self.values(gene) - 1;
        match self.gene(gene) {
            Gene::Function { .. } => format!("from 0 to {last} ({})", self.functions()),
            Gene::Connection { node, .. } if self.reach(node).start > 0 => {
                let reach = self.reach(node);
                format!(
                    "an input, from 0 to {}, or a node, from {} to {}",
                    self.inputs() - 1,
                    self.inputs() + reach.start,
                    self.inputs() + reach.end - 1
                )
            }
            _ => format!("from 0 to {last}"),
        }
    }
}
