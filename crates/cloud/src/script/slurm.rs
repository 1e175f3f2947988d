//! Slurm: an array of jobs, one a worker, so that each starts as soon as there is room for it.

use super::{GRACE, System, Workers};

pub(super) const SYSTEM: System = System {
    name: "slurm",
    about: "a batch file for sbatch: an array of jobs, one a worker",
    needs_image: false,
    write: script,
};

fn script(workers: &Workers) -> String {
    let Workers {
        workers: count,
        cores,
        ..
    } = workers;
    let (time, grace) = (minutes(workers), GRACE.as_secs());
    let command = workers.command(&workers.join);
    // With exec the batch shell is the worker itself, so the signal that is sent to the shell before the time is over reaches it.
    format!(
        "#!/bin/sh
# Workers of Gamete, one a job of the array. Start them with: sbatch FILE
#SBATCH --job-name=gamete-worker
#SBATCH --array=1-{count}
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={cores}
#SBATCH --time={time}
#SBATCH --signal=B:TERM@{grace}
#SBATCH --requeue
#SBATCH --output=gamete-worker-%A-%a.log

exec {command}
"
    )
}

/// Slurm counts in minutes; a begun one counts.
fn minutes(workers: &Workers) -> u64 {
    workers.time.as_secs().div_ceil(60)
}
