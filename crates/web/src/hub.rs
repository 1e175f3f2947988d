//! Where everything that happens is heard, and from where every reader gets it.
//!
//! The last events stand in a ring; a reader knows the number of the last one it was given and takes what came after. So a run never waits for a
//! reader, and one that is too slow for the ring is told to look at everything anew.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use lab::run::event::{Event, Observer};
use tokio::sync::watch;

/// Events that are kept for readers that come back.
pub(crate) const KEPT: usize = 1000;
/// Of one run, news of progress come at most this often.
const PAUSE: Duration = Duration::from_millis(100);

/// An event as readers get it.
#[derive(Debug)]
pub(crate) struct News {
    /// Its number; later ones have greater ones, even after the server was started anew.
    pub(crate) id: u64,
    /// The study it is about.
    pub(crate) study: String,
    /// The run it is about, if one.
    pub(crate) run: Option<String>,
    /// The event as JSON.
    pub(crate) text: String,
}

/// What a reader is to do next.
#[derive(Debug)]
pub(crate) enum Next {
    /// These have happened, in this order.
    News(Vec<Arc<News>>),
    /// More has happened than is kept: look at everything anew, and go on from this number.
    Resync(u64),
}

/// Hears and tells.
#[derive(Debug)]
pub(crate) struct Hub {
    ring: Mutex<Ring>,
    /// The number of the last event.
    last: watch::Sender<u64>,
}

#[derive(Debug)]
struct Ring {
    last: u64,
    news: VecDeque<Arc<News>>,
    /// By run: when it was last heard of, and what came since.
    progress: BTreeMap<String, Progress>,
}

#[derive(Debug)]
struct Progress {
    told: Instant,
    waiting: Option<Event>,
}

impl Hub {
    pub(crate) fn new() -> Self {
        // Numbers from the clock are greater than those that an earlier server gave.
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let first = now.map_or(0, |time| time.as_micros() as u64);
        let ring = Ring {
            last: first,
            news: VecDeque::with_capacity(KEPT),
            progress: BTreeMap::new(),
        };
        Self {
            ring: Mutex::new(ring),
            last: watch::Sender::new(first),
        }
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().expect("nobody panics with the ring")
    }

    /// The number of the last event.
    pub(crate) fn last(&self) -> u64 {
        *self.last.borrow()
    }

    /// Tells whoever waits that there is something new.
    pub(crate) fn follow(&self) -> watch::Receiver<u64> {
        self.last.subscribe()
    }

    /// How many listen.
    pub(crate) fn readers(&self) -> usize {
        self.last.receiver_count()
    }

    /// What happened after the event of this number.
    pub(crate) fn after(&self, id: u64) -> Next {
        let ring = self.ring();
        let oldest = ring.news.front().map_or(ring.last + 1, |news| news.id);
        if id > ring.last || id + 1 < oldest {
            return Next::Resync(ring.last);
        }
        let skip = (id + 1 - oldest) as usize;
        Next::News(ring.news.iter().skip(skip).cloned().collect())
    }

    /// The notes on a run that are still known.
    pub(crate) fn of_run(&self, run: &str) -> Vec<Arc<News>> {
        let ring = self.ring();
        let own = ring
            .news
            .iter()
            .filter(|news| news.run.as_deref() == Some(run));
        own.cloned().collect()
    }

    /// Tells of progress whose pause is over; says whether some is still waiting.
    pub(crate) fn flush(&self) -> bool {
        let mut ring = self.ring();
        let due: Vec<Event> = ring
            .progress
            .values_mut()
            .filter(|progress| progress.told.elapsed() >= PAUSE)
            .filter_map(|progress| {
                let event = progress.waiting.take()?;
                progress.told = Instant::now();
                Some(event)
            })
            .collect();
        due.iter().for_each(|event| ring.add(event));
        let waits = ring
            .progress
            .values()
            .any(|progress| progress.waiting.is_some());
        self.tell(&ring, !due.is_empty());
        waits
    }

    fn tell(&self, ring: &Ring, is_new: bool) {
        if is_new {
            self.last.send_replace(ring.last);
        }
    }
}

impl Observer for Hub {
    fn hear(&self, event: &Event) {
        let mut ring = self.ring();
        let before = ring.last;
        match event {
            Event::Progress { run, .. } | Event::Measuring { run, .. } => {
                ring.throttle(run, event);
            }
            Event::RunOver { run, .. } | Event::FinalsBegan { run, .. } => {
                // What was to come before it comes before it.
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
        self.tell(&ring, is_new);
    }

    fn game_over(&self, _: &str) {}
}

impl Ring {
    fn throttle(&mut self, run: &str, event: &Event) {
        if let Some(progress) = self.progress.get_mut(run)
            && progress.told.elapsed() < PAUSE
        {
            progress.waiting = Some(event.clone());
            return;
        }
        let now = Progress {
            told: Instant::now(),
            waiting: None,
        };
        self.progress.insert(run.to_owned(), now);
        self.add(event);
    }

    fn add(&mut self, event: &Event) {
        let (study, run) = about(event);
        self.last += 1;
        if self.news.len() == KEPT {
            self.news.pop_front();
        }
        self.news.push_back(Arc::new(News {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(run: &str, done: u64) -> Event {
        Event::Progress {
            run: run.to_owned(),
            done,
            of: 100,
            best: None,
            mean: None,
            games: done,
            seconds: 0.0,
        }
    }

    fn note(text: &str) -> Event {
        Event::Note {
            run: "study/r1".to_owned(),
            text: text.to_owned(),
        }
    }

    fn texts(hub: &Hub, after: u64) -> Vec<String> {
        match hub.after(after) {
            Next::News(news) => news.iter().map(|news| news.text.clone()).collect(),
            Next::Resync(_) => vec!["resync".to_owned()],
        }
    }

    #[test]
    fn progress_comes_ten_times_a_second_and_the_newest_wins() {
        let hub = Hub::new();
        let start = hub.last();
        (0..50).for_each(|done| hub.hear(&progress("study/r1", done)));
        assert_eq!(texts(&hub, start).len(), 1);
        assert!(hub.flush(), "the newest waits");
        std::thread::sleep(PAUSE);
        assert!(!hub.flush());
        let told = texts(&hub, start);
        assert_eq!(told.len(), 2);
        assert!(told[1].contains("\"done\":49"), "{told:?}");
    }

    #[test]
    fn what_waits_comes_before_the_end() {
        let hub = Hub::new();
        let start = hub.last();
        (0..3).for_each(|done| hub.hear(&progress("study/r1", done)));
        hub.hear(&Event::FinalsBegan {
            run: "study/r1".to_owned(),
            games: 5,
        });
        let told = texts(&hub, start);
        assert!(
            told[1].contains("\"done\":2") && told[2].contains("finals"),
            "{told:?}"
        );
    }

    #[test]
    fn whoever_is_behind_the_ring_or_from_another_time_looks_anew() {
        let hub = Hub::new();
        let start = hub.last();
        assert!(texts(&hub, start).is_empty());
        (0..KEPT + 5).for_each(|number| hub.hear(&note(&number.to_string())));
        assert_eq!(texts(&hub, start), ["resync"]);
        assert_eq!(texts(&hub, start + 5).len(), KEPT);
        assert_eq!(texts(&hub, hub.last() + 1), ["resync"]);
        assert_eq!(texts(&hub, 0), ["resync"]);
        assert!(texts(&hub, hub.last()).is_empty());
    }
}
