//! Learns by playing several games side by side.

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::ops::Range;

use players::network::{Floats, Lookup, prefetch};
use serde::{Deserialize, Serialize};
use streams::{below, stream};

use crate::course::{Course, MoveOption};
use crate::method::Method;
use crate::plan::Restart;
use crate::table;
use crate::training::{Exchange, Finished, RestoreError, Training};

/// How a learner learns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setup {
    /// The share of an error that is corrected.
    pub rate: f32,
    /// How much of an error goes on to the positions before, 0 to 1.
    pub lambda: f32,
    /// What the network expects of a position that it has never met.
    pub initial: f32,
    /// Where games begin.
    pub restart: Restart,
    /// Games that are played side by side.
    pub side_by_side: usize,
    /// Seed of what the learner itself draws.
    pub seed: u64,
}

/// Moves between the beginnings of the first games. Games at the same stage would correct the same weights for the same errors at once,
/// each fully, and so far too much.
const APART: u64 = 2000;

/// Positions kept of every stage, to begin games with.
const KEPT: usize = 1000;

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

/// A position whose value is still to be corrected.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Pending<A> {
    after: A,
    error: f32,
    /// How much its value changes with the sum of its weights.
    slope: f32,
    /// Its entries in the learner's own tables, kept from when it was valued.
    #[serde(skip)]
    entries: Vec<usize>,
}

/// One of the games.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Slot<E, A> {
    game: u64,
    episode: E,
    moves: u32,
    is_whole: bool,
    /// The last positions, the newest in front.
    pending: VecDeque<Pending<A>>,
}

/// The games of a learner.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Games<E, A> {
    slots: Vec<Slot<E, A>>,
    /// Games begun so far.
    begun: u64,
    ended: u64,
    steps: u64,
    moves: u64,
    /// Positions with which later stages began, for games that begin there.
    kept: Vec<Kept<E>>,
    /// The stage that the next game begins in.
    next: usize,
}

/// The last positions that were kept of a stage.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept<E> {
    positions: Vec<E>,
    /// How many there have been.
    count: usize,
}

impl<E> Kept<E> {
    fn new() -> Self {
        Self {
            positions: Vec::new(),
            count: 0,
        }
    }

    fn keep(&mut self, position: E) {
        match self.positions.get_mut(self.count % KEPT) {
            Some(oldest) => *oldest = position,
            None => self.positions.push(position),
        }
        self.count += 1;
    }
}

/// Plays and learns.
pub struct Learner<C: Course, M: Method> {
    course: C,
    setup: Setup,
    horizon: usize,
    own: Range<usize>,
    /// All tables; those that are not its own are empty.
    tables: Vec<Floats<f32>>,
    method: PhantomData<M>,
    games: Games<C::Episode, C::After>,
    scratch: Scratch<C::After>,
}

/// What one step needs; kept so that it is allocated once.
struct Scratch<A> {
    options: Vec<MoveOption<A>>,
    /// Where the options of each game begin.
    firsts: Vec<usize>,
    /// The entries of each option in the learner's own tables.
    entries: Vec<usize>,
    sums: Vec<f32>,
    /// Lists of entries to be used again.
    spare: Vec<Vec<usize>>,
}

impl<C: Course, M: Method> Learner<C, M> {
    /// A learner that has this range of the tables.
    pub fn new(course: C, setup: Setup, own: Range<usize>) -> std::io::Result<Self> {
        let sizes = course.lookup().tables();
        let lookups = sizes.len() * course.lookup().views();
        let mut tables = Vec::with_capacity(sizes.len());
        for (number, &size) in sizes.iter().enumerate() {
            let entries = if own.contains(&number) { size } else { 0 };
            let mut table = table::zeroed::<M>(entries)?;
            if setup.initial != 0.0 {
                let weight = setup.initial / lookups as f32;
                table::fill::<M>(table.entries_mut(), weight);
            }
            tables.push(table);
        }
        let stages = course.lookup().stages();
        Ok(Self {
            horizon: horizon(setup.lambda),
            own,
            tables,
            method: PhantomData,
            games: Games {
                slots: Vec::new(),
                begun: 0,
                ended: 0,
                steps: 0,
                moves: 0,
                kept: (0..stages).map(|_| Kept::new()).collect(),
                next: 0,
            },
            scratch: Scratch {
                options: Vec::new(),
                firsts: Vec::new(),
                entries: Vec::new(),
                sums: Vec::new(),
                spare: Vec::new(),
            },
            course,
            setup,
        })
    }

