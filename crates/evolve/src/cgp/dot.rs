//! The active graph in Graphviz's DOT language, drawn from left to right.

use std::fmt::Write;

use super::active::Active;
use super::formula::Names;
use super::grid::Grid;
use crate::genome::Genome;

/// The active nodes with the inputs they use, and all outputs. Vertices are named by address; edges to functions of two
/// arguments are labelled with the argument.
#[must_use]
pub fn dot(grid: &Grid, genome: &Genome, names: &Names) -> String {
    let active = Active::of(grid, genome);
    let mut text = String::from("digraph program {\n  rankdir=LR;\n");
    for input in active.inputs() {
        let label = escaped(&names.inputs[input as usize]);
        line(
            &mut text,
            &format!("a{input} [label=\"{label}\", shape=box]"),
        );
    }
    for number in active.nodes() {
        let address = grid.inputs() + number;
        let node = grid.node(genome, number);
        line(
            &mut text,
            &format!("a{address} [label=\"{}\"]", node.kind.name),
        );
        for (argument, from) in node.arguments().iter().enumerate() {
            let label = match node.kind.arity {
                1 => String::new(),
                _ => format!(" [label={}]", argument + 1),
            };
            line(&mut text, &format!("a{from} -> a{address}{label}"));
        }
    }
    for (output, (name, from)) in names
        .outputs
        .iter()
        .zip(grid.output_addresses(genome))
        .enumerate()
    {
        let label = escaped(name);
        line(
            &mut text,
            &format!("o{output} [label=\"{label}\", shape=box, style=bold]"),
        );
        line(&mut text, &format!("a{from} -> o{output}"));
    }
    text.push_str("}\n");
    text
}

fn line(text: &mut String, statement: &str) {
    writeln!(text, "  {statement};").expect("writing to a string cannot fail");
}

fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"")
}
