//! What happens, as it happens.

use std::time::Duration;

use lab::run::event::{Event, Observer};
use lab::runner::StudyRunner;
use lab::study::{Form, Study};
use serde_json::{Value, json};

use crate::client::{Stream, until};
use crate::house::{House, MEETING, QUICK};

#[test]
fn a_study_is_followed_from_its_beginning_to_its_end() {
    let house = House::open();
    let mut stream = house.listen("/api/events");
    house.post("/api/studies", &json!({"toml": QUICK})).ok();
    let heard = stream.until("study-over");
    let kinds: Vec<String> = heard
        .iter()
        .map(|event| event.json()["event"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds[0], "study-began");
    assert_eq!(
        kinds.iter().filter(|kind| *kind == "run-over").count(),
        4,
        "{kinds:?}"
    );
    assert!(kinds.iter().any(|kind| kind == "progress"));
    let ids: Vec<u64> = heard.iter().map(|event| event.id.unwrap()).collect();
    assert!(ids.is_sorted_by(|a, b| b - a == 1), "{ids:?}");
    // Whoever looks when it is over finds it at rest, with its report.
    let study = house.get("/api/studies/quick").ok();
    assert_eq!(
        (&study["state"], &study["running_here"]),
        (&json!("finished"), &json!(false))
    );
    let report = house
        .store()
        .folder("quick")
        .path()
        .join("report/index.html");
    assert!(report.is_file());
}

#[test]
fn whoever_comes_back_gets_what_it_missed() {
    let house = House::open();
    let mut stream = house.listen("/api/events");
    house.post("/api/studies", &json!({"toml": QUICK})).ok();
    let heard = stream.until("study-over");
    let middle = heard[2].id.unwrap().to_string();
    let mut back = Stream::open(house.address, "/api/events", &[("last-event-id", &middle)]);
    assert_eq!(back.until("study-over"), heard[3..]);
    let mut by_address = house.listen(&format!("/api/events?last={middle}"));
    assert_eq!(by_address.until("study-over"), heard[3..]);
}

#[test]
fn whoever_was_away_too_long_looks_anew() {
    let house = House::open();
    for old in ["1", "18446744073709551615"] {
        let mut stream = Stream::open(house.address, "/api/events", &[("last-event-id", old)]);
        let first = stream.next().unwrap();
        assert_eq!(
            (first.kind.as_str(), &first.json()["event"]),
            ("resync", &json!("resync"))
        );
    }
}

#[test]
fn a_tab_hears_only_what_it_is_about() {
    let house = House::open();
    let mut of_study = house.listen("/api/events?study=meeting");
    let mut of_run = house.listen("/api/events?run=quick%2Fs1-r1");
    house.run_study(QUICK);
    house.run_study(MEETING);
    let about = |event: &Value| {
        event["run"]
            .as_str()
            .or(event["study"].as_str())
            .unwrap()
            .to_owned()
    };
    for heard in of_study.until("study-over") {
        assert!(about(&heard.json()).starts_with("meeting"), "{heard:?}");
    }
    for heard in of_run.until("study-over") {
        let about = about(&heard.json());
        assert!(about == "quick/s1-r1" || about == "quick", "{heard:?}");
    }
}

/// Nobody is told.
struct Silence;

impl Observer for Silence {
    fn hear(&self, _: &Event) {}
    fn game_over(&self, _: &str) {}
}

#[test]
fn runs_of_other_processes_are_followed_too() {
    let house = House::open();
    house.get("/api/runs").ok();
    let mut stream = house.listen("/api/events");
    let store = house.store();
    let study = Study::parse(QUICK, "quick", house.runs.path(), Form::Whole).unwrap();
    let runner = StudyRunner {
        store: &store,
        threads: 1,
        elsewhere: None,
        save_every: Duration::ZERO,
        observer: &Silence,
        stop: &Default::default(),
    };
    runner.run(&study).unwrap();
    let heard = stream.until("run-over");
    let last = heard.last().unwrap().json();
    assert_eq!(last["state"], "finished", "{last}");
    // The list may be a moment behind what others do.
    let finished = || house.get("/api/runs?study=quick&state=finished").ok();
    until("all have finished", || finished()["total"] == 4);
}

#[test]
fn streams_have_a_limit() {
    let house = House::with(|settings| settings.limits.streams = 2);
    let _first = house.listen("/api/events");
    let second = house.listen("/api/events");
    house.get("/api/events").refused(429, "streams are open");
    drop(second);
    // The place is free once the server has noticed.
    house.post("/api/studies", &json!({"toml": QUICK})).ok();
    until("a place is free", || {
        house.get("/api/watch?game=connect&player=random").status == 200
    });
}
