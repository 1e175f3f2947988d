//! Genomes, and the spaces they come from.
//!
//! A space defines the number of genes and the legal values of each; a genome is a point in it. Symbols, integers and
//! programs are all integers with a range per gene.

mod bits;
pub mod decode;

use rand_core::Rng;
use serde::{Deserialize, Serialize};
use streams::{below, uniform};

pub use bits::Bits;

use crate::cgp::Grid;

/// A list of genes.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Genome {
    /// Bits.
    Bits(Bits),
    /// Symbols, or integers with a range per gene.
    Integers(Vec<u32>),
    /// Real numbers.
    Reals(Vec<f64>),
}

/// The range of a real gene.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// Lowest value.
    pub low: f64,
    /// Highest value.
    pub high: f64,
}

/// A set of genomes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Space {
    /// Bits.
    Bits {
        /// Number of bits.
        genes: usize,
    },
    /// Symbols of an alphabet 0..alphabet.
    Symbols {
        /// Number of symbols.
        genes: usize,
        /// Size of the alphabet.
        alphabet: u32,
    },
    /// Real numbers. Initial ones are drawn from their ranges; unless bounded, later ones may leave them.
    Reals {
        /// One range per gene.
        ranges: Vec<Range>,
        /// Whether a gene must stay in its range.
        bounded: bool,
    },
    /// Integers, each below its own bound.
    Integers {
        /// One bound per gene, at least 1.
        bounds: Vec<u32>,
    },
    /// Programs of Cartesian genetic programming.
    Program(Grid),
}

impl Space {
    /// Real numbers with a common range.
    #[must_use]
    pub fn reals(genes: usize, low: f64, high: f64, bounded: bool) -> Self {
        Self::Reals {
            ranges: vec![Range { low, high }; genes],
            bounded,
        }
    }

    /// Number of genes.
    #[must_use]
    pub fn genes(&self) -> usize {
        match self {
            Self::Bits { genes } | Self::Symbols { genes, .. } => *genes,
            Self::Reals { ranges, .. } => ranges.len(),
            Self::Integers { bounds } => bounds.len(),
            Self::Program(grid) => grid.genes(),
        }
    }

    /// Number of values of a discrete gene; `None` for real ones.
    #[must_use]
    pub fn values(&self, gene: usize) -> Option<u32> {
        match self {
            Self::Bits { .. } => Some(2),
            Self::Symbols { alphabet, .. } => Some(*alphabet),
            Self::Reals { .. } => None,
            Self::Integers { bounds } => Some(bounds[gene]),
            Self::Program(grid) => Some(grid.values(gene)),
        }
    }

    /// The legal value of a discrete gene at an index in ascending order. (The connections of a program's node may skip addresses.)
    pub(crate) fn value(&self, gene: usize, place: u32) -> u32 {
        match self {
            Self::Program(grid) => grid.value(gene, place),
            _ => place,
        }
    }

    /// The index of a value among the legal ones; none if it is illegal.
    fn place(&self, gene: usize, value: u32) -> Option<u32> {
        match self {
            Self::Program(grid) => grid.place(gene, value),
            _ => Some(value).filter(|&value| Some(value) < self.values(gene)),
        }
    }

    /// A random genome, every legal value of every gene equally likely; for the outputs of programs, every value that the grid
    /// lets them begin with.
    #[must_use]
    pub fn random<R: Rng>(&self, rng: &mut R) -> Genome {
        match self {
            Self::Bits { genes } => Genome::Bits(Bits::random(*genes, rng)),
            Self::Reals { ranges, .. } => Genome::Reals(
                ranges
                    .iter()
                    .map(|range| uniform(rng, range.low, range.high))
                    .collect(),
            ),
            Self::Program(grid) => {
                let mut first = |gene| {
                    let places = grid.first_places(gene);
                    grid.value(gene, places.start + below(rng, places.len() as u32))
                };
                Genome::Integers((0..grid.genes()).map(&mut first).collect())
            }
            Self::Symbols { .. } | Self::Integers { .. } => {
                let mut genome = Genome::Integers(vec![0; self.genes()]);
                (0..self.genes()).for_each(|gene| self.replace(&mut genome, gene, rng));
                genome
            }
        }
    }

    /// Checks that a genome belongs to the space; the error says what is wrong.
    pub fn check(&self, genome: &Genome) -> Result<(), String> {
        let genes = genome.genes();
        if genes != self.genes() {
            return Err(format!("{genes} genes; expected {}", self.genes()));
        }
        match (self, genome) {
            (Self::Bits { .. }, Genome::Bits(_)) => Ok(()),
            (Self::Reals { ranges, bounded }, Genome::Reals(genes)) => {
                let inside = |(gene, range): (&f64, &Range)| {
                    gene.is_finite() && (!bounded || (range.low..=range.high).contains(gene))
                };
                match genes.iter().zip(ranges).position(|both| !inside(both)) {
                    None => Ok(()),
                    Some(gene) => Err(format!("gene {gene} is {}, out of its range", genes[gene])),
                }
            }
            (
                Self::Symbols { .. } | Self::Integers { .. } | Self::Program(_),
                Genome::Integers(genes),
            ) => match (0..genes.len()).find(|&gene| self.place(gene, genes[gene]).is_none()) {
                None => Ok(()),
                Some(gene) => Err(format!("gene {gene} is {}, out of its range", genes[gene])),
            },
            _ => Err("genes of the wrong type".to_owned()),
        }
    }

