//! One source on its way: chunks that are out, those that came back, and those that must be given out again.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::runtime::Handle;

use super::coordinator::{Coordinator, Mail, Standing};
use super::{JobSource, PoolError};
use crate::wire::{Answer, Outcome, Task, VERSION, pack, unpack};

/// A chunk should take about this long,
const CHUNK_SECONDS: f64 = 0.1;
/// or longer, if there are this many workers that their chunks would come faster than this.
const CHUNKS_A_SECOND: f64 = 5_000.0;
/// Nothing is gained by larger ones.
const MOST_JOBS: usize = 4096;
/// How long mail is waited for at a time.
const WAIT: Duration = Duration::from_millis(100);
/// After so long without a result the server is asked what it still has.
const SILENCE: Duration = Duration::from_secs(1);
/// After so long without a worker a person is told.
const NOBODY: Duration = Duration::from_secs(5);
/// Results that may wait to be checked, beside the first ones of new workers.
const TO_BE_CHECKED: usize = 4;

/// A chunk that is out.
struct InFlight {
    jobs: Range<usize>,
    since: Instant,
    /// How often it was given out because nothing was heard of it.
    again: u32,
    /// How often workers failed at it.
    failures: u32,
}

/// A result that waits for the verdict on its worker.
struct Pending {
    chunk: u64,
    results: Bytes,
}

/// A result that is to be checked.
struct Check {
    chunk: u64,
    jobs: Range<usize>,
    results: Bytes,
}

/// One source on its way.
pub(super) struct Batch<'a> {
    coordinator: &'a Coordinator,
    runtime: &'a Handle,
    source: &'a dyn JobSource,
    number: u64,
    /// The first job that is in no chunk yet.
    next: usize,
    chunks: u64,
    flights: BTreeMap<u64, InFlight>,
    /// Results of workers on probation, by worker.
    pending: HashMap<String, Vec<Pending>>,
    /// Chunks that are being checked, and whose they are.
    checking: HashMap<u64, (String, Check)>,
    checks: SyncSender<Check>,
    /// Seconds a job takes.
    pace: Option<f64>,
    epoch: u64,
    /// When something last came in, or the server was last asked.
    heard: Instant,
    began: Instant,
    told_of_nobody: bool,
}

impl<'a> Batch<'a> {
    /// Does an source to its end.
    pub(super) fn run(
        coordinator: &Coordinator,
        runtime: &Handle,
        source: &dyn JobSource,
        stop: &AtomicBool,
    ) -> Result<(), PoolError> {
        let (number, mail, sender) = coordinator.new_batch();
        let (checks, to_check) = sync_channel(1 << 16);
        let done = std::thread::scope(|scope| {
            scope.spawn(move || check_all(source, &to_check, &sender));
            // It ends with the batch, which has the other end of the checks.
            Batch::new(coordinator, runtime, source, number, checks).work(&mail, stop)
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
            flights: BTreeMap::new(),
            pending: HashMap::new(),
            checking: HashMap::new(),
            checks,
            pace: coordinator.tally.pace(),
            epoch: coordinator.epoch(),
            heard: Instant::now(),
            began: Instant::now(),
            told_of_nobody: false,
        }
    }

    fn work(mut self, mail: &Receiver<Mail>, stop: &AtomicBool) -> Result<(), PoolError> {
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
            let taken = match mail.recv_timeout(WAIT) {
                Ok(Mail::Result(chunk, answer)) => self.came(chunk, &answer),
                Ok(Mail::Verdict(chunk, is_right)) => self.judged(chunk, is_right),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => unreachable!("the batch has a sender"),
            };
            if let Err(error) = taken.and_then(|()| self.look_after()) {
                break Err(error);
            }
        };
        let left: u64 = self
            .flights
            .values()
            .map(|in_flight| in_flight.jobs.len() as u64)
            .sum();
        self.coordinator
            .tally
            .on_their_way
            .fetch_sub(left, Ordering::Relaxed);
        if let Some(pace) = self.pace {
            self.coordinator.tally.keep_pace(pace);
        }
        done
    }

