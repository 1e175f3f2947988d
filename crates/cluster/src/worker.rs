//! A worker: does the chunks that coordinators send it, on all its cores, and sends the results.
//!
//! It remembers nothing: a coordinator asks what it holds, and gives what was lost on the way to somebody again.

mod queue;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;

use self::queue::{Done, Job, Queue};
use crate::address::Address;
use crate::identity::Identity;
use crate::link::{Link, LinkError, Role};
use crate::wire::{
    self, Answer, Message, Order, Outcome, Presence, Task, VERSION, WHO, orders_to, pack, sent_by,
    unpack,
};

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
    /// Called with messages for the user.
    pub tell: fn(&str),
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

/// A stopped worker must exit within 20 seconds.
const GRACE: Duration = Duration::from_secs(15);
/// How often it reports its presence.
const PRESENCE: Duration = Duration::from_secs(2);
const TICK: Duration = Duration::from_millis(100);
/// After this long without the server the user is told.
const AWAY: Duration = Duration::from_secs(3);

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

struct Worker<'a> {
    link: Link,
    identity: Identity,
    config: &'a WorkerConfig,
    queue: Arc<Queue>,
    done: mpsc::UnboundedReceiver<Done>,
    sent: (mpsc::UnboundedSender<u64>, mpsc::UnboundedReceiver<u64>),
    /// Chunks whose results are not sent yet.
    held: HashMap<u64, Task>,
    next: u64,
    began: Instant,
    worked: Instant,
    /// When the server was last reachable.
    there: Instant,
    reported_away: bool,
    stats: Stats,
}

/// Counts of finished work, and recent rates.
struct Stats {
    chunks: u64,
    jobs: u64,
    lately: (Instant, u64, f64),
    rate: f64,
    busy: f64,
}

impl Stats {
    fn new() -> Self {
        Self {
            chunks: 0,
            jobs: 0,
            lately: (Instant::now(), 0, 0.0),
            rate: 0.0,
            busy: 0.0,
        }
    }

    fn done(&mut self, jobs: u32) {
        self.chunks += 1;
        self.jobs += u64::from(jobs);
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
        let identity = Identity::new();
        let link = Link::open(address, Role::Worker(identity.clone())).await?;
        let (over, done) = mpsc::unbounded_channel();
        let queue = Queue::start(config.cores, handler, &over)
            .map_err(|error| WorkerError::System(error.to_string()))?;
        Ok(Self {
            link,
            identity,
            config,
            queue,
            done,
            sent: mpsc::unbounded_channel(),
            held: HashMap::new(),
            next: 0,
            began: Instant::now(),
            worked: Instant::now(),
            there: Instant::now(),
            reported_away: false,
            stats: Stats::new(),
        })
    }

