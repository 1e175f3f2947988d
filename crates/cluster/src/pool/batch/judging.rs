//! Which results are taken, verified, or done again.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;

use super::Batch;
use super::chunk::Chunk;
use crate::pool::coordinator::LocalTask;
use crate::pool::registry::{Standing, WorkerId};
use crate::pool::{Origin, PoolError};
use crate::wire::shown;

/// Results that may wait to be verified here, in addition to those that must be.
const TO_BE_CHECKED: usize = 4;
/// After this many failures a chunk is tried here.
const FAILURES: u32 = 2;

impl Batch<'_> {
    /// Takes the result of a chunk, or says what is missing to do so.
    pub(super) fn decide(&mut self, number: u64) -> Result<(), PoolError> {
        let Some(chunk) = self.open.get(&number) else {
            return Ok(());
        };
        if chunk.local.is_some() {
            return Ok(());
        }
        let whole = 0..chunk.jobs.len();
        let registry = &self.coordinator.registry;
        let standing = |(worker, _): &(WorkerId, Bytes)| registry.standing(worker);
        if chunk
            .answers
            .iter()
            .any(|one| standing(one) == Standing::New)
        {
            self.verify(number, whole);
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
            [] => {}
            [(worker, results)] => {
                let coordinator = self.coordinator;
                let part = match self.local < TO_BE_CHECKED {
                    true => coordinator.to_be_checked(self.number, number, whole.len()),
                    false => 0..0,
                };
                if !coordinator.is_to_be_doubled(self.number, number) {
                    if !part.is_empty() {
                        self.verify(number, part);
                        return Ok(());
                    }
                    let (worker, results) = (Arc::clone(worker), results.clone());
                    return self.take(number, &results, Some(&worker), part);
                }
                if chunk.holders.is_empty() {
                    match self.has_other(chunk) {
                        true => drop(self.waiting.insert(number)),
                        false => self.verify(number, whole),
                    }
                }
            }
            [(worker, one), (_, other), ..] => {
                if self.source.agrees(one, whole.clone(), other) {
                    let (worker, results) = (Arc::clone(worker), one.clone());
                    return self.take(number, &results, Some(&worker), whole);
                }
                self.verify(number, whole);
            }
        }
        Ok(())
    }

    /// Is there a worker for another opinion?
    fn has_other(&self, chunk: &Chunk) -> bool {
        let registry = &self.coordinator.registry;
        registry.has_able(|worker| chunk.can_go_to(worker))
    }

    /// Does a part of a chunk here.
    pub(super) fn verify(&mut self, number: u64, part: Range<usize>) {
        let Some(chunk) = self.open.get_mut(&number) else {
            return;
        };
        if chunk.local.is_some() {
            return;
        }
        let start = chunk.jobs.start;
        let jobs = start + part.start..start + part.end;
        chunk.local = Some(part);
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
            body: self.source.body(jobs).into(),
            apart: chunk.failures >= FAILURES,
        });
    }

    /// What was done here decides who was right.
    pub(super) fn on_local(
        &mut self,
        number: u64,
        done: Result<Bytes, String>,
    ) -> Result<(), PoolError> {
        self.local -= 1;
        let Some(chunk) = self.open.get_mut(&number) else {
            return Ok(());
        };
        let part = chunk.local.take().unwrap_or_default();
        let own = done.map_err(|why| PoolError::Poison { why })?;
        let registry = &self.coordinator.registry;
        let mut right = None;
        for (worker, results) in std::mem::take(&mut chunk.answers) {
            if !self.source.agrees(&results, part.clone(), &own) {
                self.coordinator.ban(&worker);
            } else if registry.standing(&worker) != Standing::Banned {
                registry.set_standing(&worker, Standing::Proven);
                right = Some((worker, results));
            }
        }
        let is_whole = part.len() == chunk.jobs.len();
        match right {
            Some((worker, results)) => self.take(number, &results, Some(&worker), part)?,
            None if is_whole => self.take(number, &own, None, part)?,
            None => drop(self.waiting.insert(number)),
        }
        self.reconsider()
    }

    pub(super) fn failed(&mut self, number: u64, why: &str) -> Result<(), PoolError> {
        let Some(chunk) = self.open.get_mut(&number) else {
            return Ok(());
        };
        chunk.failures += 1;
        if chunk.failures >= FAILURES && chunk.answers.is_empty() {
            self.coordinator.tell(format!(
                "workers failed twice at the same jobs ({}); they are tried here",
                shown(why)
            ));
            let whole = 0..chunk.jobs.len();
            self.verify(number, whole);
        }
        Ok(())
    }

    /// Accepts a result.
    pub(super) fn take(
        &mut self,
        number: u64,
        results: &[u8],
        worker: Option<&WorkerId>,
        checked: Range<usize>,
    ) -> Result<(), PoolError> {
        let jobs = self.open[&number].jobs.clone();
        let count = checked.len() as u64;
        let is_whole = checked.len() == jobs.len();
        let origin = Origin { worker, checked };
        if !self.source.accept(jobs.clone(), results, origin) {
            let why = "the result cannot be read".to_owned();
            if is_whole || worker.is_none() {
                return Err(PoolError::Poison { why });
            }
            self.verify(number, 0..jobs.len());
            return Ok(());
        }
        self.coordinator
            .counters
            .checked
            .fetch_add(count, Ordering::Relaxed);
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
        if let Some(worker) = worker.filter(|_| !is_whole) {
            let taken = self.taken.entry(Arc::clone(worker)).or_default();
            taken.push(jobs);
        }
        Ok(())
    }

    /// Decides about answers whose workers' standing may be known now, from this or another batch.
    pub(super) fn reconsider(&mut self) -> Result<(), PoolError> {
        self.retract();
        let undecided = self
            .open
            .iter()
            .filter(|(_, chunk)| chunk.local.is_none() && !chunk.answers.is_empty());
        let undecided: Vec<u64> = undecided.map(|(number, _)| *number).collect();
        for number in undecided {
            self.decide(number)?;
        }
        Ok(())
    }

    /// Does again what came unverified from workers that were found wrong, and takes back what they have.
    pub(super) fn retract(&mut self) {
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
                let body = self.source.body(jobs.clone());
                self.add(jobs, body.into());
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

    pub(super) fn drop_answers(&mut self, number: u64, worker: &str) {
        if let Some(chunk) = self.open.get_mut(&number) {
            chunk.answers.retain(|(by, _)| **by != *worker);
            if chunk.is_free() {
                self.waiting.insert(number);
            }
        }
    }
}
