//! Processor time: what has been worked, whatever else the machine does.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The processor time of this thread so far.
#[must_use]
pub fn cpu_time() -> Duration {
    time_of(ClockId::ThreadCPUTime)
}

/// The processor time of all threads of this program so far.
#[must_use]
pub fn cpu_time_of_all() -> Duration {
    time_of(ClockId::ProcessCPUTime)
}

fn time_of(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        time.tv_nsec.unsigned_abs() as u32,
    )
}
