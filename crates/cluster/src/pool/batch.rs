//! One source in progress: chunks in in_flight, chunks done, and chunks to publish again.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::runtime::Handle;

use super::coordinator::{Coordinator, Incoming, Standing};
use super::{JobSource, PoolError};
use crate::wire::{Answer, Outcome, Task, VERSION, pack, unpack};

/// Target duration of a chunk,
const CHUNK_SECONDS: f64 = 0.1;
/// or longer, if many workers would return chunks faster than this.
const CHUNKS_A_SECOND: f64 = 5_000.0;
/// The most jobs per chunk: larger chunks gain nothing.
const MOST_JOBS: usize = 4096;
/// How long to wait for messages at a time.
const WAIT: Duration = Duration::from_millis(100);
/// After this long without a result the server's streams are checked.
const SILENCE: Duration = Duration::from_secs(1);
/// After this long without a worker the user is told.
const NO_WORKER: Duration = Duration::from_secs(5);
/// Results that may wait to be checked, in addition to the first ones of new workers.
const TO_BE_CHECKED: usize = 4;

/// A chunk in in_flight.
struct InFlight {
    jobs: Range<usize>,
    since: Instant,
    /// How often it was published again because no result came.
    again: u32,
    /// How often workers failed at it.
    failures: u32,
}

/// A result that waits until its worker is verified.
struct Pending {
    chunk: u64,
    results: Bytes,
}

/// A result to check.
struct Check {
    chunk: u64,
    jobs: Range<usize>,
    results: Bytes,
}

