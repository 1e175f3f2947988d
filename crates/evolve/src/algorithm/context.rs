//! What an algorithm is given when it breeds, and what it returns.

use streams::{Stream, stream};

use crate::genome::{Genome, Space};
use crate::individual::Origin;

/// A genome that an algorithm proposes, before it has an id.
#[derive(Debug, Clone, PartialEq)]
pub struct Offspring {
    /// Its genes.
    pub genome: Genome,
    /// How it was made.
    pub origin: Origin,
    /// Ids of its parents.
    pub parents: Vec<u64>,
    /// Whether it was mutated.
    pub mutated: bool,
}

impl Offspring {
    /// A genome without parents.
    #[must_use]
    pub fn without_parents(genome: Genome, origin: Origin) -> Self {
        Self {
            genome,
            origin,
            parents: Vec::new(),
            mutated: false,
        }
    }
}

/// The generation at hand, and its random numbers.
#[derive(Debug, Clone, Copy)]
pub struct BreedContext<'a> {
    /// The space of the genomes.
    pub space: &'a Space,
    /// The generation that is being bred; 0 is the first.
    pub generation: u32,
    seed: u64,
}

impl<'a> BreedContext<'a> {
    /// The context of a generation; its random numbers are derived from `seed`.
    pub(crate) fn new(space: &'a Space, generation: u32, seed: u64) -> Self {
        Self {
            space,
            generation,
            seed,
        }
    }

    /// The generator for one slot. Its numbers do not depend on what happens in other slots.
    #[must_use]
    pub fn stream(&self, purpose: Purpose, slot: usize) -> Stream {
        stream(
            self.seed,
            &[u64::from(self.generation), purpose as u64, slot as u64],
        )
    }

    /// The same context with the random numbers of one island.
    #[must_use]
    pub fn on_island(&self, island: usize) -> Self {
        let seed = self.seed ^ (island as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self { seed, ..*self }
    }
}

/// What random numbers are used for: each purpose has its own stream.
#[derive(Debug, Clone, Copy)]
pub enum Purpose {
    /// Selecting parents.
    Select = 1,
    /// Making children.
    Breed = 2,
    /// Replacing individuals.
    Replace = 3,
}
