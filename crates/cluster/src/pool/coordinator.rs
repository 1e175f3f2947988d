//! State shared by all batches of a coordinator: the streams, the known workers, and incoming messages.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use bytes::Bytes;
use futures_util::StreamExt;
use tokio::sync::watch;

use super::streams::Streams;
use super::{PoolError, Settings};
use crate::link::Link;
use crate::wire::{Presence, Report, Slot, VERSION, WHO, presence_of, report_of};

/// How often the server is checked.
const LOOK: Duration = Duration::from_secs(1);
/// How often it reports its status.
const REPORT: Duration = Duration::from_secs(2);
/// A worker is gone after this long without a sign of life.
const GONE: Duration = Duration::from_secs(7);

/// An incoming message for a batch.
pub(super) enum Incoming {
    /// A result of this chunk.
    Result(u64, Bytes),
    /// Whether a worker's result of this chunk is right.
    Verdict(u64, bool),
}

/// State shared by all batches.
pub(super) struct Coordinator {
    pub(super) link: Link,
    pub(super) settings: Settings,
    /// The id of this session.
    session: String,
    /// Known only to this coordinator.
    secret: [u8; 32],
    streams: RwLock<Streams>,
    /// Changes whenever the server has lost everything.
    epoch: watch::Sender<u64>,
    inboxes: Mutex<HashMap<u64, Sender<Incoming>>>,
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
        let streams = Streams::open(&link, settings.patience).await?;
        streams.clear(&format!("{}.>", settings.key)).await;
        let mut random = [0; 40];
        let filled = getrandom::fill(&mut random);
        filled.map_err(|error| PoolError::System(error.to_string()))?;
        let (session, secret) = random.split_at(8);
        let coordinator = Arc::new(Self {
            session: session.iter().map(|byte| format!("{byte:02x}")).collect(),
            secret: secret.try_into().expect("32 of the 40 bytes"),
            streams: RwLock::new(streams),
            epoch: watch::channel(0).0,
            inboxes: Mutex::default(),
            batches: AtomicU64::new(0),
            registry: WorkerRegistry::default(),
            counters: Counters::default(),
            began: Instant::now(),
            link,
            settings,
        });
        coordinator.listen_to_workers().await?;
        tokio::spawn(Arc::clone(&coordinator).read_results());
        tokio::spawn(Arc::clone(&coordinator).watch_server());
        tokio::spawn(Arc::clone(&coordinator).report());
        Ok(coordinator)
    }

    /// A new batch: its number, and the channel of its messages.
    pub(super) fn new_batch(&self) -> (u64, Receiver<Incoming>, Sender<Incoming>) {
        let number = self.batches.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = channel();
        self.inboxes().insert(number, sender.clone());
        (number, receiver, sender)
    }

    pub(super) fn end_batch(&self, number: u64) {
        self.inboxes().remove(&number);
    }

    pub(super) fn slot(&self, batch: u64, chunk: u64) -> Slot {
        Slot {
            key: self.settings.key.clone(),
            session: self.session.clone(),
            batch,
            chunk,
        }
    }

    /// The tail of all subjects of a batch.
    pub(super) fn tail(&self, batch: u64) -> String {
        format!("{}.{}.{batch}.>", self.settings.key, self.session)
    }

    /// A token that proves that a worker has seen the task.
    pub(super) fn token(&self, batch: u64, chunk: u64) -> u64 {
        self.keyed(&[batch, chunk, 0])
    }

    /// Should the result of this chunk be verified? Workers cannot predict it.
    pub(super) fn is_to_be_checked(&self, batch: u64, chunk: u64) -> bool {
        let drawn = self.keyed(&[batch, chunk, 1]) as f64 / u64::MAX as f64;
        drawn < self.settings.checked
    }

    fn keyed(&self, numbers: &[u64]) -> u64 {
        let mut hasher = blake3::Hasher::new_keyed(&self.secret);
        for number in numbers {
            hasher.update(&number.to_le_bytes());
        }
        let hash = hasher.finalize();
        u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("8 of 32 bytes"))
    }

    pub(super) fn streams(&self) -> Streams {
        self.streams.read().expect("mutex poisoned").clone()
    }

    pub(super) fn epoch(&self) -> u64 {
        *self.epoch.borrow()
    }

    pub(super) fn tell(&self, text: impl Into<String>) {
        (self.settings.tell)(text.into());
    }

    fn inboxes(&self) -> MutexGuard<'_, HashMap<u64, Sender<Incoming>>> {
        self.inboxes.lock().expect("mutex poisoned")
    }

    /// Removes everything of this coordinator from the server.
    pub(super) fn clear_away(&self) -> impl Future<Output = ()> + use<> {
        let (streams, key) = (self.streams(), self.settings.key.clone());
        async move { streams.clear(&format!("{key}.>")).await }
    }

    async fn listen_to_workers(self: &Arc<Self>) -> Result<(), PoolError> {
        let listening = self.link.client.subscribe(presence_of("*")).await;
        let mut heard = listening.map_err(|error| PoolError::System(error.to_string()))?;
        let _ = self.link.client.publish(WHO, Bytes::new()).await;
        let coordinator = Arc::clone(self);
        tokio::spawn(async move {
            while let Some(message) = heard.next().await {
                if let Ok(presence) = serde_json::from_slice::<Presence>(&message.payload)
                    && let Some(text) = coordinator.registry.register(presence)
                {
                    coordinator.tell(text);
                }
            }
        });
        Ok(())
    }

    /// Forwards results to their batches; starts over whenever the connection or the stream was lost.
    async fn read_results(self: Arc<Self>) {
        let mut epoch = self.epoch.subscribe();
        loop {
            epoch.mark_unchanged();
            tokio::select! {
                () = self.read_stream() => tokio::time::sleep(Duration::from_millis(200)).await,
                _ = epoch.changed() => {}
            }
        }
    }

    async fn read_stream(&self) {
        let config = pull::OrderedConfig {
            filter_subject: format!("gamete.results.{}.{}.>", self.settings.key, self.session),
            deliver_policy: DeliverPolicy::All,
            ..pull::OrderedConfig::default()
        };
        let Ok(consumer) = self.streams().results.create_consumer(config).await else {
            return;
        };
        let Ok(mut messages) = consumer.messages().await else {
            return;
        };
        while let Some(Ok(message)) = messages.next().await {
            if let Some(slot) = Slot::read(&message.subject)
                && let Some(inbox) = self.inboxes().get(&slot.batch)
            {
                // The batch may just have ended.
                let _ = inbox.send(Incoming::Result(slot.chunk, message.payload.clone()));
            }
        }
    }

    /// Recreates streams that the server has lost.
    async fn watch_server(self: Arc<Self>) {
        loop {
            tokio::time::sleep(LOOK).await;
            self.registry.count();
            let Ok(found) = Streams::open(&self.link, self.settings.patience).await else {
                continue;
            };
            let mut known = self.streams.write().expect("mutex poisoned");
            let is_lost = known.made != found.made;
            *known = found;
            drop(known);
            if is_lost {
                self.epoch.send_modify(|epoch| *epoch += 1);
                self.tell("the server has lost its tasks; the missing ones are published again");
            }
        }
    }

    async fn report(self: Arc<Self>) {
        let (mut jobs, mut since) = (0, Instant::now());
        loop {
            tokio::time::sleep(REPORT).await;
            let all = self.counters.jobs.load(Ordering::Relaxed);
            let rate = (all - jobs) as f64 / since.elapsed().as_secs_f64();
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
            let _ = self
                .link
                .client
                .publish(report_of(&self.settings.key), text.into())
                .await;
        }
    }
}

