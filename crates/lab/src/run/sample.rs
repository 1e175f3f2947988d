//! Games of a measurement that are kept as they end, so that a run that is stopped goes on with those it has not played.
//!
//! Until all are over they stand in a ledger in the order in which they ended; then they are written in their own order, without times, as a
//! CSV that is the same whatever happened on the way.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::best_game::keep_best;
use super::context::{RunContext, RunError};
use super::file::{replace, set_aside};
use super::ledger::{Format, Ledger, LedgerError, Reader};
use play::measure::{Measurement, Plan};
use play::playing::Record;

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

/// How far a sample is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tally {
    /// Games that are over.
    pub games: u64,
    /// Their mean score.
    pub mean: Option<f64>,
}

/// Hears about once a second how far a sample is.
pub type Told<'t> = &'t mut dyn FnMut(&mut RunContext<'_>, Tally);

/// Games of a plan, some of which may be over.
#[derive(Debug)]
pub struct Sample<'a> {
    plan: &'a Plan,
    kept: Kept,
}

/// Plays the games by which a champion is measured, and gives the records of all. They come after the steps of a run and are counted apart.
pub fn sample(plan: &Plan, context: &mut RunContext<'_>) -> Result<Vec<Record>, RunError> {
    let told: Told<'_> = &mut |context, tally| context.measuring(tally.games, plan.games);
    Sample::open(plan, context)?.play(context, told)
}

impl<'a> Sample<'a> {
    /// The games that were kept before the run was stopped.
    pub fn open(plan: &'a Plan, context: &RunContext<'_>) -> Result<Self, RunError> {
        let (records, ledger) = open(&context.path(PART), plan, context)?;
        let kept = Kept::new(records, ledger);
        Ok(Self { plan, kept })
    }

    /// How far it is.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.kept.tally()
    }

    /// Plays those that are missing, and gives the records of all.
    pub fn play(
        self,
        context: &mut RunContext<'_>,
        told: Told<'_>,
    ) -> Result<Vec<Record>, RunError> {
        let Self { plan, mut kept } = self;
        let missing = kept.missing();
        let (workers, stop) = (context.workers(), context.stop());
        let (over, games) = mpsc::channel();
        // The threads of the workers play; this one keeps what they send, since it alone has the context.
        thread::scope(|scope| {
            let playing = scope.spawn(move || {
                plan.play_each(&missing, workers, stop, &|number, record| {
                    over.send((number, record))
                        .expect("the receiver outlives the senders");
                })
            });
            let kept = kept.take(&games, context, told);
            if kept.is_err() {
                // What cannot be kept need not be played.
                stop.store(true, Ordering::Relaxed);
            }
            let played = playing
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            kept.and(played.map_err(RunError::from))
        })?;
        kept.all().ok_or(RunError::Interrupted)
    }
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
    context: &RunContext<'_>,
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
            context.note(format!(
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

fn read(path: &Path, about: &str, records: &mut [Option<Record>]) -> Result<Ledger, LedgerError> {
    let mut reader = Reader::open(path, FORMAT)?;
    if reader.about() != about {
        let (path, name) = (path.to_owned(), "game log of this run");
        return Err(LedgerError::OtherFormat { path, name });
    }
    while let Some(entry) = reader.next_entry()? {
        let games: Vec<(u64, Record)> = reader.decode_body(&entry)?;
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

/// Games that ended, and the ledger in which they are kept.
#[derive(Debug)]
struct Kept {
    ledger: Ledger,
    records: Vec<Option<Record>>,
    /// Games that do not yet stand in the ledger.
    new: Vec<(u64, Record)>,
    games: u64,
    /// Sum of their scores.
    score: i128,
    last: Instant,
}

impl Kept {
    fn new(records: Vec<Option<Record>>, ledger: Ledger) -> Self {
        let over = || records.iter().flatten();
        Self {
            games: over().count() as u64,
            score: over().map(|record| i128::from(record.score)).sum(),
            records,
            ledger,
            new: Vec::new(),
            last: Instant::now(),
        }
    }

    fn missing(&self) -> Vec<u64> {
        let numbered = (0..).zip(&self.records);
        let missing = numbered.filter(|(_, record)| record.is_none());
        missing.map(|(number, _)| number).collect()
    }

    fn tally(&self) -> Tally {
        Tally {
            games: self.games,
            mean: (self.games > 0).then(|| self.score as f64 / self.games as f64),
        }
    }

    /// Takes games as they end, until none comes any more.
    fn take(
        &mut self,
        games: &Receiver<(u64, Record)>,
        context: &mut RunContext<'_>,
        told: Told<'_>,
    ) -> Result<(), RunError> {
        loop {
            match games.recv_timeout(KEEP_EVERY) {
                Ok((number, record)) => {
                    self.add(number, record);
                    context.game_over();
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.last.elapsed() >= KEEP_EVERY {
                self.flush()?;
                told(context, self.tally());
                context.write_status()?;
            }
        }
        self.flush()?;
        told(context, self.tally());
        Ok(())
    }

    fn add(&mut self, number: u64, record: Record) {
        self.games += 1;
        self.score += i128::from(record.score);
        self.new.push((number, record));
    }

    fn flush(&mut self) -> Result<(), LedgerError> {
        self.last = Instant::now();
        if self.new.is_empty() {
            return Ok(());
        }
        let body = rmp_serde::to_vec(&self.new).expect("plain data");
        self.ledger.add(&[], &body)?;
        self.ledger.sync()?;
        for (number, record) in self.new.drain(..) {
            self.records[number as usize] = Some(record);
        }
        Ok(())
    }

    /// The records of all games, if all are over.
    fn all(self) -> Option<Vec<Record>> {
        self.records.into_iter().collect()
    }
}

/// Sums the games up, and writes them as a CSV in their order.
pub fn finish(
    plan: &Plan,
    records: &[Record],
    context: &RunContext<'_>,
) -> Result<Measurement, RunError> {
    replace(&context.path(GAMES), table(plan, records).as_bytes())?;
    keep_best(plan, records, context)?;
    let busy: f64 = records.iter().map(|record| record.seconds).sum();
    let wall = Duration::from_secs_f64(busy / context.workers().threads() as f64);
    Ok(plan.sum_up(records, wall))
}

fn table(plan: &Plan, records: &[Record]) -> String {
    let facts = plan.game.facts();
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
