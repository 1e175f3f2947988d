//! Speed of the fast boards compared with the plain ones, and of pruned searches with exhaustive ones.
//!
//! Both sides do exactly the same work, in alternating slices of a fraction of a second, so a noisy machine slows
//! both alike: the ratio is reliable even where the speeds are not. Every benchmark also compares the answers.

mod boards;
pub mod generators;
mod judged;
mod players;
pub mod speed;

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::cpu_time::cpu_time_of_all;
use crate::stats::ratio;

/// Speeds of a fast implementation and, where there is one, a plain one.
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
    /// Its 95 % interval over the slices of time; none if there were too few.
    pub ratio_ci95: Option<[f64; 2]>,
    /// Published speed, if any.
    pub published: Option<f64>,
    /// `fast / published`.
    pub over_published: Option<f64>,
}

/// Does item number `n` of a benchmark on one side: returns the number of units and the answer.
pub type Work<'a> = Box<dyn FnMut(u64) -> (u64, i64) + 'a>;

/// A piece of work with two implementations.
pub struct Task<'a> {
    /// What is done.
    pub name: String,
    /// What the speeds count.
    pub unit: &'static str,
    /// The fast way.
    pub fast: Work<'a>,
    /// The plain way, where there is one.
    pub plain: Option<Work<'a>>,
    /// Items between two readings of the clock.
    pub batch: u64,
    /// Whether both do the same work; then their answers must agree.
    pub same_work: bool,
    /// Whether it is done on several threads. Then the time that passes counts, else that of the processor, which nothing else on the machine adds
    /// to.
    pub several_threads: bool,
}

/// One benchmark: runs for about the given time.
pub type Bench = Box<dyn Fn(Duration) -> Comparison>;

/// Runs all benchmarks of boards and players, then `more`, one after the other, `seconds` in all; `done` is called with each result.
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

/// Number of answers compared.
const COMPARED: usize = 10_000;

impl Task<'_> {
    /// Runs the same items on both sides alternately for about `time`.
    pub fn compare(mut self, time: Duration) -> Comparison {
        let clock = if self.several_threads {
            time_passed
        } else {
            cpu_time_of_all
        };
        let (mut fast, mut plain) = (Side::new(clock), Side::new(clock));
        let mut slices = (Vec::new(), Vec::new());
        let started = Instant::now();
        while fast.items == 0 || started.elapsed() < time {
            if let Some(work) = &mut self.plain {
                slices.1.push(plain.work(work, time / 20, self.batch));
            }
            slices
                .0
                .push(fast.work(&mut self.fast, time / 20, self.batch));
        }
        let mut answers = fast.answers.iter().zip(&plain.answers);
        assert!(
            !self.same_work || answers.all(|(fast, plain)| fast == plain),
            "{}: the fast and the plain implementation disagree",
            self.name
        );
        let plain = self.plain.map(|_| plain.speed());
        Comparison {
            name: self.name,
            unit: self.unit,
            fast: fast.speed(),
            plain,
            ratio: plain.map(|plain| fast.speed() / plain),
            ratio_ci95: ratio_interval(&slices.0, &slices.1),
            published: None,
            over_published: None,
        }
    }
}

/// The interval of the ratio of speeds, each measured slice by slice; neither is below 0.
fn ratio_interval(fast: &[f64], plain: &[f64]) -> Option<[f64; 2]> {
    let [low, high] = ratio(fast, plain)?.1?;
    Some([low.max(0.0), high])
}

/// A time that only grows.
type Clock = fn() -> Duration;

/// Since the first time it was asked.
fn time_passed() -> Duration {
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    FIRST.elapsed()
}

/// The work one side has done so far.
struct Side {
    clock: Clock,
    answers: Vec<(u64, i64)>,
    items: u64,
    units: u64,
    busy: Duration,
}

impl Side {
    fn new(clock: Clock) -> Self {
        Self {
            clock,
            answers: Vec::new(),
            items: 0,
            units: 0,
            busy: Duration::ZERO,
        }
    }

    /// Works for about this time; the speed in it.
    fn work(&mut self, work: &mut Work<'_>, time: Duration, batch: u64) -> f64 {
        let (started, before) = (Instant::now(), self.units);
        let began = (self.clock)();
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
        let busy = (self.clock)() - began;
        self.busy += busy;
        (self.units - before) as f64 / busy.as_secs_f64()
    }

    fn speed(&self) -> f64 {
        self.units as f64 / self.busy.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_has_an_interval_over_slices() {
        assert_eq!(
            ratio_interval(&[6.0, 6.0, 6.0], &[3.0, 3.0, 3.0]),
            Some([2.0, 2.0])
        );
        let [low, high] = ratio_interval(&[5.0, 6.0, 7.0], &[3.0, 3.0, 3.0]).expect("three");
        assert!(low < 2.0 && 2.0 < high);
        assert_eq!(ratio_interval(&[6.0], &[3.0]), None);
        assert_eq!(ratio_interval(&[6.0, 6.0], &[]), None);
    }
}
