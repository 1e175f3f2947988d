//! State shared by all batches of a coordinator: the known workers, incoming messages, and verification.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::StreamExt;

use super::registry::{Registered, Standing, WorkerId, WorkerRegistry};
use super::{PoolError, Settings};
use crate::link::Link;
use crate::wire::{
    Message, Order, PRESENCE, Presence, Report, VERSION, WHO, orders_to, pack, report_of, sender,
    sent_by, unpack,
};

/// How often the connection and the workers are looked at.
const LOOK: Duration = Duration::from_secs(1);
/// How often it reports its status.
const REPORT: Duration = Duration::from_secs(2);

/// An incoming message for a batch.
pub(super) enum Incoming {
    /// From a worker.
    Message(WorkerId, Message),
    /// A chunk that was done here.
    Local(u64, Result<Bytes, String>),
}

/// A chunk to do here.
pub(super) struct LocalTask {
    pub(super) batch: u64,
    pub(super) chunk: u64,
    pub(super) body: Bytes,
    /// In a separate process, since it may crash.
    pub(super) apart: bool,
}

/// State shared by all batches.
pub(super) struct Coordinator {
    pub(super) link: Link,
    pub(super) settings: Settings,
    /// The id of this session.
    pub(super) session: String,
    /// Known only to this coordinator.
    secret: [u8; 32],
    inboxes: Mutex<HashMap<u64, Sender<Incoming>>>,
    local: Mutex<Sender<LocalTask>>,
    batches: AtomicU64,
    pub(super) registry: WorkerRegistry,
    pub(super) counters: Counters,
    began: Instant,
}

/// Counts of finished work.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) jobs: AtomicU64,
    pub(super) on_their_way: AtomicU64,
    pub(super) checked: AtomicU64,
    /// Seconds per job, as bits: the first estimate of the next batch.
    pace: AtomicU64,
}

impl Counters {
    pub(super) fn pace(&self) -> Option<f64> {
        let pace = f64::from_bits(self.pace.load(Ordering::Relaxed));
        (pace > 0.0).then_some(pace)
    }

    pub(super) fn keep_pace(&self, pace: f64) {
        self.pace.store(pace.to_bits(), Ordering::Relaxed);
    }
}

