//! Learns by playing several games side by side.

use std::collections::VecDeque;
use std::ops::Range;

use players::network::{Floats, Lookup};

use crate::course::{Course, Option as MoveOption};
use crate::method::Method;

/// How a learner learns.
#[derive(Debug, Clone, Copy)]
pub struct Setup {
    /// The share of an error that is corrected.
    pub rate: f32,
    /// How much of an error goes on to the positions before, 0 to 1.
    pub lambda: f32,
    /// Games that are played side by side.
    pub side_by_side: usize,
    /// Moves between the beginnings of the first games. Games at the same stage would correct the same weights for the same errors at
    /// once, each fully, and so far too much.
    pub apart: u64,
}

/// Errors go back as many positions as it takes to fade below a tenth.
fn horizon(lambda: f32) -> usize {
    let mut share = lambda;
    let mut positions = 1;
    while share > 0.1 && positions < 20 {
        share *= lambda;
        positions += 1;
    }
    positions
}

/// A game that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finished {
    /// Its number.
    pub game: u64,
    /// Its score.
    pub score: i64,
    /// Its moves.
    pub moves: u32,
}

/// Tells learners that share a network what the tables of the others add.
pub trait Exchange {
    /// `sums` has a row for every position and in it a column for every table; those of the own tables are filled. Fills the others.
    fn exchange(&mut self, sums: &mut [f32], own: Range<usize>, tables: usize);
}

/// A learner that has all tables.
#[derive(Debug, Clone, Copy)]
pub struct Alone;

impl Exchange for Alone {
    fn exchange(&mut self, _: &mut [f32], _: Range<usize>, _: usize) {}
}

/// A position whose value is still to be corrected.
#[derive(Debug, Clone, Copy)]
struct Pending<A> {
    after: A,
    error: f32,
    /// How much its value changes with the sum of its weights.
    slope: f32,
}

/// One of the games.
#[derive(Debug, Clone)]
struct Slot<E, A> {
    game: u64,
    episode: E,
    moves: u32,
    /// The last positions, the newest in front.
    pending: VecDeque<Pending<A>>,
}

/// Plays and learns.
pub struct Learner<C: Course, M: Method> {
    course: C,
    setup: Setup,
    horizon: usize,
    own: Range<usize>,
    /// The tables that are its own, one after another.
    entries: Floats<M::Entry>,
    /// Where each table begins; those that are not its own have no entries.
    begins: Vec<usize>,
    slots: Vec<Slot<C::Episode, C::After>>,
    /// Games begun so far.
    begun: u64,
    steps: u64,
    moves: u64,
    finished: Vec<Finished>,
    scratch: Scratch<C::After>,
}

/// What one step needs; kept so that it is allocated once.
struct Scratch<A> {
    options: Vec<MoveOption<A>>,
    /// Where the options of each game begin.
    firsts: Vec<usize>,
    sums: Vec<f32>,
}

impl<C: Course, M: Method> Learner<C, M> {
    /// A learner that has this range of the tables.
    pub fn new(course: C, setup: Setup, own: Range<usize>) -> std::io::Result<Self> {
        let sizes = course.lookup().tables();
        let mut begins = vec![0; sizes.len()];
        let mut entries = 0;
        for table in own.clone() {
            begins[table] = entries;
            entries += sizes[table];
        }
        Ok(Self {
            setup,
            horizon: horizon(setup.lambda),
            own,
            entries: Floats::zeroed(entries)?,
            begins,
            slots: Vec::new(),
            begun: 0,
            steps: 0,
            moves: 0,
            finished: Vec::new(),
            scratch: Scratch {
                options: Vec::new(),
                firsts: Vec::new(),
                sums: Vec::new(),
            },
            course,
        })
    }

    /// Moves made so far.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// What is kept of every weight, all own tables one after another.
    #[must_use]
    pub fn entries(&self) -> &[M::Entry] {
        self.entries.entries()
    }

    /// Games that have ended since they were last taken.
    pub fn take_finished(&mut self) -> Vec<Finished> {
        std::mem::take(&mut self.finished)
    }

    /// Makes one move in every game and learns from it.
    pub fn step(&mut self, exchange: &mut impl Exchange) {
        self.begin_games();
        self.look(exchange);
        for slot in 0..self.slots.len() {
            self.play(slot);
        }
        self.steps += 1;
    }

    /// The first games begin one after another.
    fn begin_games(&mut self) {
        let due = 1 + self.steps / self.setup.apart.max(1);
        while self.slots.len() < self.setup.side_by_side && (self.slots.len() as u64) < due {
            let slot = self.new_slot();
            self.slots.push(slot);
        }
    }

    fn new_slot(&mut self) -> Slot<C::Episode, C::After> {
        let game = self.begun;
        self.begun += 1;
        Slot {
            game,
            episode: self.course.begin(game),
            moves: 0,
            pending: VecDeque::with_capacity(self.horizon + 1),
        }
    }

