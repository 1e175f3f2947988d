//! What players that run a program share: its shape and its genotype as parameters of a spec.

use evolve::Genome;
use evolve::cgp::{FirstOutputs, FunctionSet, Grid, MOST_PASSES, Program, Shape};
use spec::{Parameter, Spec, SpecError};

/// Nodes per column.
pub(crate) const ROWS: Parameter = Parameter {
    name: "rows",
    default: "1",
    help: "rows of the grid of nodes",
};

/// Columns of nodes.
pub(crate) const COLUMNS: Parameter = Parameter {
    name: "columns",
    default: "100",
    help: "columns of the grid of nodes",
};

/// How far back connections reach.
pub(crate) const LEVELS_BACK: Parameter = Parameter {
    name: "levels-back",
    default: "all",
    help: "how many columns to the left a node can take its arguments from, or 'all'",
};

/// What nodes do.
pub(crate) const FUNCTIONS: Parameter = Parameter {
    name: "functions",
    default: "+,-,*,/,min,max",
    help: "what a node can do, by the numbers 0, 1, ... in the program",
};

/// Whether connections may lead anywhere.
pub(crate) const CYCLIC: Parameter = Parameter {
    name: "cyclic",
    default: "no",
    help: "no, or how often all nodes are computed for a move (1 to 1000): nodes may then take arguments from themselves and nodes further right, as \
           they were in the pass before (0 in the first)",
};

/// Where evolution begins.
pub(crate) const FIRST_OUTPUTS: Parameter = Parameter {
    name: "first-outputs",
    default: "any",
    help: "what the outputs of random programs name: any (input or node) or last-column (a node of it, as in the listing of 2048-cgp; \
           with one row all outputs are then equal)",
};

/// The genotype.
pub(crate) const PROGRAM: Parameter = Parameter {
    name: "program",
    default: "",
    help: "the genotype: function and two connections of every node, then the outputs",
};

const BEGINNINGS: [(&str, FirstOutputs); 2] = [
    ("any", FirstOutputs::Any),
    ("last-column", FirstOutputs::LastColumn),
];

/// The grid that a spec describes, for a player with this many inputs and outputs.
pub(crate) fn grid(spec: &Spec, inputs: u32, outputs: u32) -> Result<Grid, SpecError> {
    const MOST: u32 = evolve::cgp::MOST_NODES;
    let functions: FunctionSet = spec
        .value(&FUNCTIONS)
        .parse()
        .map_err(|error| spec.at(FUNCTIONS.name, format!("{error}")))?;
    if !matches!(functions, FunctionSet::Arithmetic(_)) {
        let problem =
            format!("functions = {functions}: a player computes with numbers, not with bits");
        return Err(spec.at(FUNCTIONS.name, problem));
    }
    let levels_back = match spec.value(&LEVELS_BACK) {
        "all" => None,
        _ => Some(spec.number(&LEVELS_BACK, 1..=MOST)?),
    };
    let passes = match spec.value(&CYCLIC) {
        "no" => None,
        text => {
            let passes = spec.number(&CYCLIC, 1..=MOST_PASSES);
            let allowed =
                || format!("cyclic = {text}: must be no, or a number from 1 to {MOST_PASSES}");
            Some(passes.map_err(|_| spec.at(CYCLIC.name, allowed()))?)
        }
    };
    let shape = Shape {
        inputs,
        outputs,
        rows: spec.number(&ROWS, 1..=MOST)?,
        columns: spec.number(&COLUMNS, 1..=MOST)?,
        levels_back,
        functions,
        first_outputs: spec.choice(&FIRST_OUTPUTS, &BEGINNINGS)?,
        passes,
    };
    Grid::new(shape).map_err(|error| spec.at(error.key, error.to_string()))
}

/// The program that a spec holds; without one, a program whose outputs are all the first input.
pub(crate) fn program(spec: &Spec, grid: &Grid) -> Result<Program<f64>, SpecError> {
    let genome = match spec.value(&PROGRAM) {
        "" => Genome::Integers(vec![0; grid.genes()]),
        text => grid
            .parse(text)
            .map_err(|error| spec.at(PROGRAM.name, format!("program: {error}")))?,
    };
    Ok(Program::new(grid, &genome))
}