    /// Makes one move in every game and learns from it.
    fn step(&mut self, exchange: &mut (impl Exchange + ?Sized), finished: &mut Vec<Finished>) {
        self.begin_games();
        self.look(exchange);
        for slot in 0..self.games.slots.len() {
            self.play(slot, finished);
        }
        self.games.steps += 1;
    }

    /// The first games begin one after another.
    fn begin_games(&mut self) {
        let due = 1 + self.games.steps / APART;
        while self.games.slots.len() < self.setup.side_by_side
            && (self.games.slots.len() as u64) < due
        {
            let slot = self.new_slot();
            self.games.slots.push(slot);
        }
    }

    fn new_slot(&mut self) -> Slot<C::Episode, C::After> {
        let game = self.games.begun;
        self.games.begun += 1;
        let restarted = match self.setup.restart {
            Restart::Start => None,
            Restart::Carousel => self.next_on_the_carousel(game),
        };
        Slot {
            game,
            is_whole: restarted.is_none(),
            episode: restarted.unwrap_or_else(|| self.course.begin(game)),
            moves: 0,
            pending: VecDeque::with_capacity(self.horizon + 1),
        }
    }

    /// A position that the next stage began with; none if the game is to begin at the start, as after the last stage that was reached.
    fn next_on_the_carousel(&mut self, game: u64) -> Option<C::Episode> {
        let stage = self.games.next;
        let kept = self.games.kept.get(stage).map(|kept| &kept.positions);
        match kept {
            Some(kept) if stage > 0 && !kept.is_empty() => {
                self.games.next += 1;
                let mut rng = stream(self.setup.seed, &[game, stage as u64]);
                let chosen = below(&mut rng, kept.len() as u32) as usize;
                Some(self.course.begin_from(game, &kept[chosen]))
            }
            _ => {
                self.games.next = 1;
                None
            }
        }
    }

    /// Values all positions that any move leads to, and the last ones: a row of sums for each option, and one for the position before
    /// them.
    fn look(&mut self, exchange: &mut (impl Exchange + ?Sized)) {
        self.find_positions();
        let tables = self.tables.len();
        let views = self.course.lookup().views();
        let Scratch { entries, sums, .. } = &mut self.scratch;
        let rows = entries.len() / (self.own.len() * views);
        // Every column of the own tables is written below, and the others are by the exchange.
        sums.resize(rows * tables, 0.0);
        for (place, table) in self.own.clone().enumerate() {
            let weights = self.tables[table].entries();
            let sums = sums[table..].iter_mut().step_by(tables);
            // A square board has eight views: a loop of known length is a sixth faster.
            match views {
                8 => {
                    let found = entries.as_chunks::<8>().0.iter().skip(place);
                    add_up(weights, found.step_by(self.own.len()), sums);
                }
                _ => {
                    let found = entries.chunks_exact(views).skip(place);
                    add_up(weights, found.step_by(self.own.len()), sums);
                }
            }
        }
        self.leave_out_what_has_no_value();
        exchange.exchange(&mut self.scratch.sums, self.own.clone(), tables);
    }

    /// Lists the options of all games, with the entries of these and of the positions before them.
    fn find_positions(&mut self) {
        let Scratch {
            options,
            firsts,
            entries,
            ..
        } = &mut self.scratch;
        options.clear();
        firsts.clear();
        entries.clear();
        for slot in &self.games.slots {
            firsts.push(options.len());
            self.course.options(&slot.episode, options);
        }
        firsts.push(options.len());
        for option in options.iter() {
            let lookup = self.course.lookup();
            lookup.each(option.after, self.own.clone(), |table, found| {
                let weights = self.tables[table].entries();
                entries.extend(found.iter().map(|&entry| {
                    let place = table::place::<M>(entry);
                    prefetch(weights, place);
                    place
                }));
            });
        }
        let count = self.own.len() * self.course.lookup().views();
        for slot in &self.games.slots {
            match slot.pending.front() {
                Some(last) => entries.extend_from_slice(&last.entries),
                None => entries.resize(entries.len() + count, 0),
            }
        }
    }

