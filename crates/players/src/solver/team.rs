//! What several solvers of one position share: bounds that one of them has found, and which positions they are searching.
//!
//! A slot is one word that holds a position exactly, with its bounds. So it is read and written whole without a lock: who comes second
//! may replace what another has just written, but nobody ever reads a bound of another position. All bounds hold, so the scores that
//! are proved are the same whoever finds them first.
//!
//! A solver that comes upon a move that another is searching tries the moves after it first; by then the other has often found what
//! the move is worth. This is what Jean-Christophe Weill describes as ABDADA, "The ABDADA distributed minimax search algorithm" (1996).

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::slot::{Record, Slot, Widths};
use super::table::{SLOTS, joined, least_valuable};

/// Places for positions that are being searched; a power of two, many more than a few solvers need.
const PLACES: usize = 1 << 12;

/// The generation of all slots: what is shared is never cleared.
const GENERATION: u32 = 1;

/// Solvers that work on one position at the same time share a team.
#[derive(Debug)]
pub struct Team {
    entries: u32,
    /// Made when the second solver joins in: most positions are solved before that.
    slots: OnceLock<Slots>,
    searched: Vec<AtomicU64>,
    has_members: AtomicBool,
}

#[derive(Debug)]
struct Slots {
    words: Vec<AtomicU64>,
    bits: u32,
    widths: Widths,
}

impl Team {
    /// A team that keeps up to 2^`entries` positions, of 8 bytes each.
    #[must_use]
    pub fn new(entries: u32) -> Self {
        Self {
            entries,
            slots: OnceLock::new(),
            searched: (0..PLACES).map(|_| AtomicU64::new(0)).collect(),
            has_members: AtomicBool::new(false),
        }
    }

    /// One more member, whose slots have these widths. From the second on there is something to share.
    pub(super) fn add<S: Slot>(&self, widths: Widths) {
        if !self.has_members.swap(true, Ordering::Relaxed) {
            return;
        }
        self.slots.get_or_init(|| {
            let bits = self.entries.saturating_sub(SLOTS.trailing_zeros());
            let bits = bits.max(S::fewest_bits(widths.key));
            Slots {
                words: (0..SLOTS << bits).map(|_| AtomicU64::new(0)).collect(),
                bits,
                widths,
            }
        });
    }

    /// What is known of a position.
    #[inline]
    pub(super) fn get<S: Slot>(&self, mixed: S::Mixed) -> Option<Record> {
        let slots = self.slots.get()?;
        slots.get::<S>(mixed)
    }

    /// Adds bounds to what is known.
    #[inline]
    pub(super) fn put<S: Slot>(&self, mixed: S::Mixed, record: Record) {
        if let Some(slots) = self.slots.get() {
            slots.put::<S>(mixed, record);
        }
    }

    /// Is somebody searching this position? Another one with the same hash may be taken for it, which costs a detour at most.
    #[inline]
    pub(super) fn is_searched(&self, hash: u64) -> bool {
        self.place(hash).load(Ordering::Relaxed) == hash
    }

    /// Somebody begins to search this position.
    #[inline]
    pub(super) fn begin(&self, hash: u64) {
        self.place(hash).store(hash, Ordering::Relaxed);
    }

    /// Its search is over.
    #[inline]
    pub(super) fn end(&self, hash: u64) {
        self.place(hash).store(0, Ordering::Relaxed);
    }

    fn place(&self, hash: u64) -> &AtomicU64 {
        &self.searched[hash as usize % PLACES]
    }
}

impl Slots {
    fn bucket<S: Slot>(&self, mixed: S::Mixed) -> &[AtomicU64] {
        let first = SLOTS * S::home(mixed, self.bits);
        &self.words[first..first + SLOTS]
    }

    fn get<S: Slot>(&self, mixed: S::Mixed) -> Option<Record> {
        let slots = self.bucket::<S>(mixed).iter();
        slots
            .map(|word| S::of_word(word.load(Ordering::Relaxed)))
            .find(|slot| slot.is_about(mixed, self.bits, self.widths, GENERATION))
            .map(Slot::record)
    }

    fn put<S: Slot>(&self, mixed: S::Mixed, record: Record) {
        let words = self.bucket::<S>(mixed);
        let slots: [S; SLOTS] =
            std::array::from_fn(|place| S::of_word(words[place].load(Ordering::Relaxed)));
        let same = slots
            .iter()
            .position(|slot| slot.is_about(mixed, self.bits, self.widths, GENERATION));
        let (place, record) = match same {
            Some(place) => (place, joined(slots[place].record(), record)),
            None => (least_valuable(&slots, self.widths, GENERATION).0, record),
        };
        let slot = S::new(mixed, self.bits, self.widths, GENERATION, record);
        words[place].store(slot.word(), Ordering::Relaxed);
    }
}
