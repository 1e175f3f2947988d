//! Many readers and many runs.

use std::fs::OpenOptions;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::process::Command;

use lab::run::outcome::Outcome;
use lab::store::{OUTCOME, RUN, RunFile};
use lab::study::{Form, Study};
use serde_json::{Value, json};

use crate::client::{Stream, until};
use crate::house::{House, LONG, QUICK};

const READERS: usize = 200;

#[test]
fn two_hundred_readers_all_hear_a_run_that_goes_on_meanwhile() {
    let house = House::open();
    house.post("/api/studies", &json!({"toml": LONG})).ok();
    house.wait_for_work("long");
    let streams: Vec<Stream> = (0..READERS).map(|_| house.listen("/api/events")).collect();
    // Nobody reads: a run that waited for one of them would stand still.
    let done = || house.get("/api/runs?study=long").ok()["runs"][0]["done"].as_f64();
    let before = done();
    until("the run goes on", || done() > before);
    let last = |mut stream: Stream| stream.until("study-over").pop();
    let heard: Vec<_> = std::thread::scope(|scope| {
        let readers = streams
            .into_iter()
            .map(|stream| scope.spawn(|| last(stream)));
        let readers: Vec<_> = readers.collect();
        house.post("/api/studies/long/stop", &Value::Null).ok();
        let heard = readers.into_iter().map(|reader| reader.join().unwrap());
        heard.collect()
    });
    assert!(heard.iter().all(|end| *end == heard[0]), "{heard:?}");
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

    /// Does something while it cannot be read. Then whoever waits may read on, and whoever looks again finds a file: a server that waits could not end.
    fn meanwhile<T>(self, work: impl FnOnce() -> T) -> T {
        let done = catch_unwind(AssertUnwindSafe(work));
        // To read as well, since nobody else may have come to do it.
        let both = OpenOptions::new().read(true).write(true).open(&self.path);
        let mut pipe = both.unwrap();
        std::fs::remove_file(&self.path).unwrap();
        std::fs::write(&self.path, &self.status).unwrap();
        pipe.write_all(&self.status).unwrap();
        done.unwrap_or_else(|panic| resume_unwind(panic))
    }
}

#[test]
fn what_the_index_knew_is_told_before_the_runs_were_looked_at() {
    let house = House::open();
    house.run_study(QUICK);
    let runs = house.end();
    let stuck = Stuck::new(runs.path().join("quick/s2-r1/status.json"));
    let house = House::over(runs, |_| {});
    let total = stuck.meanwhile(|| house.get("/api/runs?state=finished").ok()["total"].clone());
    assert_eq!(total, json!(4));
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
    let outcome = runs.path().join(OUTCOME);
    std::fs::write(&outcome, Outcome::default().text()).unwrap();
    for (number, plan) in plans.iter().enumerate() {
        let place = folder.run(&plan.folder).path;
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join(RUN), &file).unwrap();
        let status = json!({"format": "gamete-status", "version": 1, "state": "finished", "done": 3, "of": 3, "best": number, "games": 9, "seconds": 1.0,
            "threads": 1, "started": "2026-01-01T00:00:00Z", "updated": format!("2026-01-01T00:00:00.{number:06}Z"), "attempts": 1, "gamete": "0"});
        std::fs::write(place.join("status.json"), status.to_string()).unwrap();
        std::fs::hard_link(&outcome, place.join(OUTCOME)).unwrap();
    }
    let house = House::over(runs, |_| {});
    let all = house.get("/api/runs?size=50").ok();
    assert_eq!(all["total"], RUNS);
    // Whoever looks at all directories now waits for this one: lists come from the index.
    let stuck = Stuck::new(folder.run(&plans[RUNS / 2].folder).path.join("status.json"));
    let listed = |query: &str| house.get(&format!("/api/runs?{query}")).ok();
    let lists = || {
        for (query, total) in [
            ("", RUNS),
            ("sort=best&order=desc&page=150", RUNS),
            ("sort=id&order=asc&page=199", RUNS),
            ("sort=done", RUNS),
            ("query=r0042", 2),
            ("state=finished&study=quick&sort=seconds", RUNS),
            ("state=failed", 0),
        ] {
            assert_eq!(listed(query)["total"], total, "{query}");
        }
        let best = listed("sort=best&size=1");
        assert_eq!(best["runs"][0]["best"].as_f64(), Some((RUNS - 1) as f64));
    };
    stuck.meanwhile(lists);
    let house = House::over(house.end(), |_| {});
    assert_eq!(house.get("/api/runs?size=50").ok()["total"], RUNS);
}