impl fmt::Debug for Coordinator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Coordinator");
        shown
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl Coordinator {
    pub(super) async fn open(link: Link, settings: Settings) -> Result<Arc<Self>, PoolError> {
        let mut random = [0; 40];
        let filled = getrandom::fill(&mut random);
        filled.map_err(|error| PoolError::System(error.to_string()))?;
        let (session, secret) = random.split_at(8);
        let (local, tasks) = channel();
        let coordinator = Arc::new(Self {
            session: session.iter().map(|byte| format!("{byte:02x}")).collect(),
            secret: secret.try_into().expect("32 of the 40 bytes"),
            inboxes: Mutex::default(),
            local: Mutex::new(local),
            batches: AtomicU64::new(0),
            registry: WorkerRegistry::default(),
            counters: Counters::default(),
            began: Instant::now(),
            link,
            settings,
        });
        coordinator.work_locally(tasks)?;
        coordinator.listen().await?;
        tokio::spawn(Arc::clone(&coordinator).look());
        tokio::spawn(Arc::clone(&coordinator).report());
        Ok(coordinator)
    }

    /// A new batch: its number, and the channel of its messages.
    pub(super) fn new_batch(&self) -> (u64, Receiver<Incoming>) {
        let number = self.batches.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = channel();
        self.inboxes().insert(number, sender);
        (number, receiver)
    }

    pub(super) fn end_batch(&self, number: u64) {
        self.inboxes().remove(&number);
    }

    /// Which of so many jobs of a chunk are to be verified here? Workers cannot predict it.
    pub(super) fn to_be_checked(&self, batch: u64, chunk: u64, jobs: usize) -> Range<usize> {
        let wanted = self.settings.checked * jobs as f64 + self.draw(&[batch, chunk, 0]);
        let count = (wanted as usize).min(jobs);
        let start = (self.draw(&[batch, chunk, 2]) * (jobs - count + 1) as f64) as usize;
        start..start + count
    }

    /// Should two workers do this chunk?
    pub(super) fn is_to_be_doubled(&self, batch: u64, chunk: u64) -> bool {
        self.draw(&[batch, chunk, 1]) < self.settings.doubled
    }

    /// A number below 1 that only this coordinator can know.
    fn draw(&self, numbers: &[u64]) -> f64 {
        let mut hasher = blake3::Hasher::new_keyed(&self.secret);
        for number in numbers {
            hasher.update(&number.to_le_bytes());
        }
        let hash = hasher.finalize();
        let number = u32::from_le_bytes(hash.as_bytes()[..4].try_into().expect("4 of 32 bytes"));
        f64::from(number) / (f64::from(u32::MAX) + 1.0)
    }

    /// Sends an order. What is lost is noticed later.
    pub(super) async fn order(&self, worker: &str, order: &Order) {
        self.link.send(orders_to(worker), pack(order)).await;
    }

    /// Does a chunk here; its batch gets the result.
    pub(super) fn do_locally(&self, task: LocalTask) {
        let local = self.local.lock().expect("mutex poisoned");
        // The thread ends with the process.
        let _ = local.send(task);
    }

    pub(super) fn tell(&self, text: impl Into<String>) {
        (self.settings.tell)(text.into());
    }

    /// A worker returned a wrong result: nothing of it is taken any more, and what was taken is done again.
    pub(super) fn ban(&self, worker: &str) {
        if self.registry.set_standing(worker, Standing::Banned) == Standing::Banned {
            return;
        }
        (self.settings.found_wrong)(worker);
        self.tell(format!(
            "the worker {} returned a wrong result (verified here): nothing of it is accepted any more, and what was not verified \
             is done again",
            self.registry.name(worker)
        ));
    }

    fn inboxes(&self) -> MutexGuard<'_, HashMap<u64, Sender<Incoming>>> {
        self.inboxes.lock().expect("mutex poisoned")
    }

    fn deliver(&self, batch: u64, incoming: Incoming) {
        if let Some(inbox) = self.inboxes().get(&batch) {
            // The batch may just have ended.
            let _ = inbox.send(incoming);
        }
    }

    /// One thread for verification, so that it never takes more than a core.
    fn work_locally(self: &Arc<Self>, tasks: Receiver<LocalTask>) -> Result<(), PoolError> {
        let (handler, coordinator) = (Arc::clone(&self.settings.handler), Arc::downgrade(self));
        let work = move || {
            for task in tasks {
                let done = match task.apart {
                    true => handler.work_apart(&task.body),
                    false => handler.work(&task.body),
                };
                let Some(coordinator) = coordinator.upgrade() else {
                    return;
                };
                let done = Incoming::Local(task.chunk, done.map(Bytes::from));
                coordinator.deliver(task.batch, done);
            }
        };
        let builder = std::thread::Builder::new().name("verify".to_owned());
        let started = builder.spawn(work);
        started.map_err(|error| PoolError::System(error.to_string()))?;
        Ok(())
    }

    async fn listen(self: &Arc<Self>) -> Result<(), PoolError> {
        let failed = |error: async_nats::SubscribeError| PoolError::System(error.to_string());
        let client = &self.link.client;
        let mut presences = client
            .subscribe(sent_by("*", PRESENCE))
            .await
            .map_err(failed)?;
        let mut messages = client
            .subscribe(sent_by("*", &self.session))
            .await
            .map_err(failed)?;
        self.link.send(WHO.to_owned(), Vec::new()).await;
        let coordinator = Arc::clone(self);
        tokio::spawn(async move {
            while let Some(message) = presences.next().await {
                if let Some(presence) = Presence::read(&message.subject, &message.payload) {
                    coordinator.on_presence(presence).await;
                }
            }
        });
        let coordinator = Arc::clone(self);
        tokio::spawn(async move {
            while let Some(message) = messages.next().await {
                let read = sender(&message.subject).zip(unpack::<Message>(&message.payload));
                if let Some((worker, message)) = read {
                    let batch = message.batch();
                    coordinator.deliver(batch, Incoming::Message(worker.into(), message));
                }
            }
        });
        Ok(())
    }

    async fn on_presence(&self, presence: Presence) {
        let id = presence.id.clone();
        if let Registered::Refused(text) = self.registry.register(presence) {
            let Some(text) = text else { return };
            self.tell(text);
            let refuse = Order::Refuse {
                study: self.settings.study.clone(),
                version: VERSION.to_owned(),
            };
            self.order(&id, &refuse).await;
        }
    }

    /// Watches the connection, and forgets workers that are long gone.
    async fn look(self: Arc<Self>) {
        let mut was_there = true;
        loop {
            tokio::time::sleep(LOOK).await;
            self.registry.prune(self.settings.patience);
            let is_there = self.link.is_connected();
            let url = &self.link.url;
            match (was_there, is_there) {
                (true, false) => {
                    self.tell(format!(
                        "the server at {url} is not reachable; trying again"
                    ));
                }
                (false, true) => {
                    self.tell(format!(
                        "the server at {url} is back; what it has lost is sent again"
                    ));
                    self.link.send(WHO.to_owned(), Vec::new()).await;
                }
                _ => {}
            }
            was_there = is_there;
        }
    }

    async fn report(self: Arc<Self>) {
        let (mut jobs, mut since) = (0, Instant::now());
        loop {
            tokio::time::sleep(REPORT).await;
            let all = self.counters.jobs.load(Ordering::Relaxed);
            let rate = all.saturating_sub(jobs) as f64 / since.elapsed().as_secs_f64();
            (jobs, since) = (all, Instant::now());
            let report = Report {
                key: self.settings.key.clone(),
                study: self.settings.study.clone(),
                version: VERSION.to_owned(),
                jobs,
                jobs_per_second: rate,
                on_their_way: self.counters.on_their_way.load(Ordering::Relaxed),
                checked: self.counters.checked.load(Ordering::Relaxed),
                seconds: self.began.elapsed().as_secs_f64(),
            };
            let text = serde_json::to_vec(&report).expect("plain data can be written");
            let subject = report_of(&self.settings.key);
            self.link.send(subject, text).await;
        }
    }
}
