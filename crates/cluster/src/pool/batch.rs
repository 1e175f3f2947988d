//! One source in progress: which worker has which chunk, what has come back, and what is to be verified or done again.

use std::cmp;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::runtime::Handle;

use super::coordinator::{Coordinator, Incoming, LocalTask};
use super::registry::{Standing, WorkerId};
use super::{JobSource, Origin, PoolError};
use crate::wire::{Answer, Message, Order, Outcome, Task, shown};

/// Target duration of a chunk,
const CHUNK_SECONDS: f64 = 0.1;
/// or longer, if many workers would return chunks faster than this.
const CHUNKS_A_SECOND: f64 = 5_000.0;
/// The most jobs per chunk: larger chunks gain nothing.
const MOST_JOBS: usize = 4096;
/// A worker has chunks in reserve for this long, so that no core waits for the next one.
const RESERVE_SECONDS: f64 = 0.02;
/// How long to wait for messages at a time.
const WAIT: Duration = Duration::from_millis(100);
/// How often workers are asked what they hold.
const LIST_EVERY: Duration = Duration::from_secs(2);
/// After this long without a worker the user is told. Long enough to find out that it is the server that is missing.
const NO_WORKER: Duration = Duration::from_secs(10);
/// Results that may wait to be verified here, in addition to those that must be.
const TO_BE_CHECKED: usize = 4;
/// Chunks of a worker that has proved nothing yet.
const MOST_UNPROVEN: usize = 64;
/// A chunk that this many workers vanished with may have crashed them.
const SUSPICIOUS: u32 = 2;
/// After this many failures a chunk is tried here.
const FAILURES: u32 = 2;

/// A chunk that is not done.
struct Chunk {
    jobs: Range<usize>,
    holders: Vec<Holder>,
    /// Everybody who was ever given it, and may answer.
    given: Vec<WorkerId>,
    /// Results that are not taken yet.
    answers: Vec<(WorkerId, Bytes)>,
    /// Whether it is being done here.
    is_local: bool,
    /// How often a worker vanished with it.
    losses: u32,
    /// How often workers failed at it.
    failures: u32,
}

/// A worker that has a chunk.
struct Holder {
    worker: WorkerId,
    since: Instant,
    /// The last request for a list before it was given the chunk.
    request: u64,
}

impl Chunk {
    fn new(jobs: Range<usize>) -> Self {
        Self {
            jobs,
            holders: Vec::new(),
            given: Vec::new(),
            answers: Vec::new(),
            is_local: false,
            losses: 0,
            failures: 0,
        }
    }

    fn has_holder(&self, worker: &str) -> bool {
        self.holders.iter().any(|holder| *holder.worker == *worker)
    }

    /// May this worker be given it? Not if it has it; nor if it has answered, since then another opinion is wanted.
    fn can_go_to(&self, worker: &str) -> bool {
        !self.has_holder(worker) && !self.answers.iter().any(|(by, _)| **by == *worker)
    }

    fn is_apart(&self) -> bool {
        self.losses >= SUSPICIOUS || self.failures > 0
    }
}

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

/// One source in progress.
pub(super) struct Batch<'a> {
    coordinator: &'a Coordinator,
    runtime: &'a Handle,
    source: &'a dyn JobSource,
    number: u64,
    /// The first job that is not in a chunk yet.
    next: usize,
    chunks: u64,
    open: BTreeMap<u64, Chunk>,
    /// Open chunks that somebody should be given.
    waiting: BTreeSet<u64>,
    /// When everything is given out: chunks that take too long, or wait for a core, the newest last.
    stragglers: Vec<u64>,
    /// The chunks of each worker.
    held: HashMap<WorkerId, BTreeSet<u64>>,
    /// Unverified chunks whose results were taken, by worker: they are done again if it turns out to be wrong.
    taken: HashMap<WorkerId, Vec<Range<usize>>>,
    /// Chunks being done here.
    local: usize,
    /// Seconds per job.
    pace: Option<f64>,
    /// Seconds per chunk.
    chunk_seconds: f64,
    /// The last state of the workers that chunks were given out for.
    changes: u64,
    /// The number of the last request for lists.
    request: u64,
    listed: Instant,
    /// When there was last a worker, or could be none, since the server was away.
    accompanied: Instant,
    reported_no_worker: bool,
}

