//! A worker: takes chunks, does them on all its cores, and sends the results.
//!
//! A task is acknowledged only after its result is stored. So a worker that crashes loses only its work in progress, and one
//! that was suspended and resumes does no harm: the server keeps only the first result of a chunk.

mod queue;
mod taking;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use bytes::Bytes;
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;

use self::queue::{Done, Job, Queue};
use self::taking::{Reply, Taking};
use crate::address::Address;
use crate::link::{Link, LinkError, Role};
use crate::wire::{Answer, Outcome, Presence, Slot, Task, VERSION, WHO, pack, presence_of, unpack};

/// Does the jobs of a worker.
pub trait JobHandler: Send + Sync {
    /// Does the jobs of a chunk; an error is reported to the coordinator.
    fn work(&self, body: &[u8]) -> Result<Vec<u8>, String>;

    /// The same in a separate process, for chunks that may have crashed workers before.
    fn work_apart(&self, body: &[u8]) -> Result<Vec<u8>, String>;
}

/// Configuration of a worker.
#[derive(Debug, Clone)]
pub struct WorkerConfig {
    /// Its display name.
    pub name: String,
    /// Number of concurrent chunks.
    pub cores: usize,
    /// Leaves after this long without work.
    pub idle: Option<Duration>,
    /// Leaves after this long without the server, which may have moved.
    pub away: Option<Duration>,
    /// Becomes true when it should finish its current work and leave.
    pub stop: Arc<AtomicBool>,
}

/// Why it left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// It was stopped.
    Stopped,
    /// There was nothing to do.
    Idle,
    /// The server was away for too long.
    Away,
}

/// Why it cannot work.
#[derive(Debug, Clone, thiserror::Error)]
pub enum WorkerError {
    /// The connection is not usable.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The study is run by another version.
    #[error(
        "the study '{study}' is run by gamete {theirs}, and this worker is {VERSION}: results could differ. Install the same gamete on both"
    )]
    Version {
        /// The study.
        study: String,
        /// Theirs.
        theirs: String,
    },
    /// A system error.
    #[error("cannot start working: {0}")]
    System(String),
}

/// A chunk that was delivered this often may be crashing workers.
const SUSPICIOUS: i64 = 3;
/// A stopped worker must exit within 20 seconds.
const GRACE: Duration = Duration::from_secs(15);
/// How often it reports its presence.
const PRESENCE: Duration = Duration::from_secs(2);
const TICK: Duration = Duration::from_millis(100);
/// After this long without the server a result is dropped: another worker has the chunk by then.
const SENDING: Duration = Duration::from_secs(120);

/// Works until it is stopped, or idle, or cannot.
pub fn work(
    address: &Address,
    config: &WorkerConfig,
    handler: &Arc<dyn JobHandler>,
) -> Result<Left, WorkerError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| WorkerError::System(error.to_string()))?;
    let left = runtime.block_on(async {
        let mut worker = Worker::join(address, config, handler).await?;
        let left = worker.work().await;
        worker.leave().await;
        left
    });
    // Unfinished chunks are returned; their threads end with the process.
    runtime.shutdown_background();
    left
}

/// A chunk that was taken and not yet acknowledged.
struct HeldChunk {
    /// Where to acknowledge.
    acknowledge: async_nats::Subject,
    task: Task,
    /// Where the result goes.
    result: String,
    patience: Duration,
    /// When the server was last told that it is in progress.
    spoken: Instant,
    is_done: bool,
}

struct Worker<'a> {
    link: Link,
    id: String,
    config: &'a WorkerConfig,
    queue: Arc<Queue>,
    done: mpsc::UnboundedReceiver<Done>,
    sent: (mpsc::UnboundedSender<u64>, mpsc::UnboundedReceiver<u64>),
    taking: Taking,
    held: HashMap<u64, HeldChunk>,
    next: u64,
    began: Instant,
    worked: Instant,
    /// When the server was last reachable.
    there: Instant,
    stats: Stats,
}

/// Counts of finished work, and recent rates.
struct Stats {
    chunks: u64,
    jobs: u64,
    lately: (Instant, u64, f64),
    rate: f64,
    busy: f64,
    /// Moving average of the time per chunk.
    chunk_seconds: Option<f64>,
}

impl Stats {
    fn new() -> Self {
        Self {
            chunks: 0,
            jobs: 0,
            lately: (Instant::now(), 0, 0.0),
            rate: 0.0,
            busy: 0.0,
            chunk_seconds: None,
        }
    }

    fn done(&mut self, jobs: u32, seconds: f64) {
        self.chunks += 1;
        self.jobs += u64::from(jobs);
        let before = self.chunk_seconds.unwrap_or(seconds);
        self.chunk_seconds = Some(0.8 * before + 0.2 * seconds);
    }

