//! Games as jobs: a pool that plays batches, and the worker's handler that plays their chunks.

use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use play::batch::{Dispatch, GameBatch};
use play::error::DispatchError;
use play::playing::{self, Record};

use crate::pool::{JobSource, Origin, Pool, PoolError};
use crate::wire::{pack, unpack};
use crate::worker::JobHandler;

/// Games to play.
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

    fn accept(&self, jobs: Range<usize>, answer: &[u8], origin: Origin<'_>) -> bool {
        let Some(records) = unpack::<Vec<Record>>(answer) else {
            return false;
        };
        let fits = records.len() == jobs.len();
        if fits {
            let of = |checked: bool| {
                origin.worker.map(|worker| {
                    Arc::new(playing::Origin {
                        worker: Arc::clone(worker),
                        checked,
                    })
                })
            };
            let (checked, unchecked) = (of(true), of(false));
            for (number, (place, mut record)) in jobs.zip(records).enumerate() {
                record.origin = match origin.checked.contains(&number) {
                    true => checked.clone(),
                    false => unchecked.clone(),
                };
                (self.done)(place, record);
            }
        }
        fits
    }

    fn agrees(&self, answer: &[u8], part: Range<usize>, of_part: &[u8]) -> bool {
        let [answer, of_part] = [answer, of_part].map(unpack::<Vec<Record>>);
        let (Some(answer), Some(of_part)) = (answer, of_part) else {
            return false;
        };
        answer.get(part).is_some_and(|answer| {
            let mut pairs = answer.iter().zip(&of_part);
            answer.len() == of_part.len() && pairs.all(|(a, b)| is_same_game(a, b))
        })
    }
}

/// Are the records equal apart from times?
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

    fn distrusted(&self) -> Vec<String> {
        self.banned()
    }

    fn distrust(&self, workers: &[String]) {
        self.ban(workers);
    }

    fn name(&self, worker: &str) -> String {
        Self::name(self, worker)
    }
}

/// Plays the games of a chunk.
pub fn play(body: &[u8]) -> Result<Vec<u8>, String> {
    let batch = unpack::<GameBatch>(body).ok_or("malformed job")?;
    let records = batch.play().map_err(|error| error.to_string())?;
    Ok(pack(&records))
}

/// Plays chunks of games.
#[derive(Debug)]
pub struct GameHandler {
    /// This program, started for a chunk that could crash the worker.
    pub program: PathBuf,
    /// Its arguments then: it reads the chunk from standard input, calls [`play`] and writes the result.
    pub arguments: &'static [&'static str],
}

impl JobHandler for GameHandler {
    fn work(&self, body: &[u8]) -> Result<Vec<u8>, String> {
        play(body)
    }

    fn work_apart(&self, body: &[u8]) -> Result<Vec<u8>, String> {
        let output = self.run_apart(body).map_err(|error| error.to_string())?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(format!("its process ended with {}", output.status)),
        }
    }
}

impl GameHandler {
    fn run_apart(&self, body: &[u8]) -> io::Result<Output> {
        let mut child = Command::new(&self.program)
            .args(self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        // A process that crashes does not read to the end; its status says more.
        let _ = child.stdin.take().map(|mut input| input.write_all(body));
        child.wait_with_output()
    }
}
