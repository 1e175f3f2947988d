//! Crossovers: how two parents make two children. One file each.

use streams::Stream;

use crate::genome::{Bits, Genome, Space};
use crate::operator::operators;

/// Makes two children from two parents.
pub trait Cross {
    /// Checks that it works on genomes of this space; the error says why not.
    fn suits(&self, _space: &Space) -> Result<(), String> {
        Ok(())
    }

    /// Two children.
    fn cross(&self, space: &Space, parents: [&Genome; 2], rng: &mut Stream) -> [Genome; 2];
}

operators! {
    "crossover",
    /// Any crossover.
    AnyCrossover: Cross {
        uniform::Uniform,
        one_point::OnePoint,
        two_point::TwoPoint,
        arithmetic::Arithmetic,
        blend::Blend,
        swap_blend::SwapBlend,
        sbx::Sbx,
        cut_node::CutNode,
        uniform_nodes::UniformNodes,
        subgraph::Subgraph,
    }
}

/// Two children that exchange everything from the gene `cut` on.
fn exchange_tails([a, b]: [&Genome; 2], cut: usize) -> [Genome; 2] {
    b.exchange(a, &Bits::ones_from(a.genes(), cut))
}

/// Two children with real genes; `genes` maps both parents' values to both children's, which are then clamped to their range.
fn gene_by_gene(
    space: &Space,
    [a, b]: [&Genome; 2],
    mut genes: impl FnMut(f64, f64) -> [f64; 2],
) -> [Genome; 2] {
    let parents = a.reals().iter().zip(b.reals()).enumerate();
    let (first, second) = parents
        .map(|(gene, (&a, &b))| genes(a, b).map(|value| space.confine(gene, value)).into())
        .unzip();
    [first, second].map(Genome::Reals)
}
