//! Everything the server holds: the store and its catalogue, the queue of studies, the hub of events, and the running searches.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use games::AnyGame;
use lab::run::event::{Event, Observer};
use lab::run::status::State;
use lab::store::{IndexError, Row, Store};
use play::proofs::Prover;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::catalogue::Catalogue;
use crate::hub::Hub;
use crate::problem::Problem;
use crate::queue::Queue;
use crate::searches::Searches;
use crate::settings::Settings;

/// How often progress that waits is passed on.
const TICK: Duration = Duration::from_millis(50);

/// What all handlers share.
pub(crate) struct Site {
    /// How it was started.
    pub(crate) settings: Settings,
    pub(crate) catalogue: Catalogue,
    pub(crate) queue: Arc<Queue>,
    pub(crate) hub: Arc<Hub>,
    pub(crate) searches: Arc<Searches>,
    streams: Arc<Semaphore>,
    /// The last prover, with all that it has proved: the next question is mostly about the same game.
    prover: Mutex<Option<Prover>>,
}

impl Site {
    pub(crate) fn open(settings: Settings) -> Result<Self, IndexError> {
        let (hub, queue) = (Arc::<Hub>::default(), Arc::<Queue>::default());
        let (observer, ours) = (Arc::clone(&hub), Arc::clone(&queue));
        let on_change = move |rows: &[Row]| {
            let elsewhere = rows.iter().filter(|row| !ours.has(&row.study));
            elsewhere.for_each(|row| observer.hear(&event_of(row)));
        };
        Ok(Self {
            catalogue: Catalogue::open(&settings.store, on_change)?,
            searches: Arc::new(Searches::new(
                settings.limits.searches,
                settings.limits.grace,
            )),
            streams: Arc::new(Semaphore::new(settings.limits.streams)),
            prover: Mutex::default(),
            queue,
            hub,
            settings,
        })
    }

    /// The store.
    pub(crate) fn store(&self) -> &Store {
        &self.settings.store
    }

    /// Where other files of a study from the page would be.
    pub(crate) fn base(&self) -> PathBuf {
        let root = self.store().root();
        std::path::absolute(root).unwrap_or_else(|_| root.to_owned())
    }

    /// A prover for the game, if it can be solved.
    pub(crate) fn prover(&self, game: &AnyGame) -> Option<Prover> {
        let kept = self.prover.lock().expect("mutex poisoned").take();
        kept.filter(|kept| kept.suits(game))
            .or_else(|| Prover::new(game))
    }

    /// Keeps a prover, and only this one: its table is large.
    pub(crate) fn keep_prover(&self, prover: Prover) {
        *self.prover.lock().expect("mutex poisoned") = Some(prover);
    }

    /// A permit to keep a stream open.
    pub(crate) fn stream(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let permit = Arc::clone(&self.streams).try_acquire_owned();
        permit.map_err(|_| {
            let most = self.settings.limits.streams;
            Problem::too_many(format!("{most} streams are open already; close a tab"))
        })
    }
}

/// The progress of a run of another process, as an event.
fn event_of(row: &Row) -> Event {
    let run = row.id.clone();
    match state_of(&row.state) {
        State::Running | State::Waiting => Event::Progress {
            run,
            done: row.done,
            of: row.of,
            best: row.best,
            mean: row.mean,
            games: row.games,
            seconds: row.seconds,
        },
        state => Event::RunOver {
            run,
            state,
            value: None,
            error: None,
            seconds: row.seconds,
        },
    }
}

fn state_of(word: &str) -> State {
    let all = [
        State::Running,
        State::Interrupted,
        State::Failed,
        State::Finished,
        State::Damaged,
    ];
    let known = all.into_iter().find(|state| state.word() == word);
    known.unwrap_or(State::Waiting)
}

/// The threads behind a site. They end with it: a running study is saved first.
pub(crate) struct BackgroundThreads {
    site: Arc<Site>,
    threads: Vec<JoinHandle<()>>,
    over: Arc<AtomicBool>,
}

impl BackgroundThreads {
    pub(crate) fn start(site: &Arc<Site>) -> std::io::Result<Self> {
        let over = Arc::<AtomicBool>::default();
        let mut background = Self {
            site: Arc::clone(site),
            threads: Vec::new(),
            over: Arc::clone(&over),
        };
        background.spawn("studies", |site| {
            let threads = site.settings.threads;
            // Indexed while it is ours, the end of a run is not reported again as somebody else's.
            let ended = || site.catalogue.refresh_now();
            site.queue.work(site.store(), threads, &*site.hub, &ended);
        })?;
        background.spawn("catalogue", |site| site.catalogue.keep_fresh())?;
        background.spawn("events", move |site| {
            while !over.load(Ordering::Relaxed) {
                site.hub.flush(Instant::now());
                if site.hub.readers() > 0 {
                    site.catalogue.want();
                }
                std::thread::sleep(TICK);
            }
        })?;
        Ok(background)
    }

    fn spawn(
        &mut self,
        name: &str,
        work: impl FnOnce(&Site) + Send + 'static,
    ) -> std::io::Result<()> {
        let site = Arc::clone(&self.site);
        let thread = std::thread::Builder::new().name(name.to_owned());
        self.threads.push(thread.spawn(move || work(&site))?);
        Ok(())
    }
}

impl Drop for BackgroundThreads {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        self.site.queue.end();
        self.site.catalogue.end();
        for thread in self.threads.drain(..) {
            // A thread that panicked has reported it already.
            let _ = thread.join();
        }
    }
}
