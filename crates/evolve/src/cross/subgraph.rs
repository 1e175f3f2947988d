//! `subgraph`: a child combines active nodes of both parents, with the tail connected to the head's active nodes.
//!
//! Source: Kalkreuth, Rudolph and Droschinsky, "A new subgraph crossover for Cartesian genetic programming" (EuroGP 2017), with the
//! choices of the first author's implementation. For every child an active node of each parent is drawn. The parent whose
//! node is further left gives all genes up to that node, the other one the genes after it and the outputs. Then
//! - the first argument of the first active node of the tail becomes the last active node of the head, which joins the two;
//! - other arguments of the tail that would refer to an inactive node become an input or an active node, with equal probability;
//! - outputs that would refer to an inactive node become an active one.
//!
//! If a parent has no active nodes, the children are copies. For programs.

use rand_core::Rng;
use spec::{Kind, Spec, SpecError};
use streams::{Stream, below, chance};

use super::Cross;
use crate::cgp::{Active, Grid, grid_of};
use crate::genome::{Genome, Space};
use crate::operator::Operator;

/// Joins active nodes of both parents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Subgraph;

impl Operator for Subgraph {
    const KIND: Kind = Kind {
        name: "subgraph",
        about: "programs exchange active nodes, which are connected to each other",
        more: "Kalkreuth et al. 2017: cut at an active node; arguments that would refer to inactive nodes are connected to active ones. For programs.",
        parameters: &[],
    };

    fn read(_: &Spec) -> Result<Self, SpecError> {
        Ok(Self)
    }
}

impl Cross for Subgraph {
    fn suits(&self, space: &Space) -> Result<(), String> {
        grid_of(space).map(|_| ())
    }

    fn cross(&self, space: &Space, parents: [&Genome; 2], rng: &mut Stream) -> [Genome; 2] {
        let grid = grid_of(space).expect("the operator suits the space");
        let active = parents.map(|parent| Active::of(grid, parent).nodes().collect::<Vec<_>>());
        if active.iter().any(Vec::is_empty) {
            return parents.map(Clone::clone);
        }
        [(); 2].map(|()| {
            let [a, b] = [0, 1].map(|parent| Parent {
                genes: parents[parent].integers(),
                active: &active[parent],
                point: pick(&active[parent], rng),
            });
            let [head, tail] = if a.point <= b.point { [a, b] } else { [b, a] };
            Genome::Integers(joined(grid, &head, &tail, rng))
        })
    }
}

struct Parent<'a> {
    genes: &'a [u32],
    active: &'a [u32],
    /// The active node that was drawn.
    point: u32,
}

fn pick<R: Rng>(from: &[u32], rng: &mut R) -> u32 {
    from[below(rng, from.len() as u32) as usize]
}

/// The head's genes up to its point, then those of the tail, connected to active nodes.
fn joined(grid: &Grid, head: &Parent<'_>, tail: &Parent<'_>, rng: &mut Stream) -> Vec<u32> {
    let cut = grid.genes_of(head.point).end;
    let mut genes = [&head.genes[..cut], &tail.genes[cut..]].concat();
    let tail_nodes = tail.active.iter().filter(|&&node| node > head.point);
    let head_nodes = head.active.iter().filter(|&&node| node <= head.point);
    let active: Vec<u32> = head_nodes.chain(tail_nodes.clone()).copied().collect();
    if let Some(&first) = tail_nodes.clone().next() {
        let argument = grid.genes_of(first).start + 1;
        let neighbour = grid.inputs() + head.point;
        // A node in the same column, or further away than levels-back, is out of reach.
        if grid.place(argument, neighbour).is_some() {
            genes[argument] = neighbour;
        }
    }
    for &node in tail_nodes {
        for argument in grid.genes_of(node).skip(1) {
            if !is_live(grid, &active, genes[argument]) {
                genes[argument] = live_argument(grid, &active, node, rng);
            }
        }
    }
    for output in &mut genes[grid.first_output()..] {
        if !is_live(grid, &active, *output) {
            *output = grid.inputs() + pick(&active, rng);
        }
    }
    genes
}

/// Whether this is an input or an active node.
fn is_live(grid: &Grid, active: &[u32], address: u32) -> bool {
    let node = address.checked_sub(grid.inputs());
    node.is_none_or(|node| active.binary_search(&node).is_ok())
}

/// An input or an active node that `node` can reach, with equal probability.
fn live_argument(grid: &Grid, active: &[u32], node: u32, rng: &mut Stream) -> u32 {
    let reach = grid.reach(node);
    let [first, last] =
        [reach.start, reach.end].map(|end| active.partition_point(|&node| node < end));
    let reachable = &active[first..last];
    if reachable.is_empty() || chance(rng, 0.5) {
        below(rng, grid.inputs())
    } else {
        grid.inputs() + pick(reachable, rng)
    }
}
