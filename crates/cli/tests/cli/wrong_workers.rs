//! Workers that play right at first and wrong later: their games are found, removed and played again, whatever else happens.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;

use cluster::address::Address;
use cluster::games;
use cluster::wire::{pack, unpack};
use cluster::worker::{JobHandler, WorkerConfig, work};
use play::playing::Record;

use crate::cluster::{Hand, server};
use crate::disturbed::{Place, STUDY_2048, check_same, ended, told, wait_until};

/// One run of many games.
const MEASURED: &str = r#"
name = "disturbed"
kind = "measure"
seed = 99
player = "greedy(eval=score)"
[game]
name = "2048"
[measure]
games = 6000
"#;

/// Adds a million points to every game after the first chunks.
struct Liar {
    honest_chunks: u64,
    chunks: AtomicU64,
}

impl JobHandler for Liar {
    fn work(&self, body: &[u8]) -> Result<Vec<u8>, String> {
        let played = games::play(body)?;
        let mut records: Vec<Record> = unpack(&played).ok_or("no records")?;
        if self.chunks.fetch_add(1, Ordering::Relaxed) >= self.honest_chunks {
            records.iter_mut().for_each(|game| game.score += 1_000_000);
        }
        Ok(pack(&records))
    }

    fn work_apart(&self, body: &[u8]) -> Result<Vec<u8>, String> {
        self.work(body)
    }
}

/// A worker in this process; it leaves with the test.
struct WrongWorker {
    stop: Arc<AtomicBool>,
    working: Option<JoinHandle<()>>,
}

impl WrongWorker {
    fn join(url: &str, honest_chunks: u64) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let config = WorkerConfig {
            name: "wrong".to_owned(),
            cores: 1,
            idle: None,
            away: None,
            stop: Arc::clone(&stop),
            tell: |_| {},
        };
        let address = Address::read(url).expect("an address");
        let working = std::thread::spawn(move || {
            let handler: Arc<dyn JobHandler> = Arc::new(Liar {
                honest_chunks,
                chunks: AtomicU64::new(0),
            });
            // On a busy machine connecting may take longer than a worker waits.
            while work(&address, &config, &handler).is_err() {}
        });
        Self {
            stop,
            working: Some(working),
        }
    }
}

impl Drop for WrongWorker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(working) = self.working.take() {
            let _ = working.join();
        }
    }
}

fn on_pool(place: &Place, runs: &Path, server: &str) -> Command {
    let mut command = place.command(runs, "0s");
    command.args(["--pool", server, "--patience", "2s", "--recheck", "0.5"]);
    command
}

fn report(runs: &Path) -> String {
    let path = runs.join("disturbed/report/report.md");
    std::fs::read_to_string(path).expect("a report")
}

fn check_done(output: &Output) {
    assert!(output.status.success(), "{}", told(output));
}

#[test]
fn games_of_a_worker_that_turns_out_to_be_wrong_are_played_again() {
    let place = Place::new(MEASURED);
    let Some(nats) = server(&place) else { return };
    let (expected, _) = place.undisturbed();
    let runs = place.path("pool");
    let _wrong = WrongWorker::join(&nats.url(), 3);
    let running = on_pool(&place, &runs, &nats.url()).spawn();
    let mut running = running.expect("it runs");
    let distrusted = runs.join("disturbed/distrusted.json");
    assert!(wait_until(&mut running, |_| distrusted.exists()));
    let _honest = Hand::join(&nats.url(), &["--name", "honest"]);
    assert!(ended(&mut running).success());
    check_same(&expected, &runs, "with a wrong worker");
    let report = report(&runs);
    assert!(
        report.contains("Wrong results were returned by wrong ("),
        "{report}"
    );
    assert!(report.contains("honest ("), "{report}");
}

#[test]
fn a_study_that_was_killed_when_a_worker_was_found_wrong_is_resumed_without_its_games() {
    let place = Place::new(MEASURED);
    let Some(nats) = server(&place) else { return };
    let (expected, _) = place.undisturbed();
    let runs = place.path("pool");
    let wrong = WrongWorker::join(&nats.url(), 3);
    let running = on_pool(&place, &runs, &nats.url()).spawn();
    let mut running = running.expect("it runs");
    let distrusted = runs.join("disturbed/distrusted.json");
    assert!(wait_until(&mut running, |_| distrusted.exists()));
    running.kill().expect("it is killed");
    running.wait().expect("it ends");
    drop(wrong);
    let resumed = place.command(&runs, "0s").output().expect("it runs");
    check_done(&resumed);
    check_same(&expected, &runs, "resumed after a wrong worker");
}

#[test]
fn an_evolution_that_was_built_on_wrong_games_starts_over() {
    let place = Place::new(STUDY_2048);
    let Some(nats) = server(&place) else { return };
    let (expected, _) = place.undisturbed();
    let runs = place.path("pool");
    let _wrong = WrongWorker::join(&nats.url(), 40);
    let running = on_pool(&place, &runs, &nats.url()).spawn();
    let mut running = running.expect("it runs");
    let distrusted = runs.join("disturbed/distrusted.json");
    assert!(wait_until(&mut running, |_| distrusted.exists()));
    let _honest = Hand::join(&nats.url(), &[]);
    assert!(ended(&mut running).success());
    check_same(&expected, &runs, "evolved beside a wrong worker");
    assert!(report(&runs).contains("Wrong results were returned by wrong ("));
}

#[test]
fn with_all_games_verified_every_one_is_played_twice() {
    let place = Place::new(MEASURED);
    let Some(nats) = server(&place) else { return };
    let (expected, _) = place.undisturbed();
    let runs = place.path("pool");
    let _hands = ["one", "two"].map(|name| Hand::join(&nats.url(), &["--name", name]));
    let output = on_pool(&place, &runs, &nats.url())
        .args(["--verify", "all"])
        .output()
        .expect("it runs");
    check_done(&output);
    check_same(&expected, &runs, "verified");
    let report = report(&runs);
    assert!(report.contains("Each was played a second time"), "{report}");
}
