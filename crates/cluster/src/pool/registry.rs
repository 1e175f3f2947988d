//! The workers that a coordinator knows, and how far it trusts them.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::wire::{Presence, VERSION};

/// A worker gets nothing more after this long without a sign of life.
const GONE: Duration = Duration::from_secs(7);
/// More workers than anybody has: others are ignored, so that nobody can fill the memory with names.
const MOST_WORKERS: usize = 100_000;

/// The public key of a worker.
pub(super) type WorkerId = Arc<str>;

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

#[derive(Debug)]
struct Known {
    presence: Presence,
    heard: Instant,
}

impl Known {
    fn is_able(&self) -> bool {
        !self.presence.leaving && self.heard.elapsed() < GONE
    }
}

/// What to do about a presence.
pub(super) enum Registered {
    /// Nothing.
    Welcome,
    /// It has another version; the text is for the user, the first time.
    Refused(Option<String>),
}

/// The workers.
#[derive(Debug, Default)]
pub(super) struct WorkerRegistry {
    known: Mutex<HashMap<WorkerId, Known>>,
    standings: Mutex<HashMap<WorkerId, Standing>>,
    refused: Mutex<HashSet<String>>,
    /// Updated when a worker joins or leaves, since it is needed for every chunk.
    slots: AtomicUsize,
    /// Counts joining, leaving and banning.
    changes: AtomicU64,
}

impl WorkerRegistry {
    /// Registers a worker's presence.
    pub(super) fn register(&self, presence: Presence) -> Registered {
        if presence.version != VERSION {
            let (name, version) = (label(&presence.name, &presence.id), &presence.version);
            return Registered::Refused(self.first_refusal(&presence.id, format!(
                "the worker {name} is refused: it runs gamete {version}, and this study is run by {VERSION}"
            )));
        }
        let mut known = self.known();
        if known.len() >= MOST_WORKERS && !known.contains_key(presence.id.as_str()) {
            return Registered::Welcome;
        }
        let slots = |presence: &Presence| match presence.leaving {
            true => 0,
            false => presence.cores,
        };
        let is_banned = self.standing(&presence.id) == Standing::Banned;
        let now = if is_banned { 0 } else { slots(&presence) };
        let entry = Known {
            heard: Instant::now(),
            presence,
        };
        let before = known.insert(entry.presence.id.as_str().into(), entry);
        drop(known);
        let before = before.filter(|before| !is_banned && before.is_able());
        let before = before.map_or(0, |before| slots(&before.presence));
        if before != now {
            // Nearly right until all are counted again: counting them for each of thousands that join would take long.
            let recount = |slots: usize| Some((slots + now).saturating_sub(before));
            let _ = self
                .slots
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, recount);
            self.changes.fetch_add(1, Ordering::Relaxed);
        }
        Registered::Welcome
    }

    /// The text, if this is the worker's first refusal for this reason.
    pub(super) fn first_refusal(&self, reason: &str, text: String) -> Option<String> {
        let mut refused = self.refused.lock().expect("mutex poisoned");
        let is_first = refused.len() < MOST_WORKERS && refused.insert(reason.to_owned());
        is_first.then_some(text)
    }

    /// Its display name.
    pub(super) fn name(&self, id: &str) -> String {
        let known = self.known();
        let name = known.get(id).map_or("", |known| &known.presence.name);
        label(name, id)
    }

    /// Total number of concurrent chunks.
    pub(super) fn slots(&self) -> usize {
        self.slots.load(Ordering::Relaxed)
    }

    /// Changes whenever workers join, leave or are banned.
    pub(super) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Workers that can be given work, with their cores.
    pub(super) fn able(&self) -> Vec<(WorkerId, usize)> {
        let known = self.known();
        let able = known.iter().filter(|(_, known)| known.is_able());
        let able = able.map(|(id, known)| (Arc::clone(id), known.presence.cores));
        let mut able: Vec<_> = able.collect();
        drop(known);
        able.retain(|(id, _)| self.standing(id) != Standing::Banned);
        able
    }

    /// Is there a worker that can be given work, and of which this holds?
    pub(super) fn has_able(&self, holds: impl Fn(&str) -> bool) -> bool {
        let known = self.known();
        let mut able = known.iter().filter(|(_, known)| known.is_able());
        able.any(|(id, _)| holds(id) && self.standing(id) != Standing::Banned)
    }

    /// The cores of a worker that can be given work.
    pub(super) fn cores(&self, id: &str) -> Option<usize> {
        if self.standing(id) == Standing::Banned {
            return None;
        }
        let known = self.known();
        let known = known.get(id).filter(|known| known.is_able())?;
        Some(known.presence.cores)
    }

    /// Has nothing been heard of it for this long, or for so long that it gets nothing more? Otherwise it would get again what was taken from it.
    pub(super) fn is_silent(&self, id: &str, patience: Duration) -> bool {
        let known = self.known();
        known
            .get(id)
            .is_none_or(|known| known.heard.elapsed() > patience.max(GONE))
    }

    /// Forgets workers that are long gone, and counts the rest.
    pub(super) fn prune(&self, patience: Duration) {
        let long = 2 * patience.max(GONE);
        self.known().retain(|_, known| known.heard.elapsed() < long);
        self.count();
    }

    fn count(&self) {
        let slots = self.able().iter().map(|(_, cores)| cores).sum();
        if self.slots.swap(slots, Ordering::Relaxed) != slots {
            self.changes.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn standing(&self, id: &str) -> Standing {
        let standings = self.standings();
        standings.get(id).copied().unwrap_or(Standing::New)
    }

    /// Changes the standing; returns the former one.
    pub(super) fn set_standing(&self, id: &str, standing: Standing) -> Standing {
        let before = self.standings().insert(id.into(), standing);
        if standing == Standing::Banned {
            self.changes.fetch_add(1, Ordering::Relaxed);
            self.count();
        }
        before.unwrap_or(Standing::New)
    }

    /// Workers that returned a wrong result.
    pub(super) fn banned(&self) -> Vec<String> {
        let standings = self.standings();
        let banned = standings.iter().filter(|(_, s)| **s == Standing::Banned);
        banned.map(|(id, _)| id.to_string()).collect()
    }

    fn known(&self) -> MutexGuard<'_, HashMap<WorkerId, Known>> {
        self.known.lock().expect("mutex poisoned")
    }

    fn standings(&self) -> MutexGuard<'_, HashMap<WorkerId, Standing>> {
        self.standings.lock().expect("mutex poisoned")
    }
}

/// A name for people, with enough of the key to tell workers of one name apart.
fn label(name: &str, id: &str) -> String {
    let short: String = id.chars().take(8).collect();
    match name {
        "" => short,
        name => format!("{name} ({short})"),
    }
}
