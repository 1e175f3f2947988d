//! A chunk that is not done: who has it, and what has come back.

use std::ops::Range;
use std::time::Instant;

use bytes::Bytes;

use crate::pool::registry::WorkerId;

/// A chunk that this many workers vanished with may have crashed them.
const SUSPICIOUS: u32 = 2;

/// A chunk that is not done.
pub(super) struct Chunk {
    pub(super) jobs: Range<usize>,
    /// The jobs as they are sent.
    pub(super) body: Bytes,
    pub(super) holders: Vec<Holder>,
    /// Everybody who was ever given it, and may answer.
    pub(super) given: Vec<WorkerId>,
    /// Results that are not taken yet.
    pub(super) answers: Vec<(WorkerId, Bytes)>,
    /// The part, from 0, that is being done here.
    pub(super) local: Option<Range<usize>>,
    /// How often a worker vanished with it.
    pub(super) losses: u32,
    /// How often workers failed at it.
    pub(super) failures: u32,
}

/// A worker that has a chunk.
pub(super) struct Holder {
    pub(super) worker: WorkerId,
    pub(super) since: Instant,
    /// The last request for a list before it was given the chunk.
    pub(super) request: u64,
}

impl Chunk {
    pub(super) fn new(jobs: Range<usize>, body: Bytes) -> Self {
        Self {
            jobs,
            body,
            holders: Vec::new(),
            given: Vec::new(),
            answers: Vec::new(),
            local: None,
            losses: 0,
            failures: 0,
        }
    }

    pub(super) fn has_holder(&self, worker: &str) -> bool {
        self.holders.iter().any(|holder| *holder.worker == *worker)
    }

    /// May this worker be given it? Not if it has it; nor if it has answered, since then another opinion is wanted.
    pub(super) fn can_go_to(&self, worker: &str) -> bool {
        !self.has_holder(worker) && !self.answers.iter().any(|(by, _)| **by == *worker)
    }

    /// Does nobody have it, here or elsewhere?
    pub(super) fn is_free(&self) -> bool {
        self.holders.is_empty() && self.answers.is_empty() && self.local.is_none()
    }

    pub(super) fn is_apart(&self) -> bool {
        self.losses >= SUSPICIOUS || self.failures > 0
    }
}