impl<'a> Batch<'a> {
    /// Does all jobs of a source.
    pub(super) fn run(
        coordinator: &Coordinator,
        runtime: &Handle,
        source: &dyn JobSource,
        stop: &AtomicBool,
    ) -> Result<(), PoolError> {
        let (number, incoming) = coordinator.new_batch();
        let mut batch = Batch::new(coordinator, runtime, source, number);
        let done = batch.work(&incoming, stop);
        coordinator.end_batch(number);
        batch.leave();
        done
    }

    fn new(
        coordinator: &'a Coordinator,
        runtime: &'a Handle,
        source: &'a dyn JobSource,
        number: u64,
    ) -> Self {
        let pace = coordinator.counters.pace();
        Self {
            coordinator,
            runtime,
            source,
            number,
            next: 0,
            chunks: 0,
            open: BTreeMap::new(),
            waiting: BTreeSet::new(),
            stragglers: Vec::new(),
            held: HashMap::new(),
            taken: HashMap::new(),
            local: 0,
            pace,
            chunk_seconds: CHUNK_SECONDS,
            changes: 0,
            request: 0,
            listed: Instant::now(),
            accompanied: Instant::now(),
            reported_no_worker: false,
        }
    }

    fn work(&mut self, incoming: &Receiver<Incoming>, stop: &AtomicBool) -> Result<(), PoolError> {
        let settings = &self.coordinator.settings;
        let mut maintained = Instant::now();
        self.fill()?;
        loop {
            if stop.load(Ordering::Relaxed) || settings.stop.load(Ordering::Relaxed) {
                return Err(PoolError::Stopped);
            }
            if let Some(fault) = self.coordinator.link.fault() {
                return Err(fault.into());
            }
            if self.next == self.source.jobs() && self.open.is_empty() {
                self.retract();
                if self.open.is_empty() {
                    return Ok(());
                }
                self.fill()?;
            }
            match incoming.recv_timeout(WAIT) {
                Ok(Incoming::Message(worker, message)) => self.on_message(&worker, message)?,
                Ok(Incoming::Local(chunk, done)) => self.on_local(chunk, done)?,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            let is_changed = self.coordinator.registry.changes() != self.changes;
            if is_changed || maintained.elapsed() >= WAIT {
                maintained = Instant::now();
                self.maintain()?;
            }
        }
    }

    /// The workers forget the rest, and probation that was not decided here begins anew elsewhere.
    fn leave(self) {
        let coordinator = self.coordinator;
        let forget = Order::Forget {
            session: coordinator.session.clone(),
            batch: self.number,
        };
        for (worker, _) in self.held.iter().filter(|(_, held)| !held.is_empty()) {
            self.runtime.block_on(coordinator.order(worker, &forget));
        }
        let unfinished = self.open.values().filter(|chunk| chunk.is_local);
        for (worker, _) in unfinished.flat_map(|chunk| &chunk.answers) {
            if coordinator.registry.standing(worker) == Standing::OnProbation {
                coordinator.registry.set_standing(worker, Standing::New);
            }
        }
        let left = self.open.values().map(|chunk| chunk.jobs.len() as u64);
        let counters = &coordinator.counters;
        counters
            .on_their_way
            .fetch_sub(left.sum(), Ordering::Relaxed);
        if let Some(pace) = self.pace {
            counters.keep_pace(pace);
        }
    }

    /// Gives chunks to all workers that have room.
    fn fill(&mut self) -> Result<(), PoolError> {
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
    fn fill_worker(&mut self, worker: &WorkerId) -> Result<(), PoolError> {
        let Some(cores) = self.coordinator.registry.cores(worker) else {
            return Ok(());
        };
        while self.give_one(worker, cores)? {}
        Ok(())
    }

    fn load(&self, worker: &str) -> usize {
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
    fn give_one(&mut self, worker: &WorkerId, cores: usize) -> Result<bool, PoolError> {
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
            chunk.is_some_and(|chunk| !chunk.is_local && chunk.can_go_to(worker))
        };
        let found = self.stragglers.iter().rposition(can_go)?;
        Some(self.stragglers.remove(found))
    }

    /// Makes a chunk of the next jobs.
    fn cut_next(&mut self) -> Result<u64, PoolError> {
        let slots = self.coordinator.registry.slots().max(1);
        let jobs = self.cut(self.chunk_size(slots))?;
        self.next = jobs.end;
        Ok(self.add(jobs))
    }

    fn add(&mut self, jobs: Range<usize>) -> u64 {
        let chunk = self.chunks;
        self.chunks += 1;
        let counters = &self.coordinator.counters;
        counters
            .on_their_way
            .fetch_add(jobs.len() as u64, Ordering::Relaxed);
        self.open.insert(chunk, Chunk::new(jobs));
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
    fn cut(&self, size: usize) -> Result<Range<usize>, PoolError> {
        let most = self.coordinator.link.largest_message();
        let mut jobs = self.next..(self.next + size).min(self.source.jobs());
        loop {
            let bytes = self.source.body(jobs.clone()).len();
            if bytes <= most {
                return Ok(jobs);
            }
            if jobs.len() == 1 {
                let url = self.coordinator.link.url.clone();
                return Err(PoolError::TooLarge { bytes, most, url });
            }
            jobs.end = jobs.start + jobs.len() / 2;
        }
    }

    /// Without confirmation: what is lost is noticed.
    fn give(&mut self, number: u64, worker: &WorkerId) {
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
            body: self.source.body(chunk.jobs.clone()).into(),
        };
        let order = Order::Do(task);
        self.runtime
            .block_on(self.coordinator.order(worker, &order));
    }

    /// A worker does not have a chunk any more. If nobody else has it, somebody should.
    fn release(&mut self, number: u64, worker: &str) {
        if let Some(held) = self.held.get_mut(worker) {
            held.remove(&number);
        }
        let Some(chunk) = self.open.get_mut(&number) else {
            return;
        };
        chunk.holders.retain(|holder| *holder.worker != *worker);
        if chunk.holders.is_empty() && chunk.answers.is_empty() && !chunk.is_local {
            self.waiting.insert(number);
        }
    }

    fn on_message(&mut self, worker: &WorkerId, message: Message) -> Result<(), PoolError> {
        match message {
            Message::Answer(answer) => self.on_answer(worker, answer)?,
            Message::Holds {
                request, chunks, ..
            } => self.on_list(worker, request, &chunks),
            Message::Returns { chunks, .. } => {
                for chunk in chunks {
                    self.release(chunk, worker);
                }
            }
        }
        self.fill_worker(worker)
    }

    /// Chunks that it should have, but does not, were lost on the way there or back.
    fn on_list(&mut self, worker: &WorkerId, request: u64, chunks: &[u64]) {
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

    /// Handles an answer, which may be late, wrong, or from somebody who was not asked.
    fn on_answer(&mut self, worker: &WorkerId, answer: Answer) -> Result<(), PoolError> {
        let number = answer.chunk;
        let Some(chunk) = self.open.get_mut(&number) else {
            self.release(number, worker);
            return Ok(());
        };
        if !chunk.given.contains(worker) {
            self.refuse(worker);
            return Ok(());
        }
        let since = chunk
            .holders
            .iter()
            .find(|holder| holder.worker == *worker)
            .map(|holder| holder.since.elapsed());
        let jobs = chunk.jobs.len();
        let is_first = !chunk.answers.iter().any(|(by, _)| by == worker);
        if let (true, Outcome::Done(results)) = (is_first, &answer.outcome) {
            chunk.answers.push((Arc::clone(worker), results.clone()));
        }
        self.release(number, worker);
        if self.coordinator.registry.standing(worker) == Standing::Banned {
            self.drop_answers(number, worker);
            return Ok(());
        }
        self.keep_pace(answer.seconds, since, jobs);
        match answer.outcome {
            Outcome::Done(_) => self.decide(number),
            Outcome::Failed(why) => self.failed(number, &why),
        }
    }

    fn refuse(&self, worker: &str) {
        let registry = &self.coordinator.registry;
        let name = registry.name(worker);
        let text = format!(
            "a result of the worker {name} is refused: it answers a task that it was not given"
        );
        if let Some(text) = registry.first_refusal(worker, text) {
            self.coordinator.tell(text);
        }
    }

    /// A worker's own timing is believed only within what has passed here.
    fn keep_pace(&mut self, seconds: f64, since: Option<Duration>, jobs: usize) {
        let Some(most) = since.filter(|_| seconds.is_finite()) else {
            return;
        };
        let seconds = seconds.clamp(0.0, most.as_secs_f64());
        let mix = |old: f64, new: f64| 0.9 * old + 0.1 * new;
        let pace = seconds / jobs as f64;
        self.pace = Some(self.pace.map_or(pace, |old| mix(old, pace)));
        self.chunk_seconds = mix(self.chunk_seconds, seconds);
    }

    /// Takes the result of a chunk, or says what is missing to do so.
    fn decide(&mut self, number: u64) -> Result<(), PoolError> {
        let Some(chunk) = self.open.get(&number).filter(|chunk| !chunk.is_local) else {
            return Ok(());
        };
        let registry = &self.coordinator.registry;
        let standing = |(worker, _): &(WorkerId, Bytes)| registry.standing(worker);
        if chunk
            .answers
            .iter()
            .any(|one| standing(one) == Standing::New)
        {
            self.verify(number);
            return Ok(());
        }
        // The verdict on the worker's first result decides about this one, too.
        if chunk
            .answers
            .iter()
            .any(|one| standing(one) == Standing::OnProbation)
        {
            return Ok(());
        }
        match &chunk.answers[..] {
            [] => Ok(()),
            [(worker, results)] => {
                let is_doubled = self.coordinator.is_to_be_doubled(self.number, number);
                let is_checked = self.local < TO_BE_CHECKED
                    && self.coordinator.is_to_be_checked(self.number, number);
                if is_doubled && !chunk.holders.is_empty() {
                    Ok(())
                } else if is_doubled && self.has_other(chunk) {
                    self.waiting.insert(number);
                    Ok(())
                } else if is_doubled || is_checked {
                    self.verify(number);
                    Ok(())
                } else {
                    let (worker, results) = (Arc::clone(worker), results.clone());
                    self.take(number, &results, Some(&worker), false)
                }
            }
            [(worker, one), (_, other), ..] => match self.source.is_same(one, other) {
                true => {
                    let (worker, results) = (Arc::clone(worker), one.clone());
                    self.take(number, &results, Some(&worker), true)
                }
                false => {
                    self.verify(number);
                    Ok(())
                }
            },
        }
    }

    /// Is there a worker for another opinion?
    fn has_other(&self, chunk: &Chunk) -> bool {
        let able = self.coordinator.registry.able();
        able.iter().any(|(worker, _)| chunk.can_go_to(worker))
    }

    /// Does a chunk here.
    fn verify(&mut self, number: u64) {
        let Some(chunk) = self.open.get_mut(&number).filter(|chunk| !chunk.is_local) else {
            return;
        };
        chunk.is_local = true;
        self.local += 1;
        self.waiting.remove(&number);
        let registry = &self.coordinator.registry;
        for (worker, _) in &chunk.answers {
            if registry.standing(worker) == Standing::New {
                registry.set_standing(worker, Standing::OnProbation);
            }
        }
        self.coordinator.do_locally(LocalTask {
            batch: self.number,
            chunk: number,
            body: self.source.body(chunk.jobs.clone()).into(),
            apart: chunk.failures >= FAILURES,
        });
    }

    /// What was done here decides who was right.
    fn on_local(&mut self, number: u64, done: Result<Bytes, String>) -> Result<(), PoolError> {
        self.local -= 1;
        let Some(chunk) = self.open.get_mut(&number) else {
            return Ok(());
        };
        chunk.is_local = false;
        let own = done.map_err(|why| PoolError::Poison { why })?;
        let registry = &self.coordinator.registry;
        let mut right = None;
        for (worker, results) in std::mem::take(&mut chunk.answers) {
            if !self.source.is_same(&own, &results) {
                self.coordinator.ban(&worker);
            } else if registry.standing(&worker) != Standing::Banned {
                registry.set_standing(&worker, Standing::Proven);
                right = Some(worker);
            }
        }
        self.take(number, &own, right.as_ref(), true)?;
        self.reconsider()
    }

    fn failed(&mut self, number: u64, why: &str) -> Result<(), PoolError> {
        let Some(chunk) = self.open.get_mut(&number) else {
            return Ok(());
        };
        chunk.failures += 1;
        if chunk.failures >= FAILURES && chunk.answers.is_empty() {
            self.coordinator.tell(format!(
                "workers failed twice at the same jobs ({}); they are tried here",
                shown(why)
            ));
            self.verify(number);
        }
        Ok(())
    }

    /// Accepts a result.
    fn take(
        &mut self,
        number: u64,
        results: &[u8],
        worker: Option<&WorkerId>,
        checked: bool,
    ) -> Result<(), PoolError> {
        let jobs = self.open[&number].jobs.clone();
        if !self
            .source
            .accept(jobs.clone(), results, Origin { worker, checked })
        {
            let why = "the result cannot be read".to_owned();
            if checked || worker.is_none() {
                return Err(PoolError::Poison { why });
            }
            self.verify(number);
            return Ok(());
        }
        let chunk = self.open.remove(&number).expect("the chunk is open");
        self.waiting.remove(&number);
        for holder in chunk.holders {
            // It will answer all the same.
            if let Some(held) = self.held.get_mut(&holder.worker) {
                held.remove(&number);
            }
        }
        let (counters, count) = (&self.coordinator.counters, jobs.len() as u64);
        counters.jobs.fetch_add(count, Ordering::Relaxed);
        counters.on_their_way.fetch_sub(count, Ordering::Relaxed);
        if checked {
            counters.checked.fetch_add(count, Ordering::Relaxed);
        } else if let Some(worker) = worker {
            self.taken.entry(Arc::clone(worker)).or_default().push(jobs);
        }
        Ok(())
    }

    /// Decides about answers whose workers' standing may be known now, from this or another batch.
    fn reconsider(&mut self) -> Result<(), PoolError> {
        self.retract();
        let undecided = self
            .open
            .iter()
            .filter(|(_, chunk)| !chunk.is_local && !chunk.answers.is_empty());
        let undecided: Vec<u64> = undecided.map(|(number, _)| *number).collect();
        for number in undecided {
            self.decide(number)?;
        }
        Ok(())
    }

    /// Does again what came unverified from workers that were found wrong, and takes back what they have.
    fn retract(&mut self) {
        let registry = &self.coordinator.registry;
        let is_banned = |worker: &WorkerId| registry.standing(worker) == Standing::Banned;
        let wrong: Vec<WorkerId> = self
            .taken
            .keys()
            .chain(self.held.keys())
            .filter(|worker| is_banned(worker))
            .cloned()
            .collect();
        for worker in wrong {
            for jobs in self.taken.remove(&worker).unwrap_or_default() {
                let counters = &self.coordinator.counters;
                counters
                    .jobs
                    .fetch_sub(jobs.len() as u64, Ordering::Relaxed);
                self.add(jobs);
            }
            self.drop_worker(&worker);
        }
    }

    /// Takes all chunks of a worker back, and drops its answers.
    fn drop_worker(&mut self, worker: &WorkerId) {
        for chunk in self.held.remove(worker).unwrap_or_default() {
            self.release(chunk, worker);
        }
        let open: Vec<u64> = self.open.keys().copied().collect();
        for number in open {
            self.drop_answers(number, worker);
        }
    }

    fn drop_answers(&mut self, number: u64, worker: &str) {
        if let Some(chunk) = self.open.get_mut(&number) {
            chunk.answers.retain(|(by, _)| **by != *worker);
            if chunk.holders.is_empty() && chunk.answers.is_empty() && !chunk.is_local {
                self.waiting.insert(number);
            }
        }
    }

    /// Periodic maintenance.
    fn maintain(&mut self) -> Result<(), PoolError> {
        self.reconsider()?;
        self.release_silent();
        if self.listed.elapsed() >= LIST_EVERY {
            self.ask_for_lists();
        }
        self.report_no_worker();
        self.find_stragglers();
        self.fill()
    }

    /// The chunks of workers of which nothing is heard go to others.
    fn release_silent(&mut self) {
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

    fn ask_for_lists(&mut self) {
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

    fn report_no_worker(&mut self) {
        let has_workers = self.coordinator.registry.slots() > 0;
        if has_workers || !self.coordinator.link.is_connected() {
            self.accompanied = Instant::now();
        }
        if self.accompanied.elapsed() > NO_WORKER && !self.reported_no_worker {
            self.reported_no_worker = true;
            self.coordinator.tell(
                "no workers are connected: start some with 'gamete worker --join ...'; the study waits for them",
            );
        }
    }

    /// When all chunks are given out, workers with free cores get some that take too long, or that wait for a core elsewhere.
    fn find_stragglers(&mut self) {
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
        undecided.into_iter().for_each(|number| self.verify(number));
    }

    /// Does whoever was given it last take far too long?
    fn is_late(&self, chunk: &Chunk) -> bool {
        let late = Duration::from_secs_f64((4.0 * self.chunk_seconds).clamp(2.0, 86_400.0));
        (chunk.holders.last()).is_some_and(|last| last.since.elapsed() > late)
    }
}