    /// Updates the rates since the last call.
    fn look(&mut self, busy_seconds: f64, cores: usize) {
        let (since, jobs, busy) = self.lately;
        let seconds = since.elapsed().as_secs_f64().max(1e-3);
        self.rate = (self.jobs - jobs) as f64 / seconds;
        self.busy = ((busy_seconds - busy) / seconds / cores as f64).clamp(0.0, 1.0);
        self.lately = (Instant::now(), self.jobs, busy_seconds);
    }
}

impl<'a> Worker<'a> {
    async fn join(
        address: &Address,
        config: &'a WorkerConfig,
        handler: &Arc<dyn JobHandler>,
    ) -> Result<Self, WorkerError> {
        let id = new_id();
        let link = Link::open(address, Role::Worker(id.clone())).await?;
        let taking = Taking::begin(&link).await?;
        let (over, done) = mpsc::unbounded_channel();
        let queue = Queue::start(config.cores, handler, &over)
            .map_err(|error| WorkerError::System(error.to_string()))?;
        Ok(Self {
            link,
            id,
            config,
            queue,
            done,
            sent: mpsc::unbounded_channel(),
            taking,
            held: HashMap::new(),
            next: 0,
            began: Instant::now(),
            worked: Instant::now(),
            there: Instant::now(),
            stats: Stats::new(),
        })
    }

