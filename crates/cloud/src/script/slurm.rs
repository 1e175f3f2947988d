//! Slurm: an array of jobs, one per worker, so that each starts as soon as there is room for it.

use super::{GRACE, System, Workers};

pub(super) const SYSTEM: System = System {
    name: "slurm",
    about: "a batch file for sbatch: an array of jobs, one per worker",
    needs_image: false,
    write: script,
};

fn script(workers: &Workers) -> String {
    let (count, cores, command) = (workers.workers, workers.cores, workers.command());
    // Slurm counts in minutes, rounded up.
    let (time, grace) = (workers.time.as_secs().div_ceil(60), GRACE.as_secs());
    // With exec the worker replaces the batch shell, so it receives the signal that Slurm sends to the shell before the time is up.
    format!(
        "#!/bin/sh
# Gamete workers, one per job of the array. Start them with: sbatch FILE
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
