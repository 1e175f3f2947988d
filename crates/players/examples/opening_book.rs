//! Makes the opening book of the solver: solves every position of the classic board with so many stones.
//!
//! `cargo run --release -p gamete-players --example opening_book -- STONES [THREADS] [MINUTES]`
//!
//! A score is written to `target/opening-book-STONES.txt` as soon as it is proved, as a line `key score`. So the work may be stopped at
//! any time, by Ctrl-C, `kill` or after so many minutes; the same command then goes on with what is missing. When nothing is, it
//! writes `crates/players/src/solver/book.bin`, and the next build of Gamete has that book. Every thread takes 256 MB.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use players::solver::{Budget, CLASSIC, Config, Opening, Solver, book_bytes, openings};

/// More stones would make the book larger than five megabytes.
const MOST_STONES: u8 = 12;
/// Binary logarithm of the table of a thread.
const TABLE: u32 = 25;
/// Neighbours resemble each other: a thread that solves several in a row finds much in its table.
const IN_A_ROW: usize = 8;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| {
        arguments
            .get(place)
            .and_then(|text| text.parse::<u32>().ok())
    };
    let stones = number(0).and_then(|stones| u8::try_from(stones).ok());
    let Some(stones) = stones.filter(|stones| (1..=MOST_STONES).contains(stones)) else {
        eprintln!("usage: opening_book STONES [THREADS] [MINUTES], 1 to {MOST_STONES} stones");
        std::process::exit(2);
    };
    let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let work = Work::resume(crate_root, stones)?;
    work.go_on(
        number(1).unwrap_or(2),
        number(2).map(|minutes| Duration::from_secs(60 * u64::from(minutes))),
    );
    work.finish(&crate_root.join("src/solver/book.bin"))
}

/// A book in the making.
struct Work {
    stones: u8,
    openings: Vec<Opening>,
    /// What an earlier run has solved.
    known: HashMap<u64, i32>,
    missing: Vec<Opening>,
    next: AtomicUsize,
    log: PathBuf,
    file: Mutex<File>,
}

impl Work {
    fn resume(crate_root: &Path, stones: u8) -> io::Result<Self> {
        let log = crate_root.join(format!("../../target/opening-book-{stones}.txt"));
        let openings = openings(stones.into());
        let known = read(&log);
        let missing = openings
            .iter()
            .filter(|opening| !known.contains_key(&opening.key()));
        let file = OpenOptions::new().create(true).append(true).open(&log)?;
        // A line that was cut off ends here.
        writeln!(&file)?;
        Ok(Self {
            stones,
            missing: missing.copied().collect(),
            known,
            openings,
            next: AtomicUsize::new(0),
            log,
            file: Mutex::new(file),
        })
    }

    /// Solves what is missing, for at most so long.
    fn go_on(&self, threads: u32, most: Option<Duration>) {
        let (all, missing) = (self.openings.len(), self.missing.len());
        println!(
            "{} stones: {all} positions, {missing} to be solved",
            self.stones
        );
        let started = Instant::now();
        let (solved, told) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let is_over = || most.is_some_and(|most| started.elapsed() >= most);
        let count = || {
            let solved = solved.fetch_add(1, Ordering::Relaxed) + 1;
            let seconds = started.elapsed().as_secs();
            if told.fetch_max(seconds as usize / 10, Ordering::Relaxed) < seconds as usize / 10 {
                let left = seconds as usize * (missing - solved) / solved;
                println!("{solved} of {missing} after {seconds} s, about {left} s left");
            }
        };
        thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| self.solve(&is_over, &count));
            }
        });
    }

    fn solve(&self, is_over: &dyn Fn() -> bool, count: &dyn Fn()) {
        let config = Config {
            table: TABLE,
            remember: true,
            book: false,
        };
        let mut solver = Solver::new(CLASSIC, config);
        let budget = Budget {
            stop: Some(is_over),
            ..Budget::default()
        };
        loop {
            let first = self.next.fetch_add(IN_A_ROW, Ordering::Relaxed);
            let row = self.missing.iter().skip(first).take(IN_A_ROW);
            if row.len() == 0 {
                return;
            }
            for opening in row {
                let Ok(solved) = solver.solve(&opening.position(), &budget) else {
                    return;
                };
                let line = format!("{} {}\n", opening.key(), solved.score);
                let mut file = self.file.lock().expect("mutex poisoned");
                file.write_all(line.as_bytes()).expect("written");
                count();
            }
        }
    }

    /// Writes the book if it is complete.
    fn finish(&self, to: &Path) -> io::Result<()> {
        let mut known = self.known.clone();
        known.extend(read(&self.log));
        let scores: Option<Vec<i32>> = self
            .openings
            .iter()
            .map(|opening| known.get(&opening.key()).copied())
            .collect();
        let Some(scores) = scores else {
            println!("not complete: the same command goes on");
            return Ok(());
        };
        fs::write(to, book_bytes(self.stones, &scores))?;
        println!("{} has {} positions", to.display(), scores.len());
        Ok(())
    }
}

/// The scores of a log; a line that is not whole does not count.
fn read(log: &Path) -> HashMap<u64, i32> {
    let text = fs::read_to_string(log).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let entry = |line: &str| {
        let (key, score) = line.split_once(' ')?;
        Some((key.parse().ok()?, score.parse().ok()?))
    };
    whole.lines().filter_map(entry).collect()
}
