//! `gamete cloud down`: releases the machines of a study.

use super::jobs::Jobs;
use super::{launches, sky};
use crate::output::{Failure, print};

const EXAMPLES: &str = "\
Only the machines of this study are released. Results so far are in the bucket: the same 'gamete cloud up' resumes the study.

Examples:
  gamete cloud down my-study";

/// Arguments of `gamete cloud down`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The study
    study: String,
}

/// Releases them.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let launches = launches()?;
    let launch = launches.get(&arguments.study)?;
    let sky = sky();
    let alive = Jobs::of(&launch, &sky.queue()?).alive();
    if !alive.is_empty() {
        sky.cancel(&alive)?;
    }
    launches.delete(&launch)?;
    let jobs = match alive.len() {
        0 => "no jobs were left".to_owned(),
        1 => "1 job cancelled".to_owned(),
        count => format!("{count} jobs cancelled"),
    };
    print(&format!(
        "{}: {jobs}; results so far are in {}\n",
        launch.study, launch.store
    ))
}
