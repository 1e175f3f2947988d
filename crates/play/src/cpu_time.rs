//! Processor time: what a thread has worked, whatever else the machine does.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The processor time of this thread so far.
#[must_use]
pub fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        time.tv_nsec.unsigned_abs() as u32,
    )
}
