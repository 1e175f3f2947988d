//! Many readers and many runs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lab::store::{RUN, RunFile};
use lab::study::{Form, Study};
use serde_json::json;

use crate::client::Stream;
use crate::house::{House, LONG, QUICK};

const READERS: usize = 200;

/// Generations that a study does in so long.
fn generations(house: &House, time: Duration) -> u64 {
    let done = || {
        house.get("/api/runs/long/r1").ok()["row"]["done"]
            .as_u64()
            .unwrap()
    };
    let settled = |before: u64| {
        // The status is written now and then: counted from one writing to the next.
        loop {
            let now = done();
            if now != before {
                return (now, Instant::now());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let (first, begun) = settled(done());
    std::thread::sleep(time);
    let (last, ended) = settled(done());
    let rate = (last - first) as f64 / (ended - begun).as_secs_f64();
    (rate * 1000.0) as u64
}

#[test]
fn two_hundred_readers_do_not_hold_a_run_up() {
    let house = House::with(|settings| settings.threads = 1);
    let heard = AtomicUsize::new(0);
    house.post("/api/studies", &json!({"toml": LONG})).ok();
    house.wait_for("long", "running");
    let mut streams: Vec<Stream> = Vec::new();
    let alone = generations(&house, Duration::from_secs(3));
    for _ in 0..READERS {
        streams.push(house.listen("/api/events"));
    }
    let watched = std::thread::scope(|scope| {
        for stream in &mut streams {
            scope.spawn(|| {
                for _ in 0..10 {
                    if stream.next().is_some() {
                        heard.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
        generations(&house, Duration::from_secs(3))
    });
    println!(
        "{READERS} readers: {alone} milligenerations a second alone, {watched} watched, ratio {:.3}",
        watched as f64 / alone as f64
    );
    assert_eq!(
        heard.into_inner(),
        READERS * 10,
        "everybody hears everything"
    );
    assert!(watched * 2 > alone, "{watched} against {alone}");
}

#[test]
fn a_reader_that_does_not_read_holds_nobody_up_and_looks_anew() {
    let house = House::open();
    let mut asleep = house.listen("/api/events");
    // More than the ring and what the system keeps for a connection: long notes fill both.
    let mut awake = house.listen("/api/events");
    for _ in 0..2 {
        house.run_study(QUICK);
    }
    awake.until("study-over");
    assert!(asleep.next().is_some());
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
}
