//! Events of studies and runs, passed on to every open page.
//!
//! The latest events stand in a ring; a reader knows the number of the last one it was given and takes what came after. So a run never waits for a
//! reader, and one that is too slow for the ring has to load everything again.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use lab::run::event::{Event, Observer};
use tokio::sync::watch;

/// Events that are kept for readers that come back.
pub const KEPT: usize = 1000;
/// Progress of one run is passed on at most this often.
const PAUSE: Duration = Duration::from_millis(100);

/// An event as readers get it.
#[derive(Debug)]
pub struct HubEvent {
    /// Its number; numbers grow, even across restarts of the server.
    pub id: u64,
    /// The study it is about.
    pub study: String,
    /// The run it is about, if one.
    pub run: Option<String>,
    /// The event as JSON.
    pub text: String,
}

/// What a reader gets.
#[derive(Debug)]
pub enum Delivery {
    /// An event.
    Event(Arc<HubEvent>),
    /// Events were missed that are no longer kept: load everything again. The next event is the one after this number.
    Resync(u64),
}

/// What came after an event.
enum Next {
    Events(Vec<Arc<HubEvent>>),
    Resync(u64),
}

/// Takes events from studies and gives them to readers.
#[derive(Debug)]
pub struct Hub {
    ring: Mutex<Ring>,
    /// The number of the last event.
    last: watch::Sender<u64>,
}

#[derive(Debug)]
struct Ring {
    last: u64,
    events: VecDeque<Arc<HubEvent>>,
    /// By run: when its progress was last passed on, and what came since.
    progress: BTreeMap<String, Progress>,
}

#[derive(Debug)]
struct Progress {
    sent: Instant,
    waiting: Option<Event>,
}

impl Default for Hub {
    fn default() -> Self {
        // Numbers from the clock are greater than those of an earlier server.
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let first = now.map_or(0, |time| time.as_micros() as u64);
        let ring = Ring {
            last: first,
            events: VecDeque::with_capacity(KEPT),
            progress: BTreeMap::new(),
        };
        Self {
            ring: Mutex::new(ring),
            last: watch::Sender::new(first),
        }
    }
}

impl Hub {
    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().expect("mutex poisoned")
    }

    /// The number of the last event.
    #[must_use]
    pub fn last(&self) -> u64 {
        *self.last.borrow()
    }

    /// How many readers there are.
    #[must_use]
    pub fn readers(&self) -> usize {
        self.last.receiver_count()
    }

    /// What happened after the event of this number.
    fn after(&self, id: u64) -> Next {
        let ring = self.ring();
        let oldest = ring.events.front().map_or(ring.last + 1, |event| event.id);
        if id > ring.last || id + 1 < oldest {
            return Next::Resync(ring.last);
        }
        let skip = (id + 1 - oldest) as usize;
        Next::Events(ring.events.iter().skip(skip).cloned().collect())
    }

    /// The notes on a run that are still known.
    #[must_use]
    pub fn of_run(&self, run: &str) -> Vec<Arc<HubEvent>> {
        let ring = self.ring();
        let own = ring
            .events
            .iter()
            .filter(|event| event.run.as_deref() == Some(run));
        own.cloned().collect()
    }

    /// Passes on progress whose pause is over by now; says whether some is still waiting.
    pub fn flush(&self, now: Instant) -> bool {
        let mut ring = self.ring();
        let due: Vec<Event> = ring
            .progress
            .values_mut()
            .filter(|progress| now.duration_since(progress.sent) >= PAUSE)
            .filter_map(|progress| {
                let event = progress.waiting.take()?;
                progress.sent = now;
                Some(event)
            })
            .collect();
        due.iter().for_each(|event| ring.add(event));
        let waits = ring
            .progress
            .values()
            .any(|progress| progress.waiting.is_some());
        self.announce(&ring, !due.is_empty());
        waits
    }

    fn announce(&self, ring: &Ring, is_new: bool) {
        if is_new {
            self.last.send_replace(ring.last);
        }
    }

    /// Takes an event that happens now.
    pub fn hear_at(&self, event: &Event, now: Instant) {
        let mut ring = self.ring();
        let before = ring.last;
        match event {
            Event::Progress { run, .. } | Event::Measuring { run, .. } => {
                ring.throttle(run, event, now);
            }
            Event::RunOver { run, .. } | Event::FinalsBegan { run, .. } => {
                // Progress that waits comes before it.
                let waiting = ring
                    .progress
                    .remove(run)
                    .and_then(|progress| progress.waiting);
                waiting.iter().for_each(|event| ring.add(event));
                ring.add(event);
            }
            _ => ring.add(event),
        }
        let is_new = ring.last != before;
        self.announce(&ring, is_new);
    }
}

/// A reader of all events, in their order.
#[derive(Debug)]
pub struct Reader {
    hub: Arc<Hub>,
    /// The last event it has taken.
    seen: u64,
    ready: VecDeque<Arc<HubEvent>>,
    changes: watch::Receiver<u64>,
}

impl Reader {
    /// Listens from the event after this one; without one, from now on.
    #[must_use]
    pub fn new(hub: &Arc<Hub>, last: Option<u64>) -> Self {
        Self {
            changes: hub.last.subscribe(),
            seen: last.unwrap_or_else(|| hub.last()),
            ready: VecDeque::new(),
            hub: Arc::clone(hub),
        }
    }

    /// Waits for what comes next; none when the hub is gone.
    pub async fn next(&mut self) -> Option<Delivery> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Delivery::Event(event));
            }
            self.changes.borrow_and_update();
            match self.hub.after(self.seen) {
                Next::Resync(last) => {
                    self.seen = last;
                    return Some(Delivery::Resync(last));
                }
                Next::Events(events) => {
                    self.seen = events.last().map_or(self.seen, |event| event.id);
                    self.ready.extend(events);
                }
            }
            if self.ready.is_empty() {
                self.changes.changed().await.ok()?;
            }
        }
    }
}

impl Observer for Hub {
    fn hear(&self, event: &Event) {
        self.hear_at(event, Instant::now());
    }

    fn game_over(&self, _: &str) {}
}

impl Ring {
    fn throttle(&mut self, run: &str, event: &Event, now: Instant) {
        if let Some(progress) = self.progress.get_mut(run)
            && now.duration_since(progress.sent) < PAUSE
        {
            progress.waiting = Some(event.clone());
            return;
        }
        let sent = Progress {
            sent: now,
            waiting: None,
        };
        self.progress.insert(run.to_owned(), sent);
        self.add(event);
    }

    fn add(&mut self, event: &Event) {
        let (study, run) = about(event);
        self.last += 1;
        if self.events.len() == KEPT {
            self.events.pop_front();
        }
        self.events.push_back(Arc::new(HubEvent {
            id: self.last,
            study: study.to_owned(),
            run: run.map(str::to_owned),
            text: serde_json::to_string(event).unwrap_or_default(),
        }));
    }
}

/// The study and the run that an event is about.
fn about(event: &Event) -> (&str, Option<&str>) {
    match event {
        Event::StudyBegan { study, .. } | Event::StudyOver { study, .. } => (study, None),
        Event::RunBegan { run, .. }
        | Event::Progress { run, .. }
        | Event::FinalsBegan { run, .. }
        | Event::Measuring { run, .. }
        | Event::Note { run, .. }
        | Event::RunOver { run, .. } => match run.split_once('/') {
            Some((study, _)) => (study, Some(run)),
            // Notes on a study bear its name.
            None => (run, None),
        },
    }
}
