//! Speed of the fast boards beside that of the plain ones, and of pruned searches beside exhaustive ones.
//!
//! Both do exactly the same work, in turns of a fraction of a second, so that a noisy machine slows
//! both alike: the ratio holds even where the speeds do not. Every bench compares its answers, too.

mod boards;

mod judged;
mod players;
pub mod speed;

use std::time::{Duration, Instant};

use serde::Serialize;

/// Speeds of one thing, done in a fast way and, where there is one, in a plain way.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// What was done.
    pub name: String,
    /// What the speeds count.
    pub unit: &'static str,
    /// Speed of the fast way.
    pub fast: f64,
    /// Speed of the plain way.
    pub plain: Option<f64>,
    /// `fast / plain`.
    pub ratio: Option<f64>,
    /// Speed that a work published, where it did.
    pub document: Option<f64>,
    /// `fast / document`.
    pub over_document: Option<f64>,
}

/// One side's way to do item number `n` of a bench: how many units it was, and the answer.
pub type Work<'a> = Box<dyn FnMut(u64) -> (u64, i64) + 'a>;

/// Something to be done in two ways.
pub struct Task<'a> {
    /// What is done.
    pub name: String,
    /// What the speeds count.
    pub unit: &'static str,
    /// The fast way.
    pub fast: Work<'a>,
    /// The plain way, where there is one.
    pub plain: Option<Work<'a>>,
    /// How many items are done between two looks at the clock.
    pub batch: u64,
    /// Whether both do the same work; then their answers must agree.
    pub same_work: bool,
}

/// One bench: does its work for about the time given.
pub type Bench = Box<dyn Fn(Duration) -> Comparison>;

/// All benches of boards and players, then `more`, one after the other, `seconds` in all; `done` is called with each result.
pub fn run(seconds: f64, more: Vec<Bench>, mut done: impl FnMut(&Comparison)) -> Vec<Comparison> {
    let benches: Vec<Bench> = boards::benches()
        .into_iter()
        .chain(players::benches())
        .chain(more)
        .collect();
    let each = Duration::from_secs_f64(seconds / benches.len() as f64);
    benches
        .iter()
        .map(|bench| bench(each))
        .inspect(|comparison| done(comparison))
        .collect()
}

/// This many answers of both sides are compared.
const COMPARED: usize = 10_000;

impl Task<'_> {
    /// Lets both sides do the same items in turns for about `time`.
    pub fn compare(mut self, time: Duration) -> Comparison {
        let (mut fast, mut plain) = (Side::default(), Side::default());
        let started = Instant::now();
        while fast.items == 0 || started.elapsed() < time {
            if let Some(work) = &mut self.plain {
                plain.work(work, time / 20, self.batch);
            }
            fast.work(&mut self.fast, time / 20, self.batch);
        }
        let mut answers = fast.answers.iter().zip(&plain.answers);
        assert!(
            !self.same_work || answers.all(|(fast, plain)| fast == plain),
            "{}: the fast and the plain way disagree",
            self.name
        );
        let plain = self.plain.map(|_| plain.speed());
        Comparison {
            name: self.name,
            unit: self.unit,
            fast: fast.speed(),
            plain,
            ratio: plain.map(|plain| fast.speed() / plain),
            document: None,
            over_document: None,
        }
    }
}

/// What one side has done so far.
#[derive(Default)]
struct Side {
    answers: Vec<(u64, i64)>,
    items: u64,
    units: u64,
    busy: Duration,
}

impl Side {
    fn work(&mut self, work: &mut Work<'_>, time: Duration, batch: u64) {
        let started = Instant::now();
        loop {
            for item in self.items..self.items + batch {
                let answer = work(item);
                self.units += answer.0;
                if self.answers.len() < COMPARED {
                    self.answers.push(answer);
                }
            }
            self.items += batch;
            if started.elapsed() >= time {
                break;
            }
        }
        self.busy += started.elapsed();
    }

    fn speed(&self) -> f64 {
        self.units as f64 / self.busy.as_secs_f64()
    }
}