    fn is_over(&self) -> bool {
        self.next == self.source.jobs() && self.flights.is_empty() && self.checking.is_empty()
    }

    /// Gives chunks out until every worker has enough at hand.
    fn give_out(&mut self) -> Result<(), PoolError> {
        let slots = self.coordinator.registry.slots().max(1);
        while self.next < self.source.jobs() && self.flights.len() < 3 * slots + 1 {
            let size = self.chunk_size(slots);
            let (jobs, message) = self.cut(size)?;
            self.next = jobs.end;
            let chunk = self.chunks;
            self.chunks += 1;
            self.coordinator
                .tally
                .on_their_way
                .fetch_add(jobs.len() as u64, Ordering::Relaxed);
            self.publish(chunk, message);
            let in_flight = InFlight {
                jobs,
                since: Instant::now(),
                again: 0,
                failures: 0,
            };
            self.flights.insert(chunk, in_flight);
        }
        Ok(())
    }

    /// About a tenth of a second's work, or more for very many workers, but so few that all workers are busy to the end.
    fn chunk_size(&self, slots: usize) -> usize {
        let Some(pace) = self.pace else { return 1 };
        let left = self.source.jobs() - self.next;
        let fair = left.div_ceil(4 * slots);
        let seconds = CHUNK_SECONDS.max(slots as f64 / CHUNKS_A_SECOND);
        let quick = (seconds / pace.max(1e-9)) as usize;
        quick.min(fair).clamp(1, MOST_JOBS)
    }

    /// The next jobs, at most so many, and the message that holds them.
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

    /// Nobody confirms: what is lost is missed, and given out again.
    fn publish(&self, chunk: u64, message: Bytes) {
        let subject = self.coordinator.slot(self.number, chunk).task();
        let _ = self
            .runtime
            .block_on(self.coordinator.link.client.publish(subject, message));
    }

    fn give_out_again(&mut self, chunk: u64) {
        let Some(in_flight) = self.flights.get_mut(&chunk) else {
            return;
        };
        in_flight.since = Instant::now();
        in_flight.again += 1;
        let jobs = in_flight.jobs.clone();
        self.publish(chunk, self.message(chunk, &jobs));
    }

    /// A result has come; perhaps not the first, not a good one, or not from whom it should.
    fn came(&mut self, chunk: u64, answer: &Bytes) -> Result<(), PoolError> {
        let Some(in_flight) = self.flights.get(&chunk) else {
            return Ok(());
        };
        self.heard = Instant::now();
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

    /// An answer to this chunk, from somebody who has seen it and is like us.
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

    /// Throws a result away and gives the chunk out again.
    fn refuse(&mut self, chunk: u64) -> Result<(), PoolError> {
        let slot = self.coordinator.slot(self.number, chunk).result();
        let tail = slot.trim_start_matches("gamete.results.").to_owned();
        let streams = self.coordinator.streams();
        // If that fails the server is away, and what it has is looked at later.
        self.runtime.block_on(streams.clear_results(&tail));
        self.give_out_again(chunk);
        Ok(())
    }

    /// Suspects are done in processes of their own: only the second failure there is final.
    fn failed(&mut self, chunk: u64, why: String) -> Result<(), PoolError> {
        let in_flight = self.flights.get_mut(&chunk).expect("it is out");
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

    /// Has the result of a chunk done again here.
    fn check(&mut self, chunk: u64, results: &Bytes, worker: &str) {
        let check = || Check {
            chunk,
            jobs: self.flights[&chunk].jobs.clone(),
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

    /// What came of a chunk is right, or is not.
    fn judged(&mut self, chunk: u64, is_right: bool) -> Result<(), PoolError> {
        let Some((worker, check)) = self.checking.remove(&chunk) else {
            return Ok(());
        };
        self.heard = Instant::now();
        self.coordinator
            .tally
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
                    "the worker {name} gave a wrong result (it was done again here): nothing it gives is taken"
                ));
                self.take_pending()
            }
        }
    }

