//! Learners that share a network, on as many threads as make it fastest.

use std::io;
use std::ops::Range;
use std::time::Instant;

use learn::{Alone, Finished, Plan, PlanError, Training};
use players::network::Floats;

use super::meeting::Meeting;
use super::pace::Pace;

/// Steps between two looks at whether to stop: some hundredths of a second.
const STEPS: u64 = 4096;

/// Learners that together have all tables of a network. How many they are changes no number, and may change at any time.
pub(super) struct Crew {
    learners: Vec<Box<dyn Training>>,
    tables: usize,
    /// Numbers that they exchange in a step, at most.
    exchanged: usize,
    pace: Pace,
}

impl Crew {
    /// Works on at most this many threads.
    pub(super) fn new(plan: &Plan, seed: u64, threads: usize) -> Result<Self, PlanError> {
        let tables = plan.lookup()?.tables().len();
        let threads = threads.clamp(1, tables);
        let first = plan.learner(seed, 0..tables)?;
        // The others have no tables yet.
        let others = (1..threads).map(|_| plan.learner(seed, 0..0));
        let learners = std::iter::once(Ok(first)).chain(others);
        Ok(Self {
            learners: learners.collect::<Result<_, _>>()?,
            tables,
            exchanged: plan.most_rows() * tables,
            pace: Pace::new(threads),
        })
    }

    /// Makes moves for a moment, or until this many games have ended. Games that end are added to `finished`.
    pub(super) fn advance(&mut self, games: u64, finished: &mut Vec<Finished>) {
        let threads = self.pace.threads();
        self.share_out(threads);
        let (began, moves) = (Instant::now(), self.moves());
        match threads {
            1 => self.learners[0].advance(STEPS, games, &mut Alone, finished),
            _ => self.advance_together(threads, games, finished),
        }
        self.pace.took(self.moves() - moves, began.elapsed());
    }

    fn advance_together(&mut self, threads: usize, games: u64, finished: &mut Vec<Finished>) {
        let meeting = Meeting::new(threads, self.exchanged);
        let (first, others) = self.learners.split_first_mut().expect("at least one");
        std::thread::scope(|scope| {
            for learner in &mut others[..threads - 1] {
                // All of them play the same games.
                scope.spawn(|| learner.advance(STEPS, games, &mut meeting.seat(), &mut Vec::new()));
            }
            first.advance(STEPS, games, &mut meeting.seat(), finished);
        });
    }

    /// Gives each of the first learners its share of the tables.
    fn share_out(&mut self, threads: usize) {
        if self.learners[0].own() == share(0, threads, self.tables) {
            return;
        }
        let games = self.games();
        let mut all: Vec<_> = (0..self.tables).map(|_| None).collect();
        for learner in &mut self.learners {
            let own = learner.own();
            for (number, table) in learner.take_tables().into_iter().enumerate() {
                if own.contains(&number) {
                    all[number] = Some(table);
                }
            }
        }
        for (number, learner) in self.learners.iter_mut().enumerate() {
            let own = match number < threads {
                true => share(number, threads, self.tables),
                false => 0..0,
            };
            let table = |place: usize| match own.contains(&place) {
                true => all[place].take().expect("every table has one owner"),
                false => Floats::none(),
            };
            let tables = (0..self.tables).map(table).collect();
            learner.set_tables(own.clone(), tables);
            learner
                .restore_games(&games)
                .expect("they come from another learner");
        }
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
        let learners = self.learners.iter();
        learners.flat_map(|learner| learner.own().map(|table| learner.table(table)))
    }

    /// Goes on with saved games and tables.
    pub(super) fn restore(&mut self, games: &[u8], tables: &mut dyn io::Read) -> io::Result<()> {
        self.share_out(1);
        for learner in &mut self.learners {
            learner.restore_games(games).map_err(io::Error::other)?;
        }
        for table in 0..self.tables {
            tables.read_exact(self.learners[0].table_mut(table))?;
        }
        Ok(())
    }

    /// Writes the weights of all tables, one after another.
    pub(super) fn weights(&self, sizes: &[usize], mut to: &mut [f32]) {
        for learner in &self.learners {
            for table in learner.own() {
                let (own, rest) = to.split_at_mut(sizes[table]);
                learner.weights(table, own);
                to = rest;
            }
        }
    }
}

/// The tables of one of the learners.
fn share(number: usize, of: usize, tables: usize) -> Range<usize> {
    number * tables / of..(number + 1) * tables / of
}