/// One source in progress.
pub(super) struct Batch<'a> {
    coordinator: &'a Coordinator,
    runtime: &'a Handle,
    source: &'a dyn JobSource,
    number: u64,
    /// The first job that is not in a chunk yet.
    next: usize,
    chunks: u64,
    in_flight: BTreeMap<u64, InFlight>,
    /// Results of workers on probation, by worker.
    pending: HashMap<String, Vec<Pending>>,
    /// Chunks being checked, with their workers.
    checking: HashMap<u64, (String, Check)>,
    checks: SyncSender<Check>,
    /// Seconds per job.
    pace: Option<f64>,
    epoch: u64,
    /// When something last arrived, or the server was last checked.
    last_message: Instant,
    began: Instant,
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
        let (number, incoming, sender) = coordinator.new_batch();
        let (checks, to_check) = sync_channel(1 << 16);
        let done = std::thread::scope(|scope| {
            scope.spawn(move || check_all(source, &to_check, &sender));
            // It ends with the batch, which has the other end of the checks.
            Batch::new(coordinator, runtime, source, number, checks).work(&incoming, stop)
        });
        coordinator.end_batch(number);
        let (streams, tail) = (coordinator.streams(), coordinator.tail(number));
        runtime.spawn(async move { streams.clear(&tail).await });
        done
    }

    fn new(
        coordinator: &'a Coordinator,
        runtime: &'a Handle,
        source: &'a dyn JobSource,
        number: u64,
        checks: SyncSender<Check>,
    ) -> Self {
        Self {
            coordinator,
            runtime,
            source,
            number,
            next: 0,
            chunks: 0,
            in_flight: BTreeMap::new(),
            pending: HashMap::new(),
            checking: HashMap::new(),
            checks,
            pace: coordinator.counters.pace(),
            epoch: coordinator.epoch(),
            last_message: Instant::now(),
            began: Instant::now(),
            reported_no_worker: false,
        }
    }

    fn work(mut self, incoming: &Receiver<Incoming>, stop: &AtomicBool) -> Result<(), PoolError> {
        let settings = &self.coordinator.settings;
        let done = loop {
            if stop.load(Ordering::Relaxed) || settings.stop.load(Ordering::Relaxed) {
                break Err(PoolError::Stopped);
            }
            if let Some(fault) = self.coordinator.link.fault() {
                break Err(fault.into());
            }
            if let Err(error) = self.give_out() {
                break Err(error);
            }
            if self.is_over() {
                break Ok(());
            }
            let taken = match incoming.recv_timeout(WAIT) {
                Ok(Incoming::Result(chunk, answer)) => self.on_result(chunk, &answer),
                Ok(Incoming::Verdict(chunk, is_right)) => self.on_verdict(chunk, is_right),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => unreachable!("the batch has a sender"),
            };
            if let Err(error) = taken.and_then(|()| self.maintain()) {
                break Err(error);
            }
        };
        let left: u64 = self
            .in_flight
            .values()
            .map(|in_flight| in_flight.jobs.len() as u64)
            .sum();
        self.coordinator
            .counters
            .on_their_way
            .fetch_sub(left, Ordering::Relaxed);
        if let Some(pace) = self.pace {
            self.coordinator.counters.keep_pace(pace);
        }
        done
    }

    fn is_over(&self) -> bool {
        self.next == self.source.jobs() && self.in_flight.is_empty() && self.checking.is_empty()
    }

    /// Publishes chunks until every worker has enough.
    fn give_out(&mut self) -> Result<(), PoolError> {
        let slots = self.coordinator.registry.slots().max(1);
        while self.next < self.source.jobs() && self.in_flight.len() < 3 * slots + 1 {
            let size = self.chunk_size(slots);
            let (jobs, message) = self.cut(size)?;
            self.next = jobs.end;
            let chunk = self.chunks;
            self.chunks += 1;
            self.coordinator
                .counters
                .on_their_way
                .fetch_add(jobs.len() as u64, Ordering::Relaxed);
            self.publish(chunk, message);
            let in_flight = InFlight {
                jobs,
                since: Instant::now(),
                again: 0,
                failures: 0,
            };
            self.in_flight.insert(chunk, in_flight);
        }
        Ok(())
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

    /// The next jobs, at most `size`, and their message.
    fn cut(&self, size: usize) -> Result<(Range<usize>, Bytes), PoolError> {
        let most = self.coordinator.link.largest_message();
        let mut jobs = self.next..(self.next + size).min(self.source.jobs());
        loop {
            let message = self.message(self.chunks, &jobs);
            if message.len() <= most {
                return Ok((jobs, message));
            }
            if jobs.len() == 1 {
                return Err(PoolError::TooLarge {
                    bytes: message.len(),
                    most,
                    url: self.coordinator.link.url.clone(),
                });
            }
            jobs.end = jobs.start + jobs.len() / 2;
        }
    }

    fn message(&self, chunk: u64, jobs: &Range<usize>) -> Bytes {
        let settings = &self.coordinator.settings;
        let task = Task {
            version: VERSION.to_owned(),
            study: settings.study.clone(),
            token: self.coordinator.token(self.number, chunk),
            patience: settings.patience.as_millis().try_into().unwrap_or(u32::MAX),
            jobs: jobs.len() as u32,
            body: self.source.body(jobs.clone()).into(),
        };
        pack(&task).into()
    }

    /// Without confirmation: a lost chunk is noticed and published again.
    fn publish(&self, chunk: u64, message: Bytes) {
        let subject = self.coordinator.slot(self.number, chunk).task();
        let _ = self
            .runtime
            .block_on(self.coordinator.link.client.publish(subject, message));
    }

    fn give_out_again(&mut self, chunk: u64) {
        let Some(in_flight) = self.in_flight.get_mut(&chunk) else {
            return;
        };
        in_flight.since = Instant::now();
        in_flight.again += 1;
        let jobs = in_flight.jobs.clone();
        self.publish(chunk, self.message(chunk, &jobs));
    }

    /// Handles a result, which may be a duplicate, wrong, or from an unexpected worker.
    fn on_result(&mut self, chunk: u64, answer: &Bytes) -> Result<(), PoolError> {
        let Some(in_flight) = self.in_flight.get(&chunk) else {
            return Ok(());
        };
        self.last_message = Instant::now();
        let Some(answer) = self.read(chunk, answer) else {
            return self.refuse(chunk);
        };
        let seconds = answer.seconds / in_flight.jobs.len() as f64;
        self.pace = Some(self.pace.map_or(seconds, |pace| 0.9 * pace + 0.1 * seconds));
        let results = match answer.outcome {
            Outcome::Done(results) => results,
            Outcome::Failed(why) => return self.failed(chunk, why),
        };
        match self.coordinator.registry.standing(&answer.worker) {
            Standing::Banned => self.refuse(chunk),
            Standing::Proven => self.take_proven(chunk, &results, &answer.worker),
            Standing::New => {
                let registry = &self.coordinator.registry;
                registry.set_standing(&answer.worker, Standing::OnProbation);
                self.check(chunk, &results, &answer.worker);
                self.await_verdict(chunk, results, answer.worker);
                Ok(())
            }
            Standing::OnProbation => {
                self.await_verdict(chunk, results, answer.worker);
                Ok(())
            }
        }
    }

    /// An answer to this chunk, from a worker that got the task and has our version.
    fn read(&self, chunk: u64, answer: &Bytes) -> Option<Answer> {
        let answer = unpack::<Answer>(answer)?;
        let refuse = |why: &str| {
            let name = self.coordinator.registry.name(&answer.worker);
            let text = format!("a result of the worker {name} is refused: {why}");
            let told = self
                .coordinator
                .registry
                .refuse(&format!("{}: {why}", answer.worker), text);
            told.into_iter()
                .for_each(|text| self.coordinator.tell(text));
        };
        if answer.version != VERSION {
            refuse(&format!("it runs gamete {}", answer.version));
        } else if answer.study != self.coordinator.settings.study {
            refuse(&format!("it belongs to the study '{}'", answer.study));
        } else if answer.token != self.coordinator.token(self.number, chunk) {
            refuse("it answers a task that it was not given");
        } else {
            return Some(answer);
        }
        None
    }

    /// Discards a result and publishes the chunk again.
    fn refuse(&mut self, chunk: u64) -> Result<(), PoolError> {
        let slot = self.coordinator.slot(self.number, chunk).result();
        let tail = slot.trim_start_matches("gamete.results.").to_owned();
        let streams = self.coordinator.streams();
        // If that fails, the server is away, and its streams are checked later.
        self.runtime.block_on(streams.clear_results(&tail));
        self.give_out_again(chunk);
        Ok(())
    }

    /// Suspicious chunks run in separate processes: only the second failure there is final.
    fn failed(&mut self, chunk: u64, why: String) -> Result<(), PoolError> {
        let in_flight = self
            .in_flight
            .get_mut(&chunk)
            .expect("the chunk is in in_flight");
        in_flight.failures += 1;
        if in_flight.failures >= 2 {
            return Err(PoolError::Poison { why });
        }
        self.refuse(chunk)
    }

    fn take_proven(&mut self, chunk: u64, results: &Bytes, worker: &str) -> Result<(), PoolError> {
        let is_checked = self.checking.len() < TO_BE_CHECKED
            && self.coordinator.is_to_be_checked(self.number, chunk);
        if is_checked {
            self.check(chunk, results, worker);
        }
        self.take(chunk, results, worker)
    }

    /// Queues the result of a chunk for local verification.
    fn check(&mut self, chunk: u64, results: &Bytes, worker: &str) {
        let check = || Check {
            chunk,
            jobs: self.in_flight[&chunk].jobs.clone(),
            results: results.clone(),
        };
        if self.checks.try_send(check()).is_ok() {
            let kept = check();
            self.checking.insert(chunk, (worker.to_owned(), kept));
        }
    }

    fn await_verdict(&mut self, chunk: u64, results: Bytes, worker: String) {
        let pending = self.pending.entry(worker).or_default();
        pending.push(Pending { chunk, results });
    }

    /// Handles the verdict on a result.
    fn on_verdict(&mut self, chunk: u64, is_right: bool) -> Result<(), PoolError> {
        let Some((worker, check)) = self.checking.remove(&chunk) else {
            return Ok(());
        };
        self.last_message = Instant::now();
        self.coordinator
            .counters
            .checked
            .fetch_add(check.jobs.len() as u64, Ordering::Relaxed);
        let name = self.coordinator.registry.name(&worker);
        match (is_right, self.coordinator.registry.standing(&worker)) {
            (true, Standing::OnProbation) => {
                self.coordinator
                    .registry
                    .set_standing(&worker, Standing::Proven);
                self.take_pending()
            }
            (true, _) => Ok(()),
            (false, Standing::Proven) => {
                self.coordinator
                    .registry
                    .set_standing(&worker, Standing::Banned);
                Err(PoolError::Wrong { worker: name })
            }
            (false, _) => {
                self.coordinator
                    .registry
                    .set_standing(&worker, Standing::Banned);
                self.coordinator.tell(format!(
                    "the worker {name} returned a wrong result (verified locally): its results are no longer accepted"
                ));
                self.take_pending()
            }
        }
    }

    /// Accepts or refuses the pending results of workers whose verdict is known now, from this or another batch.
    fn take_pending(&mut self) -> Result<(), PoolError> {
        let registry = &self.coordinator.registry;
        let known: Vec<(String, Standing)> = (self.pending.keys())
            .map(|worker| (worker.clone(), registry.standing(worker)))
            .filter(|(_, standing)| *standing != Standing::OnProbation)
            .collect();
        for (worker, standing) in known {
            for Pending { chunk, results } in self.pending.remove(&worker).unwrap_or_default() {
                if !self.in_flight.contains_key(&chunk) {
                    continue;
                }
                match standing {
                    Standing::Proven => self.take(chunk, &results, &worker)?,
                    _ => self.refuse(chunk)?,
                }
            }
        }
        Ok(())
    }

    /// Accepts a result.
    fn take(&mut self, chunk: u64, results: &Bytes, worker: &str) -> Result<(), PoolError> {
        let jobs = self.in_flight[&chunk].jobs.clone();
        if !self.source.accept(jobs.clone(), results) {
            let why = format!("the worker {worker} sent a malformed result");
            return self.failed(chunk, why);
        }
        self.in_flight.remove(&chunk);
        self.coordinator
            .counters
            .jobs
            .fetch_add(jobs.len() as u64, Ordering::Relaxed);
        self.coordinator
            .counters
            .on_their_way
            .fetch_sub(jobs.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Periodic maintenance.
    fn maintain(&mut self) -> Result<(), PoolError> {
        if !self.pending.is_empty() {
            self.take_pending()?;
        }
        self.tell_of_nobody();
        let epoch = self.coordinator.epoch();
        if epoch != self.epoch {
            self.epoch = epoch;
            let all: Vec<u64> = self.in_flight.keys().copied().collect();
            all.into_iter().for_each(|chunk| self.give_out_again(chunk));
        }
        if self.last_message.elapsed() >= SILENCE && !self.in_flight.is_empty() {
            self.last_message = Instant::now();
            self.reconcile()?;
        }
        Ok(())
    }

    fn tell_of_nobody(&mut self) {
        let is_alone = self.began.elapsed() > NO_WORKER && self.coordinator.registry.slots() == 0;
        if is_alone && !self.reported_no_worker {
            self.reported_no_worker = true;
            self.coordinator.tell(
                "no workers are connected: start some with 'gamete worker --join ...'; the study waits for them",
            );
        }
    }

    /// After a silence: compares the chunks in in_flight with the server's.
    fn reconcile(&mut self) -> Result<(), PoolError> {
        let (streams, tail) = (
            self.coordinator.streams(),
            self.coordinator.tail(self.number),
        );
        let waiting = self
            .runtime
            .block_on(streams.waiting(&format!("gamete.tasks.{tail}")));
        let Some(waiting) = waiting else {
            return Ok(());
        };
        // A worker that left may leave a task behind that the server has, but will give to nobody.
        let is_idle = self.runtime.block_on(streams.is_idle());
        let chunks: Vec<u64> = self.in_flight.keys().copied().collect();
        for chunk in chunks {
            if self.is_judged_elsewhere(chunk) {
                continue;
            }
            let slot = self.coordinator.slot(self.number, chunk);
            if is_idle || !waiting.contains(&slot.task()) {
                match self.runtime.block_on(streams.result(&slot.result())) {
                    Some(answer) => self.on_result(chunk, &answer)?,
                    None => self.give_out_again(chunk),
                }
            } else if self.is_straggler(chunk) {
                self.give_out_again(chunk);
            }
        }
        Ok(())
    }

    /// Its result has arrived, and waits for the verdict on its worker.
    fn is_judged_elsewhere(&self, chunk: u64) -> bool {
        let mut pending = self.pending.values().flatten();
        pending.any(|pending| pending.chunk == chunk)
    }

    /// All chunks are published, cores are free, and this one takes far too long: its worker may be gone.
    fn is_straggler(&self, chunk: u64) -> bool {
        let in_flight = &self.in_flight[&chunk];
        let usual = self.pace.unwrap_or(CHUNK_SECONDS) * in_flight.jobs.len() as f64;
        let late = Duration::from_secs_f64((4.0 * usual).clamp(2.0, 86_400.0));
        let are_free = self.in_flight.len() < self.coordinator.registry.slots();
        self.next == self.source.jobs()
            && are_free
            && in_flight.again == 0
            && in_flight.since.elapsed() > late
    }
}

/// Verifies results one after the other, and sends the verdicts.
fn check_all(source: &dyn JobSource, checks: &Receiver<Check>, verdicts: &Sender<Incoming>) {
    for check in checks {
        let is_right = source.is_right(check.jobs, &check.results);
        if verdicts
            .send(Incoming::Verdict(check.chunk, is_right))
            .is_err()
        {
            return;
        }
    }
}
