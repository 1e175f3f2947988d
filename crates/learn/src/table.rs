//! Where the weights of a table and what a method keeps of each lie in memory.
//!
//! Blocks of sixteen weights, a line of the cache, each followed by what is kept of them. Four in five lookups ask for weights alone and
//! find them close together; and what is kept, which is needed later, lies in the same page of memory.

use players::network::Floats;

use crate::method::Method;

/// The number of this layout, for saved tables.
pub const LAYOUT: u32 = 1;

/// Weights next to each other.
const BLOCK: usize = 16;

/// A table of zeros for so many entries.
pub(crate) fn zeroed<M: Method>(entries: usize) -> std::io::Result<Floats<f32>> {
    Floats::zeroed(floats::<M>(entries))
}

/// Numbers in a table of so many entries.
pub(crate) fn floats<M: Method>(entries: usize) -> usize {
    entries.next_multiple_of(BLOCK) * (1 + M::KEPT)
}

/// Where the weight of an entry lies.
#[inline]
pub(crate) fn place<M: Method>(entry: usize) -> usize {
    entry + entry / BLOCK * BLOCK * M::KEPT
}

/// Where that begins which is kept of the weight at a place.
#[inline]
pub(crate) fn kept<M: Method>(place: usize) -> usize {
    let in_block = place % BLOCK;
    place - in_block + BLOCK + in_block * M::KEPT
}

/// All weights of a table, in the order of their entries; the last ones may be of no entry.
pub(crate) fn weights<M: Method>(table: &[f32]) -> impl Iterator<Item = &f32> {
    let blocks = table.chunks_exact(BLOCK * (1 + M::KEPT));
    blocks.flat_map(|block| &block[..BLOCK])
}

/// Sets all weights.
pub(crate) fn fill<M: Method>(table: &mut [f32], weight: f32) {
    for block in table.chunks_exact_mut(BLOCK * (1 + M::KEPT)) {
        block[..BLOCK].fill(weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::{Coherence, Difference};

    /// Every number of a table belongs to one entry, and its weights come in the order of the entries.
    fn check<M: Method>(entries: usize) {
        let mut table = vec![0.0; floats::<M>(entries)];
        let all = entries.next_multiple_of(BLOCK);
        for entry in 0..all {
            let weight = place::<M>(entry);
            let kept = kept::<M>(weight);
            assert!(kept > weight, "a weight lies before what is kept of it");
            for number in std::iter::once(weight).chain(kept..kept + M::KEPT) {
                assert_eq!(table[number], 0.0, "{number} is of one entry alone");
                table[number] = 1.0 + entry as f32;
            }
        }
        assert!(!table.contains(&0.0));
        let weights: Vec<f32> = weights::<M>(&table).copied().collect();
        let expected: Vec<f32> = (0..all).map(|entry| 1.0 + entry as f32).collect();
        assert_eq!(weights, expected);
        fill::<M>(&mut table, 0.0);
        assert_eq!(table.iter().filter(|number| **number == 0.0).count(), all);
    }

    #[test]
    fn every_number_of_a_table_has_its_entry() {
        for entries in [1, 16, 17, 4096] {
            check::<Coherence>(entries);
            check::<Difference>(entries);
        }
    }
}
