//! One source in progress: which worker has which chunk, what has come back, and what is to be verified or done again.

mod chunk;
mod giving;
mod judging;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

use self::chunk::Chunk;
use super::coordinator::{Coordinator, Incoming};
use super::registry::{Standing, WorkerId};
use super::{JobSource, PoolError};
use crate::wire::{Answer, Message, Order, Outcome};

/// Target duration of a chunk,
const CHUNK_SECONDS: f64 = 0.1;
/// How long to wait for messages at a time.
const WAIT: Duration = Duration::from_millis(100);
/// How often workers are asked what they hold.
const LIST_EVERY: Duration = Duration::from_secs(2);
/// After this long without a worker the user is told. Long enough to find out that it is the server that is missing.
const NO_WORKER: Duration = Duration::from_secs(10);

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
        let unfinished = self.open.values().filter(|chunk| chunk.local.is_some());
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
}
