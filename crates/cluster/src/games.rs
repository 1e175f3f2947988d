//! Games as jobs: a pool that plays for the lab, and the handler of playing them.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use play::batch::{Dispatch, GameBatch};
use play::error::DispatchError;
use play::playing::Record;

use crate::pool::{JobSource, Pool, PoolError};
use crate::wire::{pack, unpack};

/// Games that are to be played.
struct Games<'a> {
    batch: &'a GameBatch,
    done: &'a (dyn Fn(usize, Record) + Sync),
}

impl JobSource for Games<'_> {
    fn jobs(&self) -> usize {
        self.batch.len()
    }

    fn body(&self, jobs: Range<usize>) -> Vec<u8> {
        pack(&self.batch.part(jobs))
    }

    fn accept(&self, jobs: Range<usize>, answer: &[u8]) -> bool {
        let Some(records) = unpack::<Vec<Record>>(answer) else {
            return false;
        };
        let fits = records.len() == jobs.len();
        if fits {
            jobs.zip(records)
                .for_each(|(place, record)| (self.done)(place, record));
        }
        fits
    }

    fn is_right(&self, jobs: Range<usize>, answer: &[u8]) -> bool {
        let played = self.batch.part(jobs).play();
        let came = unpack::<Vec<Record>>(answer);
        let (Ok(played), Some(came)) = (played, came) else {
            return false;
        };
        played.len() == came.len() && played.iter().zip(&came).all(|(a, b)| is_same_game(a, b))
    }
}

/// The same but for the time it took.
fn is_same_game(a: &Record, b: &Record) -> bool {
    let b = Record {
        seconds: a.seconds,
        ..b.clone()
    };
    *a == b
}

impl Dispatch for Pool {
    fn slots(&self) -> usize {
        Self::slots(self)
    }

    fn play(
        &self,
        batch: &GameBatch,
        stop: &AtomicBool,
        done: &(dyn Fn(usize, Record) + Sync),
    ) -> Result<(), DispatchError> {
        match self.run(&Games { batch, done }, stop) {
            Err(PoolError::Stopped) if stop.load(Ordering::Relaxed) => Ok(()),
            Err(PoolError::Stopped) => Err(DispatchError::Stopped),
            Err(other) => Err(DispatchError::Failed(other.to_string())),
            Ok(()) => Ok(()),
        }
    }
}

/// Plays the games of a chunk.
pub fn play(body: &[u8]) -> Result<Vec<u8>, String> {
    let batch = unpack::<GameBatch>(body).ok_or("malformed job")?;
    let records = batch.play().map_err(|error| error.to_string())?;
    Ok(pack(&records))
}