    /// A game that is over has no value, nor has what comes before the first move.
    fn leave_out_what_has_no_value(&mut self) {
        let Scratch { options, sums, .. } = &mut self.scratch;
        let over = options.iter().map(|option| option.is_last);
        let first = self.games.slots.iter().map(|slot| slot.pending.is_empty());
        let rows = sums.chunks_exact_mut(self.tables.len());
        for (row, has_none) in rows.zip(over.chain(first)) {
            if has_none {
                row.fill(0.0);
            }
        }
    }

    /// The value in a row of sums.
    fn value(&self, row: usize) -> f32 {
        let tables = self.tables.len();
        let row = &self.scratch.sums[row * tables..(row + 1) * tables];
        row.iter().sum()
    }

    /// Makes a move of a game: the best one, unless the course explores.
    fn play(&mut self, place: usize, finished: &mut Vec<Finished>) {
        let options = self.scratch.firsts[place]..self.scratch.firsts[place + 1];
        let mut best = None;
        let mut highest = f32::MIN;
        for number in options.clone() {
            let value = self.scratch.options[number].reward + C::squash(self.value(number));
            if value > highest {
                (best, highest) = (Some(number), value);
            }
        }
        if let Some(made) = self.course.recorded(&self.games.slots[place].episode) {
            let number = options.start + made;
            let reward = self.scratch.options[number].reward;
            (best, highest) = (Some(number), reward + C::squash(self.value(number)));
        }
        let last = C::squash(self.value(self.scratch.options.len() + place));
        let target = if best.is_some() { highest } else { 0.0 };
        self.learn(place, C::TURN * target - last, C::slope(last));
        let Some(mut number) = best else {
            return self.end(place, finished);
        };
        let episode = &mut self.games.slots[place].episode;
        if let Some(other) = self.course.explore(episode, options.len()) {
            number = options.start + other;
            // What comes of a move that is not the best says nothing of the positions before it.
            self.correct_all(place);
        }
        let chosen = self.scratch.options[number];
        let slot = &mut self.games.slots[place];
        self.course.advance(&mut slot.episode, &chosen);
        slot.moves += 1;
        self.games.moves += 1;
        if chosen.is_last {
            return self.end(place, finished);
        }
        let slot = &mut self.games.slots[place];
        let before = slot.pending.front().map(|pending| pending.after);
        let count = self.own.len() * self.course.lookup().views();
        let mut entries = self.scratch.spare.pop().unwrap_or_default();
        entries.extend_from_slice(&self.scratch.entries[number * count..(number + 1) * count]);
        slot.pending.push_front(Pending {
            after: chosen.after,
            error: 0.0,
            slope: 1.0,
            entries,
        });
        self.fetch_what_is_corrected_next(place);
        self.keep_new_stage(place, before, &chosen.after);
    }

    /// The next move of this game corrects its oldest position; what the method keeps of these weights has not been needed for long.
    fn fetch_what_is_corrected_next(&self, place: usize) {
        let pending = &self.games.slots[place].pending;
        let Some(oldest) = pending
            .back()
            .filter(|_| M::KEPT > 0 && pending.len() >= self.horizon)
        else {
            return;
        };
        let views = self.course.lookup().views();
        for (table, found) in self.own.clone().zip(oldest.entries.chunks_exact(views)) {
            let entries = self.tables[table].entries();
            let kept = found.iter().map(|&place| table::kept::<M>(place));
            kept.for_each(|place| prefetch(entries, place));
        }
    }

    /// Keeps the position with which a game reaches another stage.
    fn keep_new_stage(&mut self, place: usize, before: Option<C::After>, after: &C::After) {
        if self.games.kept.len() < 2 {
            return;
        }
        let stage = self.course.stage(after);
        if before.is_some_and(|before| self.course.stage(&before) < stage) {
            let episode = self.games.slots[place].episode.clone();
            self.games.kept[stage].keep(episode);
        }
    }

    /// The error of the last position goes on to those before it; the oldest is corrected.
    fn learn(&mut self, place: usize, error: f32, slope: f32) {
        let slot = &mut self.games.slots[place];
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
        while let Some(oldest) = self.games.slots[place].pending.pop_back() {
            self.correct(oldest);
        }
    }

