//! Who gets which chunk, and when it goes to somebody else.

use std::cmp;
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::chunk::{Chunk, Holder};
use super::{Batch, CHUNK_SECONDS};
use crate::pool::PoolError;
use crate::pool::registry::{Standing, WorkerId};
use crate::wire::{Order, Task};

/// or longer, if many workers would return chunks faster than this.
const CHUNKS_A_SECOND: f64 = 5_000.0;
/// The most jobs per chunk: larger chunks gain nothing.
const MOST_JOBS: usize = 4096;
/// A worker has chunks in reserve for this long, so that no core waits for the next one.
const RESERVE_SECONDS: f64 = 0.02;
/// Chunks of a worker that has proved nothing yet.
const MOST_UNPROVEN: usize = 64;

/// A worker with room for more, the least loaded first.
struct Free {
    worker: WorkerId,
    cores: usize,
    load: usize,
}

impl Free {
    fn is_less_loaded_than(&self, other: &Self) -> cmp::Ordering {
        let (mine, theirs) = ((self.load + 1) * other.cores, (other.load + 1) * self.cores);
        theirs
            .cmp(&mine)
            .then_with(|| other.worker.cmp(&self.worker))
    }
}

impl Ord for Free {
    fn cmp(&self, other: &Self) -> cmp::Ordering {
        self.is_less_loaded_than(other)
    }
}