    async fn work(&mut self) -> Result<Left, WorkerError> {
        let mut asked = (self.link.client.subscribe(WHO).await)
            .map_err(|error| WorkerError::System(error.to_string()))?;
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut presence = tokio::time::interval(PRESENCE);
        presence.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            self.taking.want(&self.link, self.chunks_to_request()).await;
            tokio::select! {
                reply = self.taking.next_reply() => self.on_reply(reply)?,
                Some(done) = self.done.recv() => self.computed(done),
                Some(place) = self.sent.1.recv() => { self.held.remove(&place); }
                Some(_) = asked.next() => self.tell(false).await,
                _ = presence.tick() => {
                    self.stats.look(self.queue.busy_seconds(), self.config.cores);
                    self.tell(false).await;
                }
                _ = tick.tick() => {
                    if let Some(left) = self.maintain().await? {
                        return Ok(left);
                    }
                }
            }
        }
    }

    /// How many more chunks to request: one per core, and a reserve so that no core waits for the next; small if chunks are
    /// long, since a large reserve starves other workers. Requests only when half of the reserve is used, so that one request brings many.
    fn chunks_to_request(&self) -> usize {
        let at_hand = 0.02 / self.stats.chunk_seconds.unwrap_or(0.02).max(1e-4);
        let reserve = (self.config.cores as f64 * at_hand.min(1.0)).ceil() as usize;
        let waiting = self.held.values().filter(|held| !held.is_done).count();
        let wanted = (self.config.cores + reserve).saturating_sub(waiting);
        if wanted < reserve / 2 { 0 } else { wanted }
    }

    fn on_reply(&mut self, reply: Reply) -> Result<(), WorkerError> {
        let Reply::Task {
            subject,
            acknowledge,
            payload,
            delivered,
        } = reply
        else {
            return Ok(());
        };
        let task = unpack::<Task>(&payload).zip(Slot::result_of(&subject));
        let Some((task, result)) = task else {
            // This version cannot read it: its coordinator will notice the silence.
            return Ok(());
        };
        if task.version != VERSION {
            self.answer(&acknowledge, AckKind::Nak(None));
            return Err(WorkerError::Version {
                study: task.study,
                theirs: task.version,
            });
        }
        self.worked = Instant::now();
        let place = self.next;
        self.next += 1;
        self.queue.add(Job {
            place,
            body: task.body.clone(),
            apart: delivered >= SUSPICIOUS,
        });
        let held = HeldChunk {
            acknowledge,
            result,
            patience: Duration::from_millis(u64::from(task.patience)),
            task,
            spoken: Instant::now(),
            is_done: false,
        };
        self.held.insert(place, held);
        Ok(())
    }

    /// Sends the result of a chunk while the cores continue.
    fn computed(&mut self, done: Done) {
        self.worked = Instant::now();
        let Some(held) = self.held.get_mut(&done.place) else {
            return;
        };
        held.is_done = true;
        self.stats.done(held.task.jobs, done.seconds);
        let outcome = match done.outcome {
            Ok(results) => Outcome::Done(results.into()),
            Err(why) => Outcome::Failed(why),
        };
        let answer = Answer {
            version: VERSION.to_owned(),
            study: held.task.study.clone(),
            token: held.task.token,
            worker: self.id.clone(),
            seconds: done.seconds,
            outcome,
        };
        let sending = send(
            self.link.clone(),
            held.result.clone(),
            pack(&answer).into(),
            held.acknowledge.clone(),
        );
        let sent = self.sent.0.clone();
        tokio::spawn(async move {
            sending.await;
            // The receiver is gone when the worker has left.
            let _ = sent.send(done.place);
        });
    }

    /// Periodic maintenance.
    async fn maintain(&mut self) -> Result<Option<Left>, WorkerError> {
        if let Some(fault) = self.link.fault() {
            return Err(fault.into());
        }
        if self.config.stop.load(Ordering::Relaxed) {
            return Ok(Some(Left::Stopped));
        }
        self.taking.maintain(&self.link).await;
        let mut late = Vec::new();
        for held in self.held.values_mut() {
            if held.spoken.elapsed() > held.patience / 3 {
                held.spoken = Instant::now();
                late.push(held.acknowledge.clone());
            }
        }
        for acknowledge in late {
            self.answer(&acknowledge, AckKind::Progress);
        }
        if !self.held.is_empty() {
            self.worked = Instant::now();
        }
        if self.link.client.connection_state() == State::Connected {
            self.there = Instant::now();
        }
        if self
            .config
            .away
            .is_some_and(|most| self.there.elapsed() >= most)
        {
            return Ok(Some(Left::Away));
        }
        let idle = self
            .config
            .idle
            .is_some_and(|most| self.worked.elapsed() >= most);
        Ok(idle.then_some(Left::Idle))
    }

    fn answer(&self, acknowledge: &async_nats::Subject, kind: AckKind) {
        let (client, subject) = (self.link.client.clone(), acknowledge.clone());
        tokio::spawn(async move {
            // If it is lost, the task is delivered again.
            let _ = client.publish(subject, kind.into()).await;
        });
    }

    /// Reports its presence; a lost report does no harm.
    async fn tell(&self, leaving: bool) {
        let presence = Presence {
            id: self.id.clone(),
            name: self.config.name.clone(),
            version: VERSION.to_owned(),
            cores: self.config.cores,
            held: self.held.len(),
            chunks: self.stats.chunks,
            jobs: self.stats.jobs,
            jobs_per_second: self.stats.rate,
            busy: self.stats.busy,
            seconds: self.began.elapsed().as_secs_f64(),
            leaving,
        };
        let text = serde_json::to_vec(&presence).expect("plain data can be written");
        let _ = self
            .link
            .client
            .publish(presence_of(&self.id), text.into())
            .await;
    }

    /// Returns chunks that are not started, finishes the rest as long as there is time, and reports that it leaves.
    async fn leave(&mut self) {
        for place in self.queue.close() {
            if let Some(held) = self.held.remove(&place) {
                self.answer(&held.acknowledge, AckKind::Nak(None));
            }
        }
        self.tell(true).await;
        let end = tokio::time::Instant::now() + GRACE;
        while !self.held.is_empty() {
            tokio::select! {
                Some(done) = self.done.recv() => self.computed(done),
                Some(place) = self.sent.1.recv() => { self.held.remove(&place); }
                () = tokio::time::sleep_until(end) => break,
            }
        }
        for held in self.held.values() {
            self.answer(&held.acknowledge, AckKind::Nak(None));
        }
        let _ = tokio::time::timeout(Duration::from_secs(2), self.link.client.drain()).await;
        tokio::task::yield_now().await;
    }
}

/// Sends a result until it is stored, then acknowledges the task.
async fn send(link: Link, subject: String, answer: Bytes, acknowledge: async_nats::Subject) {
    let until = Instant::now() + SENDING;
    loop {
        let sent = match link.streams.publish(subject.clone(), answer.clone()).await {
            Ok(kept) => kept.await,
            Err(error) => Err(error),
        };
        match sent {
            Ok(_) => break,
            // Another worker was faster: its result is as good.
            Err(error) if is_taken(&error) => break,
            // Too large: other workers would fail as well, and the coordinator reports it.
            Err(error) if error.kind() == PublishErrorKind::MaxPayloadExceeded => return,
            Err(_) if Instant::now() > until || link.fault().is_some() => return,
            Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
    // A task whose acknowledgement is lost is done again, and its result refused.
    let _ = link.client.publish(acknowledge, AckKind::Ack.into()).await;
}

/// Is there a result already?
fn is_taken(error: &PublishError) -> bool {
    let source = std::error::Error::source(error);
    source.is_some_and(|source| source.to_string().contains("maximum messages per subject"))
}

fn new_id() -> String {
    let mut bytes = [0; 6];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
