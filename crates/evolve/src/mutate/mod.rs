//! Mutations: small random changes of a child. One file each.

use spec::{Parameter, Spec, SpecError};
use streams::{Stream, chance};

use crate::genome::{Genome, Range, Space};
use crate::operator::{operators, share_or};

/// Changes a genome.
pub trait Mutate {
    /// Checks that it works on genomes of this space; the error says why not.
    fn suits(&self, _space: &Space) -> Result<(), String> {
        Ok(())
    }

    /// Changes the genome within the space.
    fn mutate(&self, space: &Space, genome: &mut Genome, rng: &mut Stream);
}

operators! {
    "mutation",
    /// Any mutation.
    AnyMutation: Mutate {
        one_gene::OneGene,
        flip::Flip,
        replace::Replace,
        delta_absolute::DeltaAbsolute,
        delta_relative::DeltaRelative,
        gaussian::Gaussian,
        polynomial::Polynomial,
        single::Single,
        percentage::Percentage,
    }
}

/// The parameter of mutations that change every gene with some probability.
const RATE: Parameter = Parameter {
    name: "rate",
    default: "auto",
    help: "probability that a gene changes, 0 to 1; auto is 1 / genes, one gene on average",
};

/// The probability that a gene changes; none: 1 / genes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rate(Option<f64>);

impl Rate {
    fn read(spec: &Spec, parameter: &Parameter) -> Result<Self, SpecError> {
        share_or(spec, parameter, "auto").map(Self)
    }

    /// Calls `change` for every gene that is to change.
    fn pick(self, genes: usize, rng: &mut Stream, mut change: impl FnMut(usize, &mut Stream)) {
        let probability = self.0.unwrap_or(1.0 / genes as f64);
        for gene in 0..genes {
            if chance(rng, probability) {
                change(gene, rng);
            }
        }
    }

    /// Replaces every real gene that is to change by what `moved` returns, clamped to its range.
    fn move_genes(
        self,
        space: &Space,
        genome: &mut Genome,
        rng: &mut Stream,
        moved: impl Fn(f64, &Range, &mut Stream) -> f64,
    ) {
        let Space::Reals { ranges, .. } = space else {
            unreachable!("the space was checked beforehand");
        };
        let genes = genome.reals_mut();
        self.pick(genes.len(), rng, |gene, rng| {
            genes[gene] = space.confine(gene, moved(genes[gene], &ranges[gene], rng));
        });
    }
}
