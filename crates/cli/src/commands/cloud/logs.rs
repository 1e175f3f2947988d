//! `gamete cloud logs`: the output of a machine.

use cloud::sky::Follow;

use super::jobs::Jobs;
use super::{launches, sky};
use crate::output::Failure;

const EXAMPLES: &str = "\
Examples:
  gamete cloud logs my-study
  gamete cloud logs my-study --follow
  gamete cloud logs my-study --worker 2";

/// Arguments of `gamete cloud logs`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The study
    study: String,
    /// A worker, by its number in 'gamete cloud status' [default: the head]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    worker: Option<u32>,
    /// Wait for new output
    #[arg(long, short)]
    follow: bool,
}

/// Shows it.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let launch = launches()?.get(&arguments.study)?;
    let sky = sky();
    let jobs = Jobs::of(&launch, &sky.queue()?);
    let job = match arguments.worker {
        None => jobs.head.as_ref(),
        Some(number) => jobs.workers.get(number as usize - 1),
    };
    let job = job.ok_or_else(|| Failure::Usage(missing(arguments, &jobs)))?;
    let follow = match arguments.follow {
        true => Follow::Yes,
        false => Follow::No,
    };
    Ok(sky.logs(job.id, follow)?)
}

fn missing(arguments: &Arguments, jobs: &Jobs) -> String {
    let study = &arguments.study;
    match (arguments.worker, jobs.workers.len()) {
        (None, _) => format!("SkyPilot has no head for {study}"),
        (Some(number), 0) => {
            format!("there is no worker {number}: SkyPilot has no workers for {study}")
        }
        (Some(number), count) => {
            format!("there is no worker {number}; {study} has workers 1 to {count}")
        }
    }
}
