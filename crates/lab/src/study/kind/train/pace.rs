//! How many threads make a training fastest.
//!
//! Threads that share a network wait for each other in every step. That pays where each has a core of its own; on a busy machine one thread
//! is several times as fast. So now and then the other way is tried, and kept if it is faster. The numbers are the same either way.

use std::time::{Duration, Instant};

/// A try that failed is repeated after twice the time, up to this.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
const SHORTEST_WAIT: Duration = Duration::from_millis(500);
/// The other way must be faster by this much.
const GAIN: f64 = 1.05;
/// Weight of the newest speed in the running mean.
const NEWEST: f64 = 0.2;

/// The choice between one thread and several.
#[derive(Debug)]
pub(super) struct Pace {
    most: usize,
    /// The way that was faster.
    threads: usize,
    /// Its moves per second.
    speed: Option<f64>,
    is_trying: bool,
    next_try: Instant,
    wait: Duration,
}

impl Pace {
    /// At most this many threads; one to begin with.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            threads: 1,
            speed: None,
            is_trying: false,
            next_try: Instant::now(),
            wait: SHORTEST_WAIT,
        }
    }

    /// The threads to work on next.
    pub(super) fn threads(&mut self) -> usize {
        let may_try = self.most > 1 && self.speed.is_some();
        self.is_trying = may_try && Instant::now() >= self.next_try;
        match self.is_trying {
            true => self.other(),
            false => self.threads,
        }
    }

    fn other(&self) -> usize {
        match self.threads {
            1 => self.most,
            _ => 1,
        }
    }

    /// So many moves took so long on these threads.
    pub(super) fn took(&mut self, moves: u64, time: Duration) {
        let speed = moves as f64 / time.as_secs_f64().max(1e-9);
        let known = self.speed.unwrap_or(speed);
        if !self.is_trying {
            self.speed = Some(known + NEWEST * (speed - known));
            return;
        }
        if speed > GAIN * known {
            self.threads = self.other();
            self.speed = Some(speed);
            self.wait = SHORTEST_WAIT;
        } else {
            self.wait = (2 * self.wait).min(LONGEST_WAIT);
        }
        self.next_try = Instant::now() + self.wait;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_faster_way_is_kept() {
        let mut pace = Pace::new(4);
        assert_eq!(pace.threads(), 1);
        pace.took(100, SECOND);
        assert_eq!(pace.threads(), 4);
        pace.took(300, SECOND);
        assert_eq!((pace.threads, pace.speed), (4, Some(300.0)));
        pace.next_try = Instant::now();
        assert_eq!(pace.threads(), 1);
        pace.took(100, SECOND);
        assert_eq!((pace.threads, pace.wait), (4, 2 * SHORTEST_WAIT));
        assert_eq!(pace.threads(), 4);
    }

    #[test]
    fn one_thread_needs_no_choice() {
        let mut pace = Pace::new(1);
        for _ in 0..3 {
            assert_eq!(pace.threads(), 1);
            pace.took(100, SECOND);
        }
    }
}
