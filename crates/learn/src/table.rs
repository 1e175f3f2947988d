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
