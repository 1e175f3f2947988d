//! Games of a measurement, saved as they end, so that a stopped run resumes with those it has not played.
//!
//! Until all are over they are kept in a ledger in the order in which they ended; then they are written by game number, without times,
//! as a CSV that does not depend on interruptions.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::best_game::keep_best;
use super::context::{RunContext, RunError};
use super::file::{replace, set_aside};
use super::ledger::{Format, Ledger, LedgerError, Reader};
use play::measure::{Measurement, Plan};
use play::openings::Openings;
use play::playing::{Origin, Record};

const FORMAT: Format = Format {
    magic: b"GAMETEGA",
    name: "game log",
    version: 1,
};

/// The ledger of finished games; kept until the run has an outcome.
pub const GAMES_PART: &str = "games.part";
/// All games, by number.
pub const GAMES: &str = "games.csv";
/// The column for the earlier game that a game repeats; it is there if one does.
pub const SAME_AS: &str = "same_as";
/// The worker of games that were played here.
const HERE: &[u8] = &[];
/// How often games are saved.
const SAVE_EVERY: Duration = Duration::from_secs(1);

/// Progress of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Games finished.
    pub games: u64,
    /// Their mean score.
    pub mean: Option<f64>,
}

/// Called about once a second.
pub type OnProgress<'t> = &'t mut dyn FnMut(&mut RunContext<'_>, Progress);

/// Games of a plan, some of which may be finished.
#[derive(Debug)]
pub struct Sample<'a> {
    plan: &'a Plan,
    log: GameLog,
}

/// Plays the games that measure a champion, and returns all records. They follow the steps of a run and are counted separately.
pub fn sample(plan: &Plan, context: &mut RunContext<'_>) -> Result<Vec<Record>, RunError> {
    sample_in(GAMES_PART, plan, context)
}

/// The same, kept in a ledger of its own.
pub fn sample_in(
    part: &str,
    plan: &Plan,
    context: &mut RunContext<'_>,
) -> Result<Vec<Record>, RunError> {
    let on_progress: OnProgress<'_> =
        &mut |context, progress| context.measuring(progress.games, plan.games);
    Sample::open_in(part, plan, context)?.play(context, on_progress)
}

impl<'a> Sample<'a> {
    /// Loads the games that were saved before the run was stopped.
    pub fn open(plan: &'a Plan, context: &RunContext<'_>) -> Result<Self, RunError> {
        Self::open_in(GAMES_PART, plan, context)
    }

    fn open_in(part: &str, plan: &'a Plan, context: &RunContext<'_>) -> Result<Self, RunError> {
        let (records, ledger) = open(&context.path(part), plan, context)?;
        let log = GameLog::new(records, ledger);
        Ok(Self { plan, log })
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.log.progress()
    }

    /// Plays the missing games, and returns all records.
    pub fn play(
        self,
        context: &mut RunContext<'_>,
        on_progress: OnProgress<'_>,
    ) -> Result<Vec<Record>, RunError> {
        let Self { plan, mut log } = self;
        let missing = log.missing();
        let (workers, stop) = (context.workers(), context.stop());
        let (over, games) = mpsc::channel();
        // The worker threads play; this one saves their records, since it alone has the context.
        thread::scope(|scope| {
            let playing = scope.spawn(move || {
                plan.play_each(&missing, workers, &|number, record| {
                    over.send((number, record))
                        .expect("the receiver outlives the senders");
                })
            });
            let saved = log.receive(&games, context, on_progress);
            if saved.is_err() {
                // Records that cannot be saved need not be played.
                stop.store(true, Ordering::Relaxed);
            }
            let played = playing
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            saved.and(played.map_err(RunError::from))
        })?;
        log.all().ok_or(RunError::Interrupted)
    }
}

/// Identifies the plan: games of another player or with other rules must not be mistaken for these.
pub(crate) fn about(plan: &Plan) -> String {
    let players = plan.table.specs().iter().map(ToString::to_string);
    let rules = plan.game.options();
    let rules = rules.iter().map(|(name, value)| format!("{name}={value}"));
    let what: Vec<String> = players
        .chain([plan.game.family().name.to_owned(), plan.seed.to_string()])
        .chain(rules)
        .chain((plan.openings != Openings::None).then(|| plan.openings.to_string()))
        .collect();
    blake3::hash(what.join("\n").as_bytes())
        .to_hex()
        .to_string()
}

