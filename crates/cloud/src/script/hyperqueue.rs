//! HyperQueue: a shell script that submits an array of tasks, one a worker.

use super::{GRACE, System, Workers};

pub(super) const SYSTEM: System = System {
    name: "hyperqueue",
    about: "a shell script with hq submit: an array of tasks, one a worker",
    needs_image: false,
    write: script,
};

fn script(workers: &Workers) -> String {
    let Workers {
        workers: count,
        cores,
        time,
        ..
    } = workers;
    let (grace, limit) = (GRACE.as_secs(), time.as_secs());
    let soft = time.saturating_sub(2 * GRACE);
    let (soft, command) = (soft.as_secs(), workers.command(&workers.join));
    // HyperQueue kills what runs too long at once, so the worker is told to end before that.
    format!(
        "#!/bin/sh
# Workers of Gamete, one a task. Start them with: sh FILE
set -eu
exec hq submit --name gamete-worker --array 1-{count} --cpus {cores} --time-limit {limit}s -- \\
  timeout --preserve-status --signal=TERM --kill-after={grace}s {soft}s \\
  {command}
"
    )
}
