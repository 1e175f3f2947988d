//! Where learners that share a network exchange what their tables add.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use learn::Exchange;

/// Where learners meet in every step. Safe to spin at: they do the same work, so nobody waits long unless the machine is busy.
pub(super) struct Meeting {
    learners: usize,
    /// How often one of them has come.
    arrived: AtomicUsize,
    /// What they bring, alternately in the first and in the second, so that nobody writes what another still reads.
    sums: [Vec<AtomicU32>; 2],
}

/// Looks at the others so often before the thread is given away.
const PATIENCE: u32 = 2000;

impl Meeting {
    pub(super) fn new(learners: usize, exchanged: usize) -> Self {
        let numbers = || (0..exchanged).map(|_| AtomicU32::new(0)).collect();
        Self {
            learners,
            arrived: AtomicUsize::new(0),
            sums: [numbers(), numbers()],
        }
    }

    /// A place for one learner.
    pub(super) fn seat(&self) -> Seat<'_> {
        Seat {
            meeting: self,
            turn: 0,
        }
    }
}

/// The place of one learner.
pub(super) struct Seat<'a> {
    meeting: &'a Meeting,
    turn: usize,
}

impl Exchange for Seat<'_> {
    fn exchange(&mut self, sums: &mut [f32], own: Range<usize>, tables: usize) {
        let shared = &self.meeting.sums[self.turn % 2];
        let rows = || sums.len() / tables;
        for row in 0..rows() {
            for place in own.clone().map(|table| row * tables + table) {
                shared[place].store(sums[place].to_bits(), Ordering::Relaxed);
            }
        }
        self.turn += 1;
        self.meeting.arrived.fetch_add(1, Ordering::AcqRel);
        let all = self.turn * self.meeting.learners;
        let mut looks = 0;
        while self.meeting.arrived.load(Ordering::Acquire) < all {
            looks += 1;
            match looks < PATIENCE {
                true => std::hint::spin_loop(),
                false => std::thread::yield_now(),
            }
        }
        for row in 0..rows() {
            let others = (0..own.start).chain(own.end..tables);
            for place in others.map(|table| row * tables + table) {
                sums[place] = f32::from_bits(shared[place].load(Ordering::Relaxed));
            }
        }
    }
}
