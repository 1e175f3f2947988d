//! Programs as readable formulas, one per output.
//!
//! A node that is used more than once gets its own formula, named by its address (`n17`), and so does one whose text would make
//! another too long. So the text is never much longer than the program. In a cyclic program `before(n17)` is the value that the node had in the
//! pass before, 0 in the first.

use std::fmt;

use super::active::Active;
use super::function::Notation;
use super::grid::{Grid, Node};
use crate::genome::Genome;

/// A text longer than this, in characters, is not inlined.
const LONGEST: usize = 60;

/// Names of inputs and outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// The inputs.
    pub inputs: Vec<String>,
    /// The outputs.
    pub outputs: Vec<String>,
}

impl Names {
    /// Inputs x0, x1 ..., outputs y0, y1 ...
    #[must_use]
    pub fn numbered(grid: &Grid) -> Self {
        Self {
            inputs: (0..grid.inputs()).map(|n| format!("x{n}")).collect(),
            outputs: (0..grid.outputs()).map(|n| format!("y{n}")).collect(),
        }
    }
}

/// A formula: `y0 = x0 + n17`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    /// What is computed: an output, or a node that is used in other formulas.
    pub name: String,
    /// Its formula.
    pub expression: String,
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.expression)
    }
}

/// What a program computes: formulas of shared nodes, each before its first use, then one per output.
#[must_use]
pub fn formulas(grid: &Grid, genome: &Genome, names: &Names) -> Vec<Formula> {
    let active = Active::of(grid, genome);
    let uses = Uses::of(grid, genome, &active);
    let mut formulas = Vec::new();
    let mut terms: Vec<Term> = names.inputs.iter().cloned().map(Term::name).collect();
    terms.resize((grid.inputs() + grid.nodes()) as usize, Term::default());
    for node in active.nodes() {
        let address = (grid.inputs() + node) as usize;
        let term = Term::of(address, &grid.node(genome, node), &terms);
        terms[address] = if uses.needs_name(address, &term) {
            let name = format!("n{address}");
            formulas.push(Formula {
                name: name.clone(),
                expression: term.text,
            });
            Term::name(name)
        } else {
            term
        };
    }
    let outputs = names.outputs.iter().zip(grid.output_addresses(genome));
    formulas.extend(outputs.map(|(name, &address)| Formula {
        name: name.clone(),
        expression: terms[address as usize].text.clone(),
    }));
    formulas
}

/// A formula that may be inlined.
#[derive(Debug, Clone, Default)]
struct Term {
    text: String,
    /// Whether it needs brackets inside other operators.
    infix: bool,
}

impl Term {
    fn name(text: String) -> Self {
        Self { text, infix: false }
    }

    fn of(address: usize, node: &Node, terms: &[Self]) -> Self {
        let arguments = node.arguments().iter().map(|&argument| {
            if (argument as usize) < address {
                terms[argument as usize].clone()
            } else {
                Self::name(format!("before(n{argument})"))
            }
        });
        let name = node.kind.name;
        let infix = node.kind.notation == Notation::Infix;
        let text = if infix {
            let arguments: Vec<String> = arguments.map(|term| term.bracketed()).collect();
            arguments.join(&format!(" {name} "))
        } else {
            let arguments: Vec<String> = arguments.map(|term| term.text).collect();
            format!("{name}({})", arguments.join(", "))
        };
        Self { text, infix }
    }

    fn bracketed(&self) -> String {
        if self.infix {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

/// How often each address is used.
struct Uses {
    by_nodes: Vec<u32>,
    by_outputs: Vec<u32>,
    /// Whether a later pass needs it.
    later: Vec<bool>,
}

impl Uses {
    fn of(grid: &Grid, genome: &Genome, active: &Active) -> Self {
        let addresses = (grid.inputs() + grid.nodes()) as usize;
        let mut uses = Self {
            by_nodes: vec![0; addresses],
            by_outputs: vec![0; addresses],
            later: vec![false; addresses],
        };
        for node in active.nodes() {
            for &address in grid.node(genome, node).arguments() {
                uses.by_nodes[address as usize] += 1;
                uses.later[address as usize] |= address >= grid.inputs() + node;
            }
        }
        for &address in grid.output_addresses(genome) {
            uses.by_outputs[address as usize] += 1;
        }
        uses
    }

    fn needs_name(&self, address: usize, term: &Term) -> bool {
        let by_nodes = self.by_nodes[address];
        let is_shared = by_nodes + self.by_outputs[address] > 1;
        is_shared || self.later[address] || by_nodes == 1 && term.text.len() > LONGEST
    }
}
