//! `gamete cloud down`: gives the machines of a study back.

use super::jobs::Jobs;
use super::{launches, sky};
use crate::output::{Failure, print};

const EXAMPLES: &str = "\
Only the machines of this study are given back. What was computed is in the bucket: the same 'gamete cloud up' goes on with it.

Examples:
  gamete cloud down my-study";

/// Arguments of `gamete cloud down`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The study
    study: String,
}

/// Gives them back.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let launches = launches()?;
    let launched = launches.get(&arguments.study)?;
    let sky = sky();
    let alive = Jobs::of(&launched, &sky.queue()?).alive();
    if !alive.is_empty() {
        sky.cancel(&alive)?;
    }
    launches.forget(&launched)?;
    let jobs = match alive.len() {
        0 => "no job was left".to_owned(),
        1 => "1 job is cancelled".to_owned(),
        count => format!("{count} jobs are cancelled"),
    };
    print(&format!(
        "{}: {jobs}; results so far are in {}\n",
        launched.study, launched.store
    ))
}