    /// Gives a gene another legal value, all equally likely; a gene with a single legal value stays.
    pub fn change<R: Rng>(&self, genome: &mut Genome, gene: usize, rng: &mut R) {
        match genome {
            Genome::Bits(bits) => bits.flip(gene),
            Genome::Integers(genes) if let Self::Program(grid) = self => {
                genes[gene] = grid.legal(gene).other(genes[gene], rng);
            }
            Genome::Integers(genes) => {
                let values = self.values(gene).expect("these genes are discrete");
                if values > 1 {
                    let step = 1 + below(rng, values - 1);
                    let place = self.place(gene, genes[gene]).expect("the gene is legal");
                    genes[gene] = self.value(gene, (place + step) % values);
                }
            }
            Genome::Reals(_) => self.replace(genome, gene, rng),
        }
    }

    /// Redraws a gene, every legal value equally likely (including the old one).
    pub fn replace<R: Rng>(&self, genome: &mut Genome, gene: usize, rng: &mut R) {
        match (self, genome) {
            (Self::Reals { ranges, .. }, Genome::Reals(genes)) => {
                genes[gene] = uniform(rng, ranges[gene].low, ranges[gene].high);
            }
            (_, Genome::Bits(bits)) => bits.set(gene, below(rng, 2) == 1),
            (_, Genome::Integers(genes)) => {
                let values = self.values(gene).expect("these genes are discrete");
                genes[gene] = self.value(gene, below(rng, values));
            }
            (_, Genome::Reals(_)) => unreachable!("real genes in a space without them"),
        }
    }

    /// Clamps a real value to the gene's range if that is bounded.
    #[must_use]
    pub fn confine(&self, gene: usize, value: f64) -> f64 {
        match self {
            Self::Reals {
                ranges,
                bounded: true,
            } => value.clamp(ranges[gene].low, ranges[gene].high),
            _ => value,
        }
    }
}

impl Clone for Genome {
    fn clone(&self) -> Self {
        match self {
            Self::Bits(bits) => Self::Bits(bits.clone()),
            Self::Integers(genes) => Self::Integers(genes.clone()),
            Self::Reals(genes) => Self::Reals(genes.clone()),
        }
    }

    /// In the memory that this genome has: whoever tries one child after the other allocates nothing.
    fn clone_from(&mut self, other: &Self) {
        match (self, other) {
            (Self::Integers(genes), Self::Integers(others)) => genes.clone_from(others),
            (Self::Reals(genes), Self::Reals(others)) => genes.clone_from(others),
            (genome, other) => *genome = other.clone(),
        }
    }
}

impl Genome {
    /// Number of genes.
    #[must_use]
    pub fn genes(&self) -> usize {
        match self {
            Self::Bits(bits) => bits.len(),
            Self::Integers(genes) => genes.len(),
            Self::Reals(genes) => genes.len(),
        }
    }

    /// The real genes.
    ///
    /// # Panics
    /// If the genome has others: operators for real genes are checked against the space beforehand.
    #[must_use]
    pub fn reals(&self) -> &[f64] {
        match self {
            Self::Reals(genes) => genes,
            _ => panic!("expected a genome of real numbers"),
        }
    }

    /// The real genes, mutable; panics as [`reals`](Self::reals).
    pub fn reals_mut(&mut self) -> &mut [f64] {
        match self {
            Self::Reals(genes) => genes,
            _ => panic!("expected a genome of real numbers"),
        }
    }

    /// The integer genes; panics if the genome has others.
    #[must_use]
    pub fn integers(&self) -> &[u32] {
        match self {
            Self::Integers(genes) => genes,
            _ => panic!("expected a genome of integers"),
        }
    }

    /// The integer genes, mutable; panics as [`integers`](Self::integers).
    pub(crate) fn integers_mut(&mut self) -> &mut [u32] {
        match self {
            Self::Integers(genes) => genes,
            _ => panic!("expected a genome of integers"),
        }
    }

    /// Two complementary children: where the mask is set, the first has the genes of `self` and the second those of `other`;
    /// elsewhere vice versa.
    #[must_use]
    pub fn exchange(&self, other: &Self, mask: &Bits) -> [Self; 2] {
        match (self, other) {
            (Self::Bits(a), Self::Bits(b)) => a.exchange(b, mask).map(Self::Bits),
            (Self::Integers(a), Self::Integers(b)) => exchange(a, b, mask).map(Self::Integers),
            (Self::Reals(a), Self::Reals(b)) => exchange(a, b, mask).map(Self::Reals),
            _ => panic!("parents from different spaces"),
        }
    }
}

fn exchange<T: Copy>(a: &[T], b: &[T], mask: &Bits) -> [Vec<T>; 2] {
    let pick = |first: bool| {
        let genes = a.iter().zip(b).enumerate();
        genes
            .map(|(gene, (&a, &b))| if mask.get(gene) == first { a } else { b })
            .collect()
    };
    [pick(true), pick(false)]
}
