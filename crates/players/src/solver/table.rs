//! The transposition table: bounds of scores by position, in buckets of four slots.
//!
//! A search begins with a table that fits the first-level cache and lets it grow, up to the configured
//! size, as it fills: easy positions never touch much memory. Clearing is a step of the generation;
//! slots of other generations count as empty. Both make the answer and the nodes of a search
//! independent of what was solved before.

use super::slot::{Record, Slot, Widths};

pub(super) const SLOTS: usize = 4;

/// How many times larger the table becomes when it grows, as a binary logarithm.
const GROWTH: u32 = 2;

/// Slots that share a home; aligned, so that small ones never straddle a cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
struct Bucket<S>([S; SLOTS]);

/// The table.
#[derive(Debug, Clone)]
pub(super) struct Table<S> {
    buckets: Vec<Bucket<S>>,
    widths: Widths,
    fewest_bits: u32,
    most_bits: u32,
    bits: u32,
    generation: u32,
    filled: usize,
}

impl<S: Slot> Table<S> {
    /// An empty table for keys of that many bits that never holds more than 2^`entries` slots (or the
    /// fewest with which the keys fit).
    pub(super) fn new(key_bits: u32, entries: u32) -> Self {
        let fewest_bits = S::fewest_bits(key_bits);
        Self {
            buckets: vec![Bucket([S::EMPTY; SLOTS]); 1 << fewest_bits],
            widths: S::widths(key_bits),
            fewest_bits,
            most_bits: entries
                .saturating_sub(SLOTS.trailing_zeros())
                .max(fewest_bits),
            bits: fewest_bits,
            generation: 1,
            filled: 0,
        }
    }

    /// How slots are cut up.
    pub(super) fn widths(&self) -> Widths {
        self.widths
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.bits = self.fewest_bits;
        self.filled = 0;
        self.generation += 1;
        if self.generation >> self.widths.generation > 0 {
            self.buckets.fill(Bucket([S::EMPTY; SLOTS]));
            self.generation = 1;
        }
    }

    /// Where a position belongs; computed once for looking up and storing.
    #[inline]
    pub(super) fn mix(&self, key: S::Key) -> S::Mixed {
        S::mix(key, self.widths)
    }

    /// What is known of a position.
    #[inline]
    pub(super) fn get(&self, mixed: S::Mixed) -> Option<Record> {
        let Bucket(slots) = &self.buckets[S::home(mixed, self.bits)];
        slots
            .iter()
            .find(|slot| slot.is_about(mixed, self.bits, self.widths, self.generation))
            .map(|slot| slot.record())
    }

    /// Remembers bounds; both old and new ones hold, so they are joined.
    #[inline]
    pub(super) fn put(&mut self, mixed: S::Mixed, record: Record) {
        let (bits, widths, generation) = (self.bits, self.widths, self.generation);
        let Bucket(slots) = &mut self.buckets[S::home(mixed, bits)];
        let same = slots
            .iter_mut()
            .find(|slot| slot.is_about(mixed, bits, widths, generation));
        if let Some(slot) = same {
            let record = joined(slot.record(), record);
            *slot = S::new(mixed, bits, widths, generation, record);
            return;
        }
        let (place, was_free) = least_valuable(slots, widths, generation);
        slots[place] = S::new(mixed, bits, widths, generation, record);
        self.filled += usize::from(was_free);
        if self.filled * 2 > self.capacity() && self.bits < self.most_bits {
            self.grow();
        }
    }

    fn capacity(&self) -> usize {
        SLOTS << self.bits
    }

    /// Every bucket hands its slots to those buckets whose home begins with its own.
    fn grow(&mut self) {
        let (old, widths) = (self.bits, self.widths);
        let new = (old + GROWTH).min(self.most_bits);
        if self.buckets.len() < 1 << new {
            self.buckets.resize(1 << new, Bucket([S::EMPTY; SLOTS]));
        }
        for home in 0..1 << old {
            let Bucket(slots) =
                std::mem::replace(&mut self.buckets[home], Bucket([S::EMPTY; SLOTS]));
            for slot in slots {
                if slot.generation(widths) != self.generation {
                    continue;
                }
                let mixed = slot.mixed(home, old, widths);
                let Bucket(to) = &mut self.buckets[S::home(mixed, new)];
                let (place, _) = least_valuable(to, widths, self.generation);
                to[place] = S::new(mixed, new, widths, self.generation, slot.record());
            }
        }
        self.bits = new;
    }
}

/// Both hold.
#[inline]
pub(super) fn joined(old: Record, new: Record) -> Record {
    Record {
        lower: new.lower.max(old.lower),
        upper: new.upper.min(old.upper),
        work: new.work.max(old.work),
    }
}

/// The slot to give up: a free one, else the one that cost the least work; and whether it is free.
#[inline]
pub(super) fn least_valuable<S: Slot>(
    slots: &[S; SLOTS],
    widths: Widths,
    generation: u32,
) -> (usize, bool) {
    let mut least = (0, u32::MAX);
    for (place, slot) in slots.iter().enumerate() {
        if slot.generation(widths) != generation {
            return (place, true);
        }
        let work = slot.record().work;
        if work < least.1 {
            least = (place, work);
        }
    }
    (least.0, false)
}
