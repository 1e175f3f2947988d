//! HyperQueue: a shell script that submits an array of tasks, one per worker.

use super::{GRACE, System, Workers};

pub(super) const SYSTEM: System = System {
    name: "hyperqueue",
    about: "a shell script with hq submit: an array of tasks, one per worker",
    needs_image: false,
    write: script,
};

fn script(workers: &Workers) -> String {
    let (count, cores, command) = (workers.workers, workers.cores, workers.command());
    let (grace, limit) = (GRACE.as_secs(), workers.time.as_secs());
    // HyperQueue kills a task at its time limit without warning, so the worker is told to end before that.
    let soft = workers.time.saturating_sub(2 * GRACE).as_secs();
    format!(
        "#!/bin/sh
# Gamete workers, one per task. Start them with: sh FILE
set -eu
exec hq submit --name gamete-worker --array 1-{count} --cpus {cores} --time-limit {limit}s -- \\
  timeout --preserve-status --signal=TERM --kill-after={grace}s {soft}s \\
  {command}
"
    )
}
