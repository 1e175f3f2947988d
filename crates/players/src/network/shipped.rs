//! The network that comes with the program: the small one of `gamete train 2048`.
//!
//! Most of its entries were never met and are 0, so the file has the others only: again and again how many entries are passed over, how many
//! follow, and these, all little-endian. `play/examples/ship_network.rs` makes it from a network's file.

use std::sync::LazyLock;

use games::registry;

use super::{AnyLookup, AnyNetwork, Floats, Shape};

/// The entries that are not 0.
static SMALL: &[u8] = include_bytes!("small.weights");

/// The network that values boards of 4x4 where no other is named.
pub(crate) fn small() -> &'static AnyNetwork {
    static NETWORK: LazyLock<AnyNetwork> = LazyLock::new(|| {
        let game = registry::build("2048", &games::Options::default()).expect("default rules");
        let lookup = AnyLookup::new(&game, &Shape::of("small")).expect("a named set");
        let mut weights = Floats::zeroed(lookup.tables().iter().sum()).expect("a megabyte");
        unpack(SMALL, weights.entries_mut());
        lookup.with(weights)
    });
    &NETWORK
}

fn unpack(packed: &[u8], weights: &mut [f32]) {
    let (mut words, rest) = packed.as_chunks::<4>();
    assert!(rest.is_empty(), "whole words");
    let mut place = 0;
    while let [skipped, count, others @ ..] = words {
        place += u32::from_le_bytes(*skipped) as usize;
        let (entries, others) = others.split_at(u32::from_le_bytes(*count) as usize);
        for entry in entries {
            weights[place] = f32::from_le_bytes(*entry);
            place += 1;
        }
        words = others;
    }
}

/// The form in which a network comes with the program.
#[must_use]
pub fn pack(weights: &[f32]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut place = 0;
    while place < weights.len() {
        let zeros = weights[place..]
            .iter()
            .take_while(|weight| **weight == 0.0)
            .count();
        let met = &weights[place + zeros..];
        let met = &met[..met.iter().take_while(|weight| **weight != 0.0).count()];
        for count in [zeros, met.len()] {
            packed.extend((count as u32).to_le_bytes());
        }
        met.iter()
            .for_each(|weight| packed.extend(weight.to_le_bytes()));
        place += zeros + met.len();
    }
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        for weights in [
            vec![0.0, 0.0, 1.5, -2.0, 0.0, 3.0],
            vec![1.0, 0.0],
            vec![0.0; 3],
        ] {
            let mut found = vec![0.0; weights.len()];
            unpack(&pack(&weights), &mut found);
            assert_eq!(found, weights);
        }
    }

    #[test]
    fn the_network_is_small() {
        assert!(SMALL.len() < 1_000_000, "{}", SMALL.len());
        let met = small()
            .weights()
            .iter()
            .filter(|weight| **weight != 0.0)
            .count();
        assert!(met > 50_000, "{met}");
    }
}