/// The saved games, by number, and the ledger to append to.
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
    match read(path, &about, &mut records, context) {
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

/// What is wrong with the saved games of the run in this directory. A ledger that ends within an entry is what a crash leaves.
#[must_use]
pub fn damage(run: &Path) -> Option<LedgerError> {
    let path = run.join(GAMES_PART);
    if !path.is_file() {
        return None;
    }
    let read = || {
        let mut reader = Reader::open(&path, FORMAT)?;
        while let Some(entry) = reader.next_entry()? {
            reader.decode_body::<Vec<(u64, Record)>>(&entry)?;
        }
        Ok(())
    };
    let error: LedgerError = read().err()?;
    (!error.is_torn()).then_some(error)
}

/// A new ledger with the good games.
fn rewrite(path: &Path, about: &str, records: &[Option<Record>]) -> Result<Ledger, LedgerError> {
    let mut ledger = Ledger::create(path, FORMAT, about)?;
    let numbered = (0..).zip(records);
    let good = numbered.filter_map(|(number, record)| Some((number, record.as_ref()?)));
    add(&mut ledger, good)?;
    Ok(ledger)
}

/// Adds games to the ledger, one entry per worker that played them.
fn add<'r>(
    ledger: &mut Ledger,
    games: impl Iterator<Item = (u64, &'r Record)>,
) -> Result<(), LedgerError> {
    let mut by_worker: BTreeMap<&[u8], Vec<(u64, &Record)>> = BTreeMap::new();
    for (number, record) in games {
        let origin = record.origin.as_ref();
        let worker = origin.map_or(HERE, |origin| origin.worker.as_bytes());
        by_worker.entry(worker).or_default().push((number, record));
    }
    for (worker, games) in by_worker {
        ledger.add(worker, &rmp_serde::to_vec(&games).expect("plain data"))?;
    }
    Ok(())
}

/// Games of workers that have been found wrong are left out, and so played again.
fn read(
    path: &Path,
    about: &str,
    records: &mut [Option<Record>],
    context: &RunContext<'_>,
) -> Result<Ledger, LedgerError> {
    let mut reader = Reader::open(path, FORMAT)?;
    if reader.about() != about {
        let (path, name) = (path.to_owned(), "game log of this run");
        return Err(LedgerError::OtherFormat { path, name });
    }
    while let Some(entry) = reader.next_entry()? {
        let worker = String::from_utf8_lossy(&entry.head);
        if context.is_distrusted(&worker) {
            continue;
        }
        let origin = (!worker.is_empty()).then(|| {
            Arc::new(Origin {
                worker: worker.as_ref().into(),
                checked: false,
            })
        });
        let games: Vec<(u64, Record)> = reader.decode_body(&entry)?;
        for (number, mut record) in games {
            if let Some(place) = records.get_mut(number as usize) {
                record.origin.clone_from(&origin);
                *place = Some(record);
            }
        }
    }
    let mark = reader.mark();
    drop(reader);
    Ledger::resume(path, FORMAT, mark)
}

/// Finished games, and the ledger that stores them.
#[derive(Debug)]
struct GameLog {
    ledger: Ledger,
    records: Vec<Option<Record>>,
    /// Numbers of games not yet in the ledger.
    new: Vec<u64>,
    games: u64,
    /// Sum of their scores.
    score: i128,
    last: Instant,
}

impl GameLog {
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

    fn progress(&self) -> Progress {
        Progress {
            games: self.games,
            mean: (self.games > 0).then(|| self.score as f64 / self.games as f64),
        }
    }

    /// Receives games as they end, until all senders are gone.
    fn receive(
        &mut self,
        games: &Receiver<(u64, Record)>,
        context: &mut RunContext<'_>,
        on_progress: OnProgress<'_>,
    ) -> Result<(), RunError> {
        loop {
            match games.recv_timeout(SAVE_EVERY) {
                Ok((number, record)) => {
                    self.add(number, record);
                    context.game_over();
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.last.elapsed() >= SAVE_EVERY {
                self.flush()?;
                on_progress(context, self.progress());
                context.write_status()?;
            }
        }
        self.flush()?;
        on_progress(context, self.progress());
        Ok(())
    }

    /// A game that came before is replaced: whoever played it was wrong.
    fn add(&mut self, number: u64, record: Record) {
        self.score += i128::from(record.score);
        self.new.push(number);
        match self.records[number as usize].replace(record) {
            Some(before) => self.score -= i128::from(before.score),
            None => self.games += 1,
        }
    }

    fn flush(&mut self) -> Result<(), LedgerError> {
        self.last = Instant::now();
        if self.new.is_empty() {
            return Ok(());
        }
        let records = &self.records;
        let new = self.new.drain(..);
        let new = new.filter_map(|number| Some((number, records[number as usize].as_ref()?)));
        add(&mut self.ledger, new)?;
        self.ledger.sync()?;
        Ok(())
    }

    /// The records of all games, if all are over.
    fn all(self) -> Option<Vec<Record>> {
        self.records.into_iter().collect()
    }
}

/// Summarises the games, and writes them as a CSV.
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
    text.push_str(",forfeit");
    let repeated = plan.repeated(records);
    let any_repeated = repeated.iter().any(Option::is_some);
    if any_repeated {
        text.push(',');
        text.push_str(SAME_AS);
    }
    text.push('\n');
    for (number, record) in records.iter().enumerate() {
        text.push_str(&format!("{number},{},{}", record.score, record.moves));
        for fact in &record.facts {
            text.push_str(&format!(",{fact}"));
        }
        let seat = record.forfeit.as_ref().map(|(seat, _)| seat.to_string());
        text.push_str(&format!(",{}", seat.unwrap_or_default()));
        if any_repeated {
            let earlier = repeated[number].map(|earlier| earlier.to_string());
            text.push_str(&format!(",{}", earlier.unwrap_or_default()));
        }
        text.push('\n');
    }
    text
}