impl PartialOrd for Free {
    fn partial_cmp(&self, other: &Self) -> Option<cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Free {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Free {}

impl Batch<'_> {
    /// Gives chunks to all workers that have room.
    pub(super) fn fill(&mut self) -> Result<(), PoolError> {
        self.changes = self.coordinator.registry.changes();
        // What is sent while the server is away is lost.
        if !self.coordinator.link.is_connected() {
            return Ok(());
        }
        let able = self.coordinator.registry.able();
        let mut free: BinaryHeap<Free> = able
            .into_iter()
            .map(|(worker, cores)| Free {
                load: self.load(&worker),
                worker,
                cores,
            })
            .collect();
        while let Some(mut worker) = free.pop() {
            if self.give_one(&worker.worker, worker.cores)? {
                worker.load += 1;
                free.push(worker);
            }
        }
        Ok(())
    }

    /// Gives chunks to a worker until it has enough.
    pub(super) fn fill_worker(&mut self, worker: &WorkerId) -> Result<(), PoolError> {
        let Some(cores) = self.coordinator.registry.cores(worker) else {
            return Ok(());
        };
        while self.give_one(worker, cores)? {}
        Ok(())
    }

    pub(super) fn load(&self, worker: &str) -> usize {
        self.held.get(worker).map_or(0, BTreeSet::len)
    }

    /// How many chunks a worker should have: one per core, and a reserve. It is small if chunks are long, since it would be missing elsewhere.
    /// A worker of which no result was checked yet may claim to have any number of cores.
    fn window(&self, worker: &str, cores: usize) -> usize {
        if self.coordinator.registry.standing(worker) != Standing::Proven {
            return cores.min(MOST_UNPROVEN);
        }
        let share = (RESERVE_SECONDS / self.chunk_seconds.max(1e-4)).min(1.0);
        cores + (cores as f64 * share).ceil() as usize
    }

    /// Gives a worker one chunk; false if it has enough, or there is none for it.
    pub(super) fn give_one(&mut self, worker: &WorkerId, cores: usize) -> Result<bool, PoolError> {
        let load = self.load(worker);
        if load >= self.window(worker, cores) {
            return Ok(false);
        }
        let mut waiting = self.waiting.iter();
        let fitting = waiting.find(|chunk| self.open[*chunk].can_go_to(worker));
        let chunk = match fitting.copied() {
            Some(chunk) => chunk,
            None if self.next < self.source.jobs() => self.cut_next()?,
            None => match self.next_straggler(worker).filter(|_| load < cores) {
                Some(chunk) => chunk,
                None => return Ok(false),
            },
        };
        self.give(chunk, worker);
        Ok(true)
    }

    fn next_straggler(&mut self, worker: &str) -> Option<u64> {
        let can_go = |chunk: &u64| {
            let chunk = self.open.get(chunk);
            chunk.is_some_and(|chunk| chunk.local.is_none() && chunk.can_go_to(worker))
        };
        let found = self.stragglers.iter().rposition(can_go)?;
        Some(self.stragglers.remove(found))
    }

    /// Makes a chunk of the next jobs.
    fn cut_next(&mut self) -> Result<u64, PoolError> {
        let slots = self.coordinator.registry.slots().max(1);
        let (jobs, body) = self.cut(self.chunk_size(slots))?;
        self.next = jobs.end;
        Ok(self.add(jobs, body))
    }

    pub(super) fn add(&mut self, jobs: Range<usize>, body: Bytes) -> u64 {
        let chunk = self.chunks;
        self.chunks += 1;
        let counters = &self.coordinator.counters;
        counters
            .on_their_way
            .fetch_add(jobs.len() as u64, Ordering::Relaxed);
        self.open.insert(chunk, Chunk::new(jobs, body));
        self.waiting.insert(chunk);
        chunk
    }

    /// About a tenth of a second's work, more for very many workers, but small enough that all are busy to the end.
    fn chunk_size(&self, slots: usize) -> usize {
        let Some(pace) = self.pace else { return 1 };
        let left = self.source.jobs() - self.next;
        let fair = left.div_ceil(4 * slots);
        let seconds = CHUNK_SECONDS.max(slots as f64 / CHUNKS_A_SECOND);
        let quick = (seconds / pace.max(1e-9)) as usize;
        quick.min(fair).clamp(1, MOST_JOBS)
    }

    /// The next jobs, at most `size`, that fit into a message.
    fn cut(&self, size: usize) -> Result<(Range<usize>, Bytes), PoolError> {
        let most = self.coordinator.link.largest_message();
        let mut jobs = self.next..(self.next + size).min(self.source.jobs());
        loop {
            let body = self.source.body(jobs.clone());
            if body.len() <= most {
                return Ok((jobs, body.into()));
            }
            if jobs.len() == 1 {
                let (bytes, url) = (body.len(), self.coordinator.link.url.clone());
                return Err(PoolError::TooLarge { bytes, most, url });
            }
            jobs.end = jobs.start + jobs.len() / 2;
        }
    }

    /// Without confirmation: what is lost is noticed.
    pub(super) fn give(&mut self, number: u64, worker: &WorkerId) {
        let Some(chunk) = self.open.get_mut(&number) else {
            return;
        };
        self.waiting.remove(&number);
        chunk.holders.push(Holder {
            worker: Arc::clone(worker),
            since: Instant::now(),
            request: self.request,
        });
        if !chunk.given.contains(worker) {
            chunk.given.push(Arc::clone(worker));
        }
        let held = self.held.entry(Arc::clone(worker)).or_default();
        held.insert(number);
        let task = Task {
            key: self.coordinator.settings.key.clone(),
            session: self.coordinator.session.clone(),
            batch: self.number,
            chunk: number,
            jobs: chunk.jobs.len() as u32,
            apart: chunk.is_apart(),
            body: chunk.body.clone(),
        };
        let order = Order::Do(task);
        self.runtime
            .block_on(self.coordinator.order(worker, &order));
    }

    /// A worker does not have a chunk any more. If nobody else has it, somebody should.
    pub(super) fn release(&mut self, number: u64, worker: &str) {
        if let Some(held) = self.held.get_mut(worker) {
            held.remove(&number);
        }
        let Some(chunk) = self.open.get_mut(&number) else {
            return;
        };
        chunk.holders.retain(|holder| *holder.worker != *worker);
        if chunk.is_free() {
            self.waiting.insert(number);
        }
    }

    /// Chunks that it should have, but does not, were lost on the way there or back.
    pub(super) fn on_list(&mut self, worker: &WorkerId, request: u64, chunks: &[u64]) {
        let held = self.held.get(worker).into_iter().flatten().copied();
        let is_lost = |chunk: &u64| {
            let mut holders = self.open.get(chunk).map(|chunk| chunk.holders.iter());
            let holder = holders
                .as_mut()
                .and_then(|holders| holders.find(|holder| holder.worker == *worker));
            let was_sent_before = holder.is_none_or(|holder| holder.request < request);
            was_sent_before && !chunks.contains(chunk)
        };
        let lost: Vec<u64> = held.filter(is_lost).collect();
        for chunk in lost {
            self.release(chunk, worker);
        }
    }

    /// The chunks of workers of which nothing is heard go to others.
    pub(super) fn release_silent(&mut self) {
        let (registry, patience) = (
            &self.coordinator.registry,
            self.coordinator.settings.patience,
        );
        let silent = self.held.keys();
        let silent: Vec<WorkerId> = silent
            .filter(|worker| registry.is_silent(worker, patience))
            .cloned()
            .collect();
        for worker in silent {
            for number in self.held.remove(&worker).unwrap_or_default() {
                if let Some(chunk) = self.open.get_mut(&number) {
                    chunk.losses += 1;
                }
                self.release(number, &worker);
            }
        }
    }

    pub(super) fn ask_for_lists(&mut self) {
        self.listed = Instant::now();
        self.request += 1;
        let list = Order::List {
            session: self.coordinator.session.clone(),
            batch: self.number,
            request: self.request,
        };
        for (worker, _) in self.held.iter().filter(|(_, held)| !held.is_empty()) {
            self.runtime.block_on(self.coordinator.order(worker, &list));
        }
    }

    /// When all chunks are given out, workers with free cores get some that take too long, or that wait for a core elsewhere.
    pub(super) fn find_stragglers(&mut self) {
        self.stragglers.clear();
        if self.next < self.source.jobs() || !self.waiting.is_empty() {
            return;
        }
        let late = self.open.iter().filter(|(_, chunk)| self.is_late(chunk));
        // Somebody who was asked for another opinion may keep it back.
        let (undecided, late): (Vec<_>, Vec<_>) =
            late.partition(|(_, chunk)| !chunk.answers.is_empty());
        let undecided: Vec<u64> = undecided.into_iter().map(|(number, _)| *number).collect();
        let cores: HashMap<WorkerId, usize> =
            self.coordinator.registry.able().into_iter().collect();
        let is_queued = |chunk: &Chunk| match &chunk.holders[..] {
            [only] => self.load(&only.worker) > cores.get(&only.worker).copied().unwrap_or(0),
            _ => false,
        };
        let queued = self.open.iter().filter(|(_, chunk)| is_queued(chunk));
        let found: BTreeSet<u64> = late.into_iter().chain(queued).map(|(n, _)| *n).collect();
        self.stragglers = found.into_iter().collect();
        for number in undecided {
            let whole = 0..self.open[&number].jobs.len();
            self.verify(number, whole);
        }
    }

    /// Does whoever was given it last take far too long?
    fn is_late(&self, chunk: &Chunk) -> bool {
        let late = Duration::from_secs_f64((4.0 * self.chunk_seconds).clamp(2.0, 86_400.0));
        (chunk.holders.last()).is_some_and(|last| last.since.elapsed() > late)
    }
}
