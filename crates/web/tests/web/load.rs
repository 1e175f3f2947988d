//! Many readers and many runs.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use lab::store::{RUN, RunFile};
use lab::study::{Form, Study};
use serde_json::json;

use crate::client::Stream;
use crate::house::{House, LONG, QUICK};

const READERS: usize = 200;

/// How far the run is, and how long it has worked for that, when its status was last written.
fn progress(house: &House) -> (f64, f64) {
    let listed = house.get("/api/runs?study=long").ok();
    let row = &listed["runs"][0];
    let number = |name: &str| row[name].as_f64().unwrap_or(0.0);
    (number("done"), number("seconds"))
}

/// The next status that is written.
fn next_progress(house: &House) -> (f64, f64) {
    let before = progress(house);
    loop {
        let now = progress(house);
        if now != before {
            return now;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Generations and seconds that pass while one waits.
fn passed(house: &House, time: Duration) -> (f64, f64) {
    let first = next_progress(house);
    std::thread::sleep(time);
    let last = next_progress(house);
    (last.0 - first.0, last.1 - first.1)
}

#[test]
fn two_hundred_readers_do_not_hold_a_run_up() {
    const ROUNDS: usize = 3;
    const TIME: Duration = Duration::from_secs(2);
    let house = House::with(|settings| settings.threads = 1);
    house.post("/api/studies", &json!({"toml": LONG})).ok();
    house.wait_for_work("long");
    let (mut alone, mut watched) = ((0.0, 0.0), (0.0, 0.0));
    let add = |to: &mut (f64, f64), more: (f64, f64)| *to = (to.0 + more.0, to.1 + more.1);
    let mut heard = Vec::new();
    // In turns, so that whatever else the machine does meets both.
    for _ in 0..ROUNDS {
        add(&mut alone, passed(&house, TIME));
        let (counts, while_watched) = with_readers(&house, || passed(&house, TIME));
        add(&mut watched, while_watched);
        heard.extend(counts);
    }
    let rate = |(generations, seconds): (f64, f64)| generations / seconds;
    let ratio = rate(watched) / rate(alone);
    println!(
        "{READERS} readers: {:.2} generations a second alone, {:.2} watched, ratio {ratio:.3}",
        rate(alone),
        rate(watched)
    );
    let most = heard.iter().max().copied().unwrap_or(0);
    assert!(most >= 5, "{heard:?}");
    assert!(
        heard.iter().all(|&count| count + 3 >= most / 2),
        "everybody hears it: {heard:?}"
    );
    // What five per cent are is known only on a machine that does nothing else.
    assert!(ratio > 0.25, "{ratio}");
}

/// Does something while many read, and says how many events each of them heard.
fn with_readers<T>(house: &House, work: impl FnOnce() -> T) -> (Vec<usize>, T) {
    let over = AtomicBool::new(false);
    let streams: Vec<Stream> = (0..READERS).map(|_| house.listen("/api/events")).collect();
    std::thread::scope(|scope| {
        let read = |mut stream: Stream| {
            let over = &over;
            scope.spawn(move || {
                let mut count = 0;
                while !over.load(Ordering::Relaxed) && stream.next().is_some() {
                    count += 1;
                }
                count
            })
        };
        let readers: Vec<_> = streams.into_iter().map(read).collect();
        let done = work();
        over.store(true, Ordering::Relaxed);
        let counts = readers.into_iter().map(|reader| reader.join().unwrap());
        (counts.collect(), done)
    })
}

#[test]
fn a_reader_that_does_not_read_holds_nobody_up() {
    let house = House::open();
    let mut asleep = house.listen("/api/events");
    let mut awake = house.listen("/api/events");
    house.run_study(QUICK);
    let heard = awake.until("study-over");
    assert_eq!(
        asleep.until("study-over"),
        heard,
        "what it slept through waits for it"
    );
}

/// A status that cannot be read before somebody writes it.
struct Stuck {
    path: PathBuf,
    status: Vec<u8>,
}

impl Stuck {
    fn new(path: PathBuf) -> Self {
        let status = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let made = Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        Self { path, status }
    }

    /// Whoever waits may read on, and whoever looks again finds a file.
    fn release(self) {
        let mut pipe = OpenOptions::new().write(true).open(&self.path).unwrap();
        std::fs::remove_file(&self.path).unwrap();
        std::fs::write(&self.path, &self.status).unwrap();
        pipe.write_all(&self.status).unwrap();
    }
}

#[test]
fn what_the_index_knew_is_told_before_the_runs_were_looked_at() {
    let house = House::open();
    house.run_study(QUICK);
    let runs = house.end();
    let stuck = Stuck::new(runs.path().join("quick/s2-r1/status.json"));
    let house = House::over(runs, |_| {});
    let asked = || house.get("/api/runs?state=finished").ok()["total"].clone();
    let total = std::panic::catch_unwind(std::panic::AssertUnwindSafe(asked));
    // Before anything is said of it: a server that waits for the status could not end.
    stuck.release();
    assert_eq!(total.ok(), Some(json!(4)));
}

#[test]
fn ten_thousand_runs_are_listed_at_once() {
    const RUNS: usize = 10_000;
    let runs = tempfile::tempdir().unwrap();
    let store = lab::store::Store::new(runs.path());
    let text = QUICK.replace("repeats = 2", &format!("repeats = {}", RUNS / 2));
    let study = Study::parse(&text, "many", runs.path(), Form::Whole).unwrap();
    let folder = store.folder("quick");
    drop(folder.lock().unwrap());
    folder.write_study(&study).unwrap();
    let plans = study.runs();
    let first = folder.run(&plans[0].folder);
    first.begin(&RunFile::of(&study, &plans[0])).unwrap();
    let file = std::fs::read(first.path.join(RUN)).unwrap();
    for (number, plan) in plans.iter().enumerate() {
        let place = folder.run(&plan.folder).path;
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join(RUN), &file).unwrap();
        let status = json!({"format": "gamete-status", "version": 1, "state": "finished", "done": 3, "of": 3, "best": number, "games": 9, "seconds": 1.0,
            "threads": 1, "started": "2026-01-01T00:00:00Z", "updated": format!("2026-01-01T00:00:00.{number:06}Z"), "attempts": 1, "gamete": "0"});
        std::fs::write(place.join("status.json"), status.to_string()).unwrap();
    }
    let house = House::over(runs, |_| {});
    let begun = Instant::now();
    let all = house.get("/api/runs?size=50").ok();
    println!(
        "first list of {RUNS} runs, read from their directories: {:?}",
        begun.elapsed()
    );
    assert_eq!(all["total"], RUNS);
    let mut slowest = Duration::ZERO;
    for (query, total) in [
        ("", RUNS),
        ("sort=best&order=desc&page=150", RUNS),
        ("sort=id&order=asc&page=199", RUNS),
        ("sort=done", RUNS),
        ("query=r0042", 2),
        ("state=finished&study=quick&sort=seconds", RUNS),
        ("state=failed", 0),
    ] {
        let begun = Instant::now();
        let listed = house.get(&format!("/api/runs?{query}")).ok();
        slowest = slowest.max(begun.elapsed());
        assert_eq!(listed["total"], total, "{query}");
    }
    let best = house.get("/api/runs?sort=best&size=1").ok();
    assert_eq!(best["runs"][0]["best"].as_f64(), Some((RUNS - 1) as f64));
    println!("slowest list of {RUNS} runs: {slowest:?}");
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    let house = House::over(house.end(), |_| {});
    let begun = Instant::now();
    assert_eq!(house.get("/api/runs?size=50").ok()["total"], RUNS);
    println!(
        "first list of another server, from the index: {:?}",
        begun.elapsed()
    );
}