    /// Values all positions that any move leads to, and the last ones: a row of sums for each option, and one for the position before
    /// them.
    fn look(&mut self, exchange: &mut impl Exchange) {
        let Scratch {
            options,
            firsts,
            sums,
        } = &mut self.scratch;
        let tables = self.begins.len();
        let mut of_slot = Vec::new();
        options.clear();
        firsts.clear();
        sums.clear();
        for slot in &self.slots {
            firsts.push(options.len());
            self.course.options(&slot.episode, &mut of_slot);
            options.append(&mut of_slot);
        }
        firsts.push(options.len());
        let rows = options.len() + self.slots.len();
        sums.resize(rows * tables, 0.0);
        let (lookup, entries) = (self.course.lookup(), self.entries.entries());
        let (own, begins) = (&self.own, &self.begins);
        let look_up = |after: C::After, row: &mut [f32]| {
            lookup.each(after, own.clone(), |table, found| {
                let table_entries = &entries[begins[table]..];
                row[table] = found.iter().map(|&entry| M::weight(&table_entries[entry])).sum();
            });
        };
        let mut rows = sums.chunks_exact_mut(tables);
        for option in options.iter() {
            let row = rows.next().expect("a row for each");
            if !option.is_last {
                look_up(option.after, row);
            }
        }
        for slot in &self.slots {
            let row = rows.next().expect("a row for each");
            if let Some(last) = slot.pending.front() {
                look_up(last.after, row);
            }
        }
        exchange.exchange(sums, self.own.clone(), tables);
    }

    /// The value in a row of sums.
    fn value(&self, row: usize) -> f32 {
        let tables = self.begins.len();
        let row = &self.scratch.sums[row * tables..(row + 1) * tables];
        row.iter().sum()
    }

    /// Makes a move of a game: the best one, unless the course explores.
    fn play(&mut self, place: usize) {
        let options = self.scratch.firsts[place]..self.scratch.firsts[place + 1];
        let mut best = None;
        let mut highest = f32::MIN;
        for number in options.clone() {
            let value = self.scratch.options[number].reward + C::squash(self.value(number));
            if value > highest {
                (best, highest) = (Some(number), value);
            }
        }
        let last = C::squash(self.value(self.scratch.options.len() + place));
        let target = if best.is_some() { highest } else { 0.0 };
        self.learn(place, C::TURN * target - last, C::slope(last));
        let Some(mut number) = best else {
            self.end(place);
            return;
        };
        let episode = &mut self.slots[place].episode;
        if let Some(other) = self.course.explore(episode, options.len()) {
            number = options.start + other;
            // What comes of a move that is not the best says nothing of the positions before it.
            self.correct_all(place);
        }
        let chosen = self.scratch.options[number];
        let slot = &mut self.slots[place];
        self.course.advance(&mut slot.episode, &chosen);
        slot.moves += 1;
        self.moves += 1;
        if chosen.is_last {
            self.end(place);
        } else {
            slot.pending.push_front(Pending {
                after: chosen.after,
                error: 0.0,
                slope: 1.0,
            });
        }
    }

    /// The error of the last position goes on to those before it; the oldest is corrected.
    fn learn(&mut self, place: usize, error: f32, slope: f32) {
        let slot = &mut self.slots[place];
        if let Some(last) = slot.pending.front_mut() {
            last.slope = slope;
        }
        let mut share = error;
        for pending in &mut slot.pending {
            pending.error += share;
            share *= C::TURN * self.setup.lambda;
        }
        if slot.pending.len() >= self.horizon
            && let Some(oldest) = slot.pending.pop_back()
        {
            self.correct(oldest);
        }
    }

    fn correct_all(&mut self, place: usize) {
        while let Some(oldest) = self.slots[place].pending.pop_back() {
            self.correct(oldest);
        }
    }

    fn end(&mut self, place: usize) {
        self.correct_all(place);
        let next = self.new_slot();
        let slot = std::mem::replace(&mut self.slots[place], next);
        self.finished.push(Finished {
            game: slot.game,
            score: self.course.score(&slot.episode),
            moves: slot.moves,
        });
    }

    fn correct(&mut self, pending: Pending<C::After>) {
        let lookup = self.course.lookup();
        let lookups = self.begins.len() * lookup.views();
        let error = pending.error * pending.slope;
        let step = self.setup.rate / lookups as f32 * error;
        let (entries, begins) = (self.entries.entries_mut(), &self.begins);
        lookup.each(pending.after, self.own.clone(), |table, found| {
            let table_entries = &mut entries[begins[table]..];
            for &entry in found {
                M::correct(&mut table_entries[entry], step, error);
            }
        });
    }
}