    async fn work(&mut self) -> Result<Left, WorkerError> {
        let mut orders = self.subscribe(orders_to(&self.identity.name())).await?;
        let mut asked = self.subscribe(WHO.to_owned()).await?;
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut presence = tokio::time::interval(PRESENCE);
        presence.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                Some(order) = orders.next() => self.on_order(&order.payload).await?,
                Some(done) = self.done.recv() => self.computed(done),
                Some(place) = self.sent.1.recv() => { self.held.remove(&place); }
                Some(_) = asked.next() => self.report_presence(false).await,
                _ = presence.tick() => {
                    self.stats.look(self.queue.busy_seconds(), self.config.cores);
                    self.report_presence(false).await;
                }
                _ = tick.tick() => {
                    if let Some(left) = self.maintain()? {
                        return Ok(left);
                    }
                }
            }
        }
    }

    async fn subscribe(&self, subject: String) -> Result<async_nats::Subscriber, WorkerError> {
        let subscribed = self.link.client.subscribe(subject).await;
        subscribed.map_err(|error| WorkerError::System(error.to_string()))
    }

    /// Orders that this version cannot read are of another version's coordinator.
    async fn on_order(&mut self, payload: &Bytes) -> Result<(), WorkerError> {
        match unpack::<Order>(payload) {
            Some(Order::Do(task)) => self.take(task),
            Some(Order::List {
                session,
                batch,
                request,
            }) => self.list(&session, batch, request).await,
            Some(Order::Forget { session, batch }) => {
                self.forget(|task| task.session == session && task.batch == batch);
            }
            Some(Order::Refuse { study, version }) if version != VERSION => {
                return Err(WorkerError::Version {
                    study: wire::shown(&study),
                    theirs: wire::shown(&version),
                });
            }
            Some(Order::Refuse { .. }) | None => {}
        }
        Ok(())
    }

    fn take(&mut self, task: Task) {
        // Of a coordinator that was started again nothing older is needed.
        self.forget(|held| held.key == task.key && held.session != task.session);
        if self.holds(&task) {
            return;
        }
        self.worked = Instant::now();
        let place = self.next;
        self.next += 1;
        self.queue.add(Job {
            place,
            body: task.body.clone(),
            apart: task.apart,
        });
        self.held.insert(place, task);
    }

    /// Is it at this chunk already? It was thought to be lost then, and will be answered.
    fn holds(&self, task: &Task) -> bool {
        let place = |task: &Task| (task.batch, task.chunk);
        let mut held = self.held.values();
        held.any(|held| held.session == task.session && place(held) == place(task))
    }

    /// Drops chunks that are not started; of the others nobody will take the results.
    fn forget(&mut self, is_stale: impl Fn(&Task) -> bool) {
        let held = &self.held;
        let dropped = self
            .queue
            .drop_waiting(|place| held.get(&place).is_some_and(&is_stale));
        for place in dropped {
            self.held.remove(&place);
        }
    }

    async fn list(&self, session: &str, batch: u64, request: u64) {
        let is_of_batch = |task: &&Task| task.session == session && task.batch == batch;
        let mine = self.held.values().filter(is_of_batch);
        let chunks = mine.map(|task| task.chunk).collect();
        let holds = Message::Holds {
            batch,
            request,
            chunks,
        };
        self.send(session, &holds).await;
    }

    /// Lost messages are noticed by the coordinator.
    async fn send(&self, session: &str, message: &Message) {
        let subject = sent_by(&self.identity.name(), session);
        self.link.send(subject, pack(message)).await;
    }

    /// Sends the result of a chunk while the cores continue.
    fn computed(&mut self, done: Done) {
        self.worked = Instant::now();
        let Some(task) = self.held.get(&done.place) else {
            return;
        };
        self.stats.done(task.jobs);
        let outcome = match done.outcome {
            Ok(results) => Outcome::Done(results.into()),
            Err(why) => Outcome::Failed(why),
        };
        let mut answer = Answer {
            batch: task.batch,
            chunk: task.chunk,
            seconds: done.seconds,
            outcome,
        };
        let mut message = pack(&Message::Answer(answer.clone()));
        let most = self.link.client.server_info().max_payload;
        if message.len() > most {
            answer.outcome = Outcome::Failed(format!(
                "its result takes {} bytes, and the server accepts {most}",
                message.len()
            ));
            message = pack(&Message::Answer(answer));
        }
        let subject = sent_by(&self.identity.name(), &task.session);
        let (client, sent) = (self.link.client.clone(), self.sent.0.clone());
        tokio::spawn(async move {
            // If it is lost, the coordinator notices that it is neither held nor answered.
            let _ = client.publish(subject, message.into()).await;
            // The receiver is gone when the worker has left.
            let _ = sent.send(done.place);
        });
    }

    /// Periodic maintenance.
    fn maintain(&mut self) -> Result<Option<Left>, WorkerError> {
        if let Some(fault) = self.link.fault() {
            return Err(fault.into());
        }
        if self.config.stop.load(Ordering::Relaxed) {
            return Ok(Some(Left::Stopped));
        }
        if !self.held.is_empty() {
            self.worked = Instant::now();
        }
        self.watch_connection();
        let is_over = |since: Instant, most: Option<Duration>| {
            most.is_some_and(|most| since.elapsed() >= most)
        };
        if is_over(self.there, self.config.away) {
            return Ok(Some(Left::Away));
        }
        Ok(is_over(self.worked, self.config.idle).then_some(Left::Idle))
    }

    fn watch_connection(&mut self) {
        let url = &self.link.url;
        if self.link.is_connected() {
            self.there = Instant::now();
            if std::mem::take(&mut self.reported_away) {
                (self.config.tell)(&format!("connected to {url} again"));
            }
        } else if self.there.elapsed() >= AWAY && !self.reported_away {
            self.reported_away = true;
            (self.config.tell)(&format!(
                "the server at {url} is not reachable; trying again"
            ));
        }
    }

    /// Reports its presence; a lost report does no harm.
    async fn report_presence(&self, leaving: bool) {
        let presence = Presence {
            id: self.identity.name(),
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
        let subject = sent_by(&presence.id, wire::PRESENCE);
        self.link.send(subject, text).await;
    }

    /// Returns chunks that are not started, finishes the rest as long as there is time, and reports that it leaves.
    async fn leave(&mut self) {
        let waiting = self.queue.close();
        self.give_back(&waiting).await;
        self.report_presence(true).await;
        let end = tokio::time::Instant::now() + GRACE;
        while !self.held.is_empty() {
            tokio::select! {
                Some(done) = self.done.recv() => self.computed(done),
                Some(place) = self.sent.1.recv() => { self.held.remove(&place); }
                () = tokio::time::sleep_until(end) => break,
            }
        }
        let unfinished: Vec<u64> = self.held.keys().copied().collect();
        self.give_back(&unfinished).await;
        let _ = tokio::time::timeout(Duration::from_secs(2), self.link.client.drain()).await;
        tokio::task::yield_now().await;
    }

    async fn give_back(&mut self, places: &[u64]) {
        for place in places {
            let Some(task) = self.held.remove(place) else {
                continue;
            };
            let returns = Message::Returns {
                batch: task.batch,
                chunks: vec![task.chunk],
            };
            self.send(&task.session, &returns).await;
        }
    }
}
