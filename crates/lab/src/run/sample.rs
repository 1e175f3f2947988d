//! Games of a measurement that are kept as they end, so that a run that is stopped goes on with those it has not played.
//!
//! Until all are over they stand in a ledger in the order in which they ended; then they are written in their own order, without times, as a
//! CSV that is the same whatever happened on the way.

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use games::{Game, with_game};

use super::best_game::keep_best;
use super::desk::{Desk, RunError};
use super::file::{remove_if_there, replace, set_aside};
use super::ledger::{Format, Ledger, LedgerError, Reader};
use crate::measure::{Measurement, Plan};
use crate::play::Record;

const FORMAT: Format = Format {
    magic: b"GAMETEGA",
    name: "list of games",
    version: 1,
};

/// The ledger of games that are over.
const PART: &str = "games.part";
/// All games, in their order.
pub const GAMES: &str = "games.csv";
/// Games are kept at least this often.
const KEEP_EVERY: Duration = Duration::from_secs(1);

/// Plays the games of a plan that have not been played, and gives the records of all.
pub fn sample(plan: &Plan, desk: &mut Desk<'_>) -> Result<Vec<Record>, RunError> {
    let path = desk.path(PART);
    let (mut records, ledger) = open(&path, plan.games, desk)?;
    let missing: Vec<u64> = (0..plan.games)
        .filter(|&number| records[number as usize].is_none())
        .collect();
    let kept = Mutex::new(Kept::new(ledger));
    let shared = &*desk;
    plan.play_each(&missing, desk.workers(), desk.stop(), &|number, record| {
        kept.lock()
            .expect("nobody panics with the games")
            .keep(number, record);
        shared.game_over();
    })?;
    let mut kept = kept.into_inner().expect("nobody panics with the games");
    kept.flush();
    kept.result?;
    for (number, record) in kept.records {
        records[number as usize] = Some(record);
    }
    let records: Vec<Record> = records.into_iter().flatten().collect();
    if (records.len() as u64) < plan.games {
        return Err(RunError::Interrupted);
    }
    Ok(records)
}

/// The games that are kept, by their number, and the ledger to go on with.
fn open(
    path: &Path,
    games: u64,
    desk: &Desk<'_>,
) -> Result<(Vec<Option<Record>>, Ledger), RunError> {
    let mut records: Vec<Option<Record>> = vec![None; games as usize];
    if !path.exists() {
        return Ok((records, Ledger::create(path, FORMAT, "")?));
    }
    match read(path, &mut records) {
        Ok(ledger) => Ok((records, ledger)),
        Err(LedgerError::Damaged { at, .. }) => {
            let aside = set_aside(path)?;
            let good = records.iter().flatten().count();
            desk.note(format!(
                "{} is damaged at byte {at} and was set aside as {}; the {good} games before the damage are kept, the others are played again",
                path.display(),
                aside.display()
            ));
            let mut ledger = Ledger::create(path, FORMAT, "")?;
            let numbered = records.iter().enumerate();
            let good: Vec<_> = numbered
                .filter_map(|(number, record)| Some((number as u64, record.clone()?)))
                .collect();
            ledger.add(&[], &rmp_serde::to_vec(&good).expect("plain data"))?;
            Ok((records, ledger))
        }
        Err(other) => Err(other.into()),
    }
}

fn read(path: &Path, records: &mut [Option<Record>]) -> Result<Ledger, LedgerError> {
    let mut reader = match Reader::open(path, FORMAT) {
        // Killed before its first byte was on the disk.
        Err(LedgerError::Torn { .. }) => return Ledger::create(path, FORMAT, ""),
        other => other?,
    };
    loop {
        match reader.next_entry() {
            Ok(Some(entry)) => {
                let body = reader.body(&entry)?;
                let games: Vec<(u64, Record)> = rmp_serde::from_slice(&body).unwrap_or_default();
                for (number, record) in games {
                    if let Some(place) = records.get_mut(number as usize) {
                        *place = Some(record);
                    }
                }
            }
            // A crash tears the last entry; what is before it is good.
            Ok(None) | Err(LedgerError::Torn { .. }) => break,
            Err(other) => return Err(other),
        }
    }
    let mark = reader.mark();
    drop(reader);
    Ledger::resume(path, FORMAT, mark)
}

/// Games that ended, those since the last entry among them.
struct Kept {
    ledger: Ledger,
    records: Vec<(u64, Record)>,
    /// How many of the records stand in the ledger.
    written: usize,
    last: Instant,
    result: Result<(), LedgerError>,
}

impl Kept {
    fn new(ledger: Ledger) -> Self {
        Self {
            ledger,
            records: Vec::new(),
            written: 0,
            last: Instant::now(),
            result: Ok(()),
        }
    }

    fn keep(&mut self, number: u64, record: Record) {
        self.records.push((number, record));
        if self.last.elapsed() >= KEEP_EVERY {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let new = &self.records[self.written..];
        if self.result.is_err() || new.is_empty() {
            return;
        }
        let body = rmp_serde::to_vec(new).expect("plain data");
        self.result = self
            .ledger
            .add(&[], &body)
            .and_then(|()| self.ledger.sync().map(drop));
        self.written = self.records.len();
        self.last = Instant::now();
    }
}

/// Sums the games up, and writes them as a CSV in their order.
pub fn finish(plan: &Plan, records: &[Record], desk: &Desk<'_>) -> Result<Measurement, RunError> {
    replace(&desk.path(GAMES), table(plan, records).as_bytes())?;
    keep_best(plan, records, desk)?;
    remove_if_there(&desk.path(PART))?;
    let busy: f64 = records.iter().map(|record| record.seconds).sum();
    let wall = Duration::from_secs_f64(busy / desk.workers().threads() as f64);
    Ok(plan.sum_up(records, wall))
}

fn table(plan: &Plan, records: &[Record]) -> String {
    let facts = with_game!(&plan.game, game => game.facts(&game.start()));
    let mut text = "game,score,moves".to_owned();
    for (name, _) in &facts {
        text.push(',');
        text.push_str(&name.replace([' ', '-'], "_"));
    }
    text.push_str(",forfeit\n");
    for (number, record) in records.iter().enumerate() {
        text.push_str(&format!("{number},{},{}", record.score, record.moves));
        for fact in &record.facts {
            text.push_str(&format!(",{fact}"));
        }
        let seat = record.forfeit.as_ref().map(|(seat, _)| seat.to_string());
        text.push_str(&format!(",{}\n", seat.unwrap_or_default()));
    }
    text
}