    /// Results of workers on whom the verdict is known now, here or in another batch.
    fn take_pending(&mut self) -> Result<(), PoolError> {
        let registry = &self.coordinator.registry;
        let known: Vec<(String, Standing)> = (self.pending.keys())
            .map(|worker| (worker.clone(), registry.standing(worker)))
            .filter(|(_, standing)| *standing != Standing::OnProbation)
            .collect();
        for (worker, standing) in known {
            for Pending { chunk, results } in self.pending.remove(&worker).unwrap_or_default() {
                if !self.flights.contains_key(&chunk) {
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

    /// Takes a result over.
    fn take(&mut self, chunk: u64, results: &Bytes, worker: &str) -> Result<(), PoolError> {
        let jobs = self.flights[&chunk].jobs.clone();
        if !self.source.accept(jobs.clone(), results) {
            let why = format!("the worker {worker} sent a malformed result");
            return self.failed(chunk, why);
        }
        self.flights.remove(&chunk);
        self.coordinator
            .tally
            .jobs
            .fetch_add(jobs.len() as u64, Ordering::Relaxed);
        self.coordinator
            .tally
            .on_their_way
            .fetch_sub(jobs.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// What is to be done now and then.
    fn look_after(&mut self) -> Result<(), PoolError> {
        if !self.pending.is_empty() {
            self.take_pending()?;
        }
        self.tell_of_nobody();
        let epoch = self.coordinator.epoch();
        if epoch != self.epoch {
            self.epoch = epoch;
            let all: Vec<u64> = self.flights.keys().copied().collect();
            all.into_iter().for_each(|chunk| self.give_out_again(chunk));
        }
        if self.heard.elapsed() >= SILENCE && !self.flights.is_empty() {
            self.heard = Instant::now();
            self.reconcile()?;
        }
        Ok(())
    }

    fn tell_of_nobody(&mut self) {
        let is_alone = self.began.elapsed() > NOBODY && self.coordinator.registry.slots() == 0;
        if is_alone && !self.told_of_nobody {
            self.told_of_nobody = true;
            self.coordinator.tell(
                "no workers are there: start some with 'gamete worker --join ...'; the study waits for them",
            );
        }
    }

    /// Nothing has come for a while: compares what is out with what the server has.
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
        let chunks: Vec<u64> = self.flights.keys().copied().collect();
        for chunk in chunks {
            if self.is_judged_elsewhere(chunk) {
                continue;
            }
            let slot = self.coordinator.slot(self.number, chunk);
            if !waiting.contains(&slot.task()) {
                match self.runtime.block_on(streams.result(&slot.result())) {
                    Some(answer) => self.came(chunk, &answer)?,
                    None => self.give_out_again(chunk),
                }
            } else if self.is_straggler(chunk) {
                self.give_out_again(chunk);
            }
        }
        Ok(())
    }

    /// Its result is here, and waits for the verdict on its worker.
    fn is_judged_elsewhere(&self, chunk: u64) -> bool {
        let mut pending = self.pending.values().flatten();
        pending.any(|pending| pending.chunk == chunk)
    }

    /// Everything is given out, cores are free, and this one takes far longer than it should: whoever has it may be gone.
    fn is_straggler(&self, chunk: u64) -> bool {
        let in_flight = &self.flights[&chunk];
        let usual = self.pace.unwrap_or(CHUNK_SECONDS) * in_flight.jobs.len() as f64;
        let late = Duration::from_secs_f64((4.0 * usual).clamp(2.0, 86_400.0));
        let are_free = self.flights.len() < self.coordinator.registry.slots();
        self.next == self.source.jobs()
            && are_free
            && in_flight.again == 0
            && in_flight.since.elapsed() > late
    }
}

/// Does results again, one after the other, and tells whether they are right.
fn check_all(source: &dyn JobSource, checks: &Receiver<Check>, verdicts: &Sender<Mail>) {
    for check in checks {
        let is_right = source.is_right(check.jobs, &check.results);
        if verdicts.send(Mail::Verdict(check.chunk, is_right)).is_err() {
            return;
        }
    }
}
