//! Learners that share a network, one per thread.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use learn::{Alone, Exchange, Finished, Plan, PlanError, Training};

/// Steps between two looks at whether to stop: some hundredths of a second.
const STEPS: u64 = 4096;

/// Learners that together have all tables of a network. How many they are changes no number.
pub(super) struct Crew {
    learners: Vec<Box<dyn Training>>,
    /// Numbers that they exchange in a step, at most.
    exchanged: usize,
}

impl Crew {
    /// As many learners as there are threads, or tables.
    pub(super) fn new(plan: &Plan, seed: u64, threads: usize) -> Result<Self, PlanError> {
        let tables = plan.lookup()?.tables().len();
        let threads = threads.clamp(1, tables);
        let learners =
            (0..threads).map(|number| plan.learner(seed, share(number, threads, tables)));
        Ok(Self {
            learners: learners.collect::<Result<_, _>>()?,
            exchanged: plan.most_rows() * tables,
        })
    }

    /// Makes moves for a moment, or until this many games have ended. Games that end are added to `finished`.
    pub(super) fn advance(&mut self, games: u64, finished: &mut Vec<Finished>) {
        if let [learner] = self.learners.as_mut_slice() {
            return learner.advance(STEPS, games, &mut Alone, finished);
        }
        let meeting = Meeting::new(self.learners.len(), self.exchanged);
        let (first, others) = self.learners.split_first_mut().expect("at least one");
        std::thread::scope(|scope| {
            for learner in others {
                // All of them play the same games.
                scope.spawn(|| learner.advance(STEPS, games, &mut meeting.seat(), &mut Vec::new()));
            }
            first.advance(STEPS, games, &mut meeting.seat(), finished);
        });
    }

    /// Games that have ended so far.
    pub(super) fn ended(&self) -> u64 {
        self.learners[0].ended()
    }

    /// Moves made so far.
    pub(super) fn moves(&self) -> u64 {
        self.learners[0].moves()
    }

    /// The games in progress, to be saved.
    pub(super) fn games(&self) -> Vec<u8> {
        self.learners[0].games()
    }

    /// All tables, in their order.
    pub(super) fn tables(&self) -> impl Iterator<Item = &[u8]> {
        self.learners.iter().map(|learner| learner.tables())
    }

    /// Goes on with saved games and tables.
    pub(super) fn restore(
        &mut self,
        games: &[u8],
        tables: &mut dyn std::io::Read,
    ) -> std::io::Result<()> {
        for learner in &mut self.learners {
            learner
                .restore_games(games)
                .map_err(std::io::Error::other)?;
            tables.read_exact(learner.tables_mut())?;
        }
        Ok(())
    }

    /// Writes the weights of all tables, one after another.
    pub(super) fn weights(&self, mut to: &mut [f32]) {
        for learner in &self.learners {
            let count = learner.weights(to);
            to = &mut to[count..];
        }
    }
}

/// The tables of one of the learners.
fn share(number: usize, of: usize, tables: usize) -> Range<usize> {
    number * tables / of..(number + 1) * tables / of
}

/// Where learners meet in every step. Safe to spin at: they do the same work, so nobody waits long unless the machine is busy.
struct Meeting {
    learners: usize,
    /// How often one of them has come.
    arrived: AtomicUsize,
    /// What they bring, alternately in the first and in the second, so that nobody writes what another still reads.
    sums: [Vec<AtomicU32>; 2],
}

/// Looks at the others so often before the thread is given away.
const PATIENCE: u32 = 2000;

impl Meeting {
    fn new(learners: usize, exchanged: usize) -> Self {
        let numbers = || (0..exchanged).map(|_| AtomicU32::new(0)).collect();
        Self {
            learners,
            arrived: AtomicUsize::new(0),
            sums: [numbers(), numbers()],
        }
    }

    fn seat(&self) -> Seat<'_> {
        Seat {
            meeting: self,
            turn: 0,
        }
    }
}

/// The place of one learner.
struct Seat<'a> {
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
