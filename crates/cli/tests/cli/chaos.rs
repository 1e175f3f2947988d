//! Everything that can happen to a cluster, at random, again and again; and at the end the files of a run that was left alone.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use fixtures::nats::Nats;
use rustix::process::Signal;

use crate::cluster::{Hand, server};
use crate::disturbed::{HANG, Place, check_same, send};

/// 200,000 games, which are the jobs.
const STUDY: &str = r#"
name = "chaos"
kind = "measure"
seed = 7
[game]
name = "2048"
[measure]
games = 100000
[[vary]]
player = ["random", "greedy(eval=score)"]
"#;

const KILLS: u32 = 100;
/// A test that does not come to its end has found something, however busy the machine is.
const LONGEST: Duration = Duration::from_secs(3600);

/// Numbers that are the same in every run of the test.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

/// A cluster to which things happen.
struct Victims<'a> {
    place: &'a Place,
    runs: &'a Path,
    nats: Nats,
    hands: Vec<Hand>,
    frozen: Option<usize>,
    coordinator: Child,
    kills: u32,
}

impl<'a> Victims<'a> {
    fn new(place: &'a Place, runs: &'a Path, nats: Nats) -> Self {
        let coordinator = coordinator(place, runs, &nats.url());
        let hands = (0..3).map(|_| Hand::join(&nats.url(), &[]));
        Self {
            hands: hands.collect(),
            place,
            runs,
            frozen: None,
            coordinator,
            kills: 0,
            nats,
        }
    }

    fn disturb(&mut self, dice: &mut Dice) {
        self.thaw();
        let one = dice.below(self.hands.len() as u64) as usize;
        self.kills += match dice.below(20) {
            0..10 => self.kill_worker(one),
            10..13 => self.freeze(one),
            13..18 => self.kill_server(),
            18 => self.kill_coordinator(),
            _ => self.kill_all(),
        };
    }

    fn kill_worker(&mut self, one: usize) -> u32 {
        self.hands[one] = Hand::join(&self.nats.url(), &[]);
        1
    }

    /// A frozen worker is no kill, but must do no harm when it thaws.
    fn freeze(&mut self, one: usize) -> u32 {
        send(&self.hands[one].0, Signal::STOP);
        self.frozen = Some(one);
        0
    }

    fn thaw(&mut self) {
        if let Some(one) = self.frozen.take() {
            send(&self.hands[one].0, Signal::CONT);
        }
    }

    fn kill_server(&mut self) -> u32 {
        self.await_all();
        self.nats.restart();
        1
    }

    /// Waits until everybody has joined: whoever starts while there is no server leaves, and rightly so.
    fn await_all(&mut self) {
        let began = Instant::now();
        let mut are_there = || {
            let is_over = self.coordinator.try_wait().expect("its state").is_some();
            let coordinators = self.nats.subscribers("gamete.worker.*.presence");
            let workers = self.nats.subscribers("gamete.who");
            (is_over || coordinators == 1) && workers == self.hands.len()
        };
        while !are_there() {
            assert!(began.elapsed() < HANG, "not everybody joins");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn kill_coordinator(&mut self) -> u32 {
        let _ = self.coordinator.kill();
        self.coordinator.wait().expect("it ends");
        self.coordinator = coordinator(self.place, self.runs, &self.nats.url());
        1
    }

    fn kill_all(&mut self) -> u32 {
        let _ = self.coordinator.kill();
        self.nats.kill();
        let workers = self.hands.len();
        self.hands.clear();
        self.nats.restart();
        self.hands = (0..workers)
            .map(|_| Hand::join(&self.nats.url(), &[]))
            .collect();
        self.kill_coordinator() + 1 + workers as u32
    }
}

fn coordinator(place: &Place, runs: &Path, url: &str) -> Child {
    let log = File::options()
        .create(true)
        .append(true)
        .open(place.path("log"));
    let mut command = place.command(runs, "0s");
    command.args(["--pool", url, "--patience", "1s"]);
    command.stderr(Stdio::from(log.expect("a log")));
    command.spawn().expect("gamete runs")
}

#[test]
fn a_hundred_kills_over_200_000_games_change_nothing() {
    let place = Place::new(STUDY);
    let Some(nats) = server(&place) else { return };
    let (expected, _) = place.undisturbed();
    let runs = place.path("chaos");
    let mut victims = Victims::new(&place, &runs, nats);
    let (mut dice, began, mut round) = (Dice(0x9e37_79b9_7f4a_7c15), Instant::now(), 1);
    let log = || std::fs::read_to_string(place.path("log")).unwrap_or_default();
    loop {
        assert!(
            began.elapsed() < LONGEST,
            "after {} kills: {}",
            victims.kills,
            log()
        );
        std::thread::sleep(Duration::from_millis(50 + dice.below(500)));
        match victims.coordinator.try_wait().expect("its state") {
            Some(status) => {
                assert!(status.success(), "{status}: {}", log());
                check_same(&expected, &runs, &format!("round {round}: {}", log()));
                if victims.kills >= KILLS {
                    break;
                }
                // Not killed often enough yet: once more from the beginning.
                std::fs::remove_dir_all(&runs).expect("removed");
                victims.coordinator = coordinator(&place, &runs, &victims.nats.url());
                round += 1;
            }
            None if victims.kills < KILLS => victims.disturb(&mut dice),
            None => victims.thaw(),
        }
    }
}