/// How far a worker is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// No result was checked yet.
    New,
    /// Its first result is being checked.
    OnProbation,
    /// Its first result was right.
    Proven,
    /// It returned a wrong result.
    Banned,
}

/// The workers.
#[derive(Debug, Default)]
pub(super) struct WorkerRegistry {
    present: Mutex<HashMap<String, (Presence, Instant)>>,
    standings: Mutex<HashMap<String, Standing>>,
    refused: Mutex<HashSet<String>>,
    /// Updated when a worker joins or leaves, since it is needed for every chunk.
    slots: AtomicUsize,
}

impl WorkerRegistry {
    /// Registers a worker's presence; returns a message for the user, if any.
    fn register(&self, presence: Presence) -> Option<String> {
        if presence.version != VERSION {
            let Presence {
                name, id, version, ..
            } = &presence;
            return self.refuse(id, format!(
                "the worker {name} ({id}) is refused: it runs gamete {version}, and this study is run by {VERSION}"
            ));
        }
        let mut present = self.present.lock().expect("mutex poisoned");
        let has_changed = if presence.leaving {
            present.remove(&presence.id).is_some()
        } else {
            let cores = presence.cores;
            let before = present.insert(presence.id.clone(), (presence, Instant::now()));
            before.is_none_or(|(before, _)| before.cores != cores)
        };
        drop(present);
        if has_changed {
            self.count();
        }
        None
    }

    /// The text, if this is the worker's first refusal.
    pub(super) fn refuse(&self, id: &str, text: String) -> Option<String> {
        let mut refused = self.refused.lock().expect("mutex poisoned");
        refused.insert(id.to_owned()).then_some(text)
    }

    /// Its display name.
    pub(super) fn name(&self, id: &str) -> String {
        let present = self.present.lock().expect("mutex poisoned");
        match present.get(id) {
            Some((presence, _)) => format!("{} ({id})", presence.name),
            None => id.to_owned(),
        }
    }

    /// Total number of concurrent chunks.
    pub(super) fn slots(&self) -> usize {
        self.slots.load(Ordering::Relaxed)
    }

    /// Removes workers that are gone, and counts the rest.
    fn count(&self) {
        let mut present = self.present.lock().expect("mutex poisoned");
        present.retain(|_, (_, heard)| heard.elapsed() < GONE);
        let standings = self.standings.lock().expect("mutex poisoned");
        let is_good = |id: &String| standings.get(id) != Some(&Standing::Banned);
        let good = present.iter().filter(|(id, _)| is_good(id));
        let slots = good.map(|(_, (presence, _))| presence.cores).sum();
        self.slots.store(slots, Ordering::Relaxed);
    }

    pub(super) fn standing(&self, id: &str) -> Standing {
        let standings = self.standings.lock().expect("mutex poisoned");
        standings.get(id).copied().unwrap_or(Standing::New)
    }

    pub(super) fn set_standing(&self, id: &str, standing: Standing) {
        let mut standings = self.standings.lock().expect("mutex poisoned");
        standings.insert(id.to_owned(), standing);
        drop(standings);
        if standing == Standing::Banned {
            self.count();
        }
    }
}