    fn end(&mut self, place: usize, finished: &mut Vec<Finished>) {
        self.correct_all(place);
        let next = self.new_slot();
        let slot = std::mem::replace(&mut self.games.slots[place], next);
        self.games.ended += 1;
        finished.push(Finished {
            game: slot.game,
            score: self.course.score(&slot.episode),
            moves: slot.moves,
            class: self.course.class(&slot.episode),
            is_whole: slot.is_whole,
        });
    }

    fn correct(&mut self, mut pending: Pending<C::After>) {
        let views = self.course.lookup().views();
        let error = pending.error * pending.slope;
        let step = self.setup.rate / (self.tables.len() * views) as f32 * error;
        for (table, found) in self.own.clone().zip(pending.entries.chunks_exact(views)) {
            let entries = self.tables[table].entries_mut();
            for &place in found {
                let kept = table::kept::<M>(place);
                let (weights, kept) = entries.split_at_mut(kept);
                M::correct(&mut weights[place], &mut kept[..M::KEPT], step, error);
            }
        }
        pending.entries.clear();
        self.scratch.spare.push(pending.entries);
    }

    /// Finds the pending positions again, after the games or the own tables have changed.
    fn find_pending(&mut self) {
        let slots = self.games.slots.iter_mut();
        for pending in slots.flat_map(|slot| &mut slot.pending) {
            pending.entries.clear();
            find::<_, M>(&self.course, pending.after, &self.own, &mut pending.entries);
        }
    }
}

/// Adds the entries of a position in these tables to a list.
#[inline]
fn find<C: Course, M: Method>(
    course: &C,
    after: C::After,
    own: &Range<usize>,
    entries: &mut Vec<usize>,
) {
    let lookup = course.lookup();
    lookup.each(after, own.clone(), |_, found| {
        entries.extend(found.iter().map(|&entry| table::place::<M>(entry)));
    });
}

/// The sum of each position's weights in a table.
#[inline]
fn add_up<'a, F: IntoIterator<Item = &'a usize>>(
    weights: &[f32],
    positions: impl Iterator<Item = F>,
    sums: impl Iterator<Item = &'a mut f32>,
) {
    for (entries, sum) in positions.zip(sums) {
        let entries = entries.into_iter();
        *sum = entries.map(|&entry| weights[entry]).sum();
    }
}

impl<C: Course, M: Method> Training for Learner<C, M> {
    fn advance(
        &mut self,
        steps: u64,
        games: u64,
        exchange: &mut dyn Exchange,
        finished: &mut Vec<Finished>,
    ) {
        let last = self.games.steps + steps;
        while self.games.steps < last && self.games.ended < games {
            self.step(exchange, finished);
        }
    }

    fn ended(&self) -> u64 {
        self.games.ended
    }

    fn moves(&self) -> u64 {
        self.games.moves
    }

    fn games(&self) -> Vec<u8> {
        rmp_serde::to_vec(&self.games).expect("plain data")
    }

    fn restore_games(&mut self, games: &[u8]) -> Result<(), RestoreError> {
        let games = rmp_serde::from_slice(games);
        self.games = games.map_err(|error| RestoreError(error.to_string()))?;
        self.find_pending();
        Ok(())
    }

    fn own(&self) -> Range<usize> {
        self.own.clone()
    }

    fn table(&self, table: usize) -> &[u8] {
        bytemuck::cast_slice(self.tables[table].entries())
    }

    fn table_mut(&mut self, table: usize) -> &mut [u8] {
        bytemuck::cast_slice_mut(self.tables[table].entries_mut())
    }

    fn weights(&self, table: usize, to: &mut [f32]) {
        let weights = table::weights::<M>(self.tables[table].entries());
        to.iter_mut()
            .zip(weights)
            .for_each(|(to, weight)| *to = *weight);
    }

    fn take_tables(&mut self) -> Vec<Floats<f32>> {
        self.own = 0..0;
        std::mem::take(&mut self.tables)
    }

    fn set_tables(&mut self, own: Range<usize>, tables: Vec<Floats<f32>>) {
        self.tables = tables;
        self.own = own;
        self.find_pending();
    }
}
