//! Games of a measurement that are kept as they end, so that a run that is stopped goes on with those it has not played.
//!
//! Until all are over they stand in a ledger in the order in which they ended; then they are written in their own order, without times, as a
//! CSV that is the same whatever happened on the way.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use games::{Game, with_game};

use super::best_game::keep_best;
use super::desk::{Desk, RunError};
use super::file::{replace, set_aside};
use super::ledger::{Format, Ledger, LedgerError, Reader};
use crate::measure::{Measurement, Plan};
use crate::play::Record;

const FORMAT: Format = Format {
    magic: b"GAMETEGA",
    name: "list of games",
    version: 1,
};

/// The ledger of games that are over; kept until the run has an outcome.
const PART: &str = "games.part";
/// All games, in their order.
pub const GAMES: &str = "games.csv";
/// Games are kept at least this often.
const KEEP_EVERY: Duration = Duration::from_secs(1);

/// Plays the games of a plan that have not been played, and gives the records of all.
pub fn sample(plan: &Plan, desk: &mut Desk<'_>) -> Result<Vec<Record>, RunError> {
    let path = desk.path(PART);
    let (mut records, ledger) = open(&path, plan, desk)?;
    let missing: Vec<u64> = (0..plan.games)
        .filter(|&number| records[number as usize].is_none())
        .collect();
    let kept = Mutex::new(Kept::new(ledger));
    let shared = &*desk;
    plan.play_each(&missing, desk.workers(), desk.stop(), &|number, record| {
        let mut kept = kept.lock().expect("nobody panics with the games");
        kept.keep(number, record);
        if kept.result.is_err() {
            // What cannot be kept need not be played.
            shared.stop().store(true, Ordering::Relaxed);
        }
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

/// Games of another player, or by other rules, must not be taken for these.
fn about(plan: &Plan) -> String {
    let players = plan.table.specs().iter().map(ToString::to_string);
    let rules = plan.game.options();
    let rules = rules.iter().map(|(name, value)| format!("{name}={value}"));
    let what: Vec<String> = players
        .chain([plan.game.family().name.to_owned(), plan.seed.to_string()])
        .chain(rules)
        .collect();
    blake3::hash(what.join("\n").as_bytes())
        .to_hex()
        .to_string()
}

/// The games that are kept, by their number, and the ledger to go on with.
fn open(
    path: &Path,
    plan: &Plan,
    desk: &Desk<'_>,
) -> Result<(Vec<Option<Record>>, Ledger), RunError> {
    let mut records: Vec<Option<Record>> = vec![None; plan.games as usize];
    let about = about(plan);
    if !path.exists() {
        return Ok((records, Ledger::create(path, FORMAT, &about)?));
    }
    match read(path, &about, &mut records) {
        Ok(ledger) => Ok((records, ledger)),
        Err(error) if error.is_damage() => {
            let aside = set_aside(path)?;
            let good = records.iter().flatten().count();
            desk.note(format!(
                "{error} and was set aside as {}; the {good} games before that are kept, the others are played again",
                aside.display()
            ));
            let ledger = rewrite(path, &about, &records)?;
            Ok((records, ledger))
        }
        Err(other) => Err(other.into()),
    }
}

/// A new ledger with the games that are good.
fn rewrite(path: &Path, about: &str, records: &[Option<Record>]) -> Result<Ledger, LedgerError> {
    let mut ledger = Ledger::create(path, FORMAT, about)?;
    let numbered = records.iter().enumerate();
    let good: Vec<_> = numbered
        .filter_map(|(number, record)| Some((number as u64, record.clone()?)))
        .collect();
    ledger.add(&[], &rmp_serde::to_vec(&good).expect("plain data"))?;
    Ok(ledger)
}

fn read(
    path: &Path,
    about: &str,
    records: &mut [Option<Record>],
) -> Result<Ledger, LedgerError> {
    let mut reader = Reader::open(path, FORMAT)?;
    if reader.about() != about {
        let (path, name) = (path.to_owned(), "list of this run's games");
        return Err(LedgerError::OtherFormat { path, name });
    }
    while let Some(entry) = reader.next_entry()? {
        let body = reader.body(&entry)?;
        let games: Vec<(u64, Record)> = rmp_serde::from_slice(&body).unwrap_or_default();
        for (number, record) in games {
            if let Some(place) = records.get_mut(number as usize) {
                *place = Some(record);
            }
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
