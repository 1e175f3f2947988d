//! The transposition table: bounds of scores by position, in buckets of four slots.
//!
//! A search begins with a table that fits the first-level cache and lets it grow, up to the configured
//! size, as it fills: easy positions never touch much memory. Clearing is a step of the generation;
//! slots of other generations count as empty. Both make the answer and the nodes of a search
//! independent of what was solved before.
//!
//! Positions with few moves left have a table of their own that keeps the latest: they are many and quickly searched again, and
//! memory beyond the processor's caches takes longer to answer than the search of some of them.

use bytemuck::Zeroable;

use super::slot::{Record, Slot, Widths};
use crate::network::{Floats, prefetch};

pub(super) const SLOTS: usize = 4;

/// How many times larger the table becomes when it grows, as a binary logarithm.
const GROWTH: u32 = 2;

/// The bytes of a small table, which stays in the processor's second-level cache.
const SMALL: usize = 1 << 17;

/// Slots that share a home. Memory of large pages begins where a page begins, so that small ones never straddle a cache line.
type Bucket<S> = [S; SLOTS];

/// The table.
#[derive(Debug)]
pub(super) struct Table<S: Slot> {
    buckets: Floats<Bucket<S>>,
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
            buckets: Floats::zeroed(1 << fewest_bits).expect("there is memory for a small table"),
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

    /// A small table that neither grows nor becomes smaller, to be filled by [`Table::put_latest`].
    pub(super) fn small(key_bits: u32) -> Self {
        let bits = (SMALL / size_of::<Bucket<S>>()).ilog2();
        let bits = bits.max(S::fewest_bits(key_bits));
        Self {
            buckets: Floats::zeroed(1 << bits).expect("there is memory for a small table"),
            fewest_bits: bits,
            most_bits: bits,
            bits,
            ..Self::new(key_bits, 0)
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
            self.buckets.entries_mut().fill(Zeroable::zeroed());
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
        let slots = &self.buckets.entries()[S::home(mixed, self.bits)];
        slots
            .iter()
            .find(|slot| slot.is_about(mixed, self.bits, self.widths, self.generation))
            .map(|slot| slot.record())
    }

    /// The position will soon be looked up.
    #[inline]
    pub(super) fn prefetch(&self, mixed: S::Mixed) {
        prefetch(self.buckets.entries(), S::home(mixed, self.bits));
    }

    /// Remembers bounds; both old and new ones hold, so they are joined.
    #[inline]
    pub(super) fn put(&mut self, mixed: S::Mixed, record: Record) {
        let (bits, widths, generation) = (self.bits, self.widths, self.generation);
        let slots = &mut self.buckets.entries_mut()[S::home(mixed, bits)];
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

    /// The same, but what gives way is what was put there first, whatever it cost.
    #[inline]
    pub(super) fn put_latest(&mut self, mixed: S::Mixed, record: Record) {
        let (bits, widths, generation) = (self.bits, self.widths, self.generation);
        let slots = &mut self.buckets.entries_mut()[S::home(mixed, bits)];
        let about = |slot: &S| slot.is_about(mixed, bits, widths, generation);
        if let Some(slot) = slots.iter_mut().find(|slot| about(slot)) {
            let record = joined(slot.record(), record);
            *slot = S::new(mixed, bits, widths, generation, record);
        } else {
            slots.rotate_right(1);
            slots[0] = S::new(mixed, bits, widths, generation, record);
        }
    }

    fn capacity(&self) -> usize {
        SLOTS << self.bits
    }

    /// Every bucket hands its slots to those buckets whose home begins with its own.
    fn grow(&mut self) {
        let (old, widths) = (self.bits, self.widths);
        let new = (old + GROWTH).min(self.most_bits);
        if self.buckets.entries().len() < 1 << new {
            let Ok(mut larger) = Floats::zeroed(1 << new) else {
                // It does with what memory there is.
                self.most_bits = old;
                return;
            };
            larger.entries_mut()[..1 << old].copy_from_slice(&self.buckets.entries()[..1 << old]);
            self.buckets = larger;
        }
        let buckets = self.buckets.entries_mut();
        for home in 0..1 << old {
            for slot in std::mem::replace(&mut buckets[home], Zeroable::zeroed()) {
                if slot.generation(widths) != self.generation {
                    continue;
                }
                let mixed = slot.mixed(home, old, widths);
                let to = &mut buckets[S::home(mixed, new)];
                let (place, _) = least_valuable(to, widths, self.generation);
                to[place] = S::new(mixed, new, widths, self.generation, slot.record());
            }
        }
        self.bits = new;
    }
}

impl<S: Slot> Clone for Table<S> {
    fn clone(&self) -> Self {
        let entries = self.buckets.entries();
        let mut buckets = Floats::zeroed(entries.len()).expect("there is memory for a copy");
        buckets.entries_mut().copy_from_slice(entries);
        Self { buckets, ..*self }
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

#[cfg(test)]
mod tests {
    use super::super::slot::Packed;
    use super::*;

    #[test]
    fn a_small_table_keeps_the_latest_and_joins_bounds() {
        let mut table = Table::<Packed>::small(49);
        let position = |number: u64| (number << table.bits) | 7;
        let positions: Vec<u64> = (0..=SLOTS as u64).map(position).collect();
        let at_least = |lower, work| Record {
            lower,
            upper: 18,
            work,
        };
        for (work, &position) in (0..).zip(&positions) {
            // The first one cost most.
            table.put_latest(position, at_least(-18, 9 - work));
        }
        assert_eq!(table.get(positions[0]), None);
        for &position in &positions[1..] {
            assert!(table.get(position).is_some());
        }
        table.put_latest(positions[1], at_least(3, 0));
        table.put_latest(positions[1], at_least(-5, 0));
        assert_eq!(table.get(positions[1]).map(|record| record.lower), Some(3));
        table.clear();
        assert_eq!(table.get(positions[1]), None);
    }
}
