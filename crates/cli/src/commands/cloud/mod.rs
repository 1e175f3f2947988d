//! `gamete cloud`: runs studies on rented machines.

mod down;
mod estimate;
mod jobs;
mod logs;
mod plan;
mod status;
mod table;
mod up;

use cloud::launches::{LaunchError, Launches};
use cloud::plan::PlanError;
use cloud::prices::PriceError;
use cloud::sky::{Sky, SkyError};
use etcetera::BaseStrategy;

use crate::output::Failure;

const EXAMPLES: &str = "\
Machines are rented through SkyPilot (pip install \"skypilot[aws,gcp]==0.14.1\"): a head that runs the study, and workers. They are spot \
machines, which can be lost at any time. Results and checkpoints are stored in a bucket, so nothing is lost with them. All machines \
are released when the study ends; with [notify] in the study you get a message.

Examples:
  gamete cloud plan my-study.toml --workers 8 --max-price 0.40 --deadline 6h
  gamete cloud up my-study.toml --workers 8 --store s3://my-bucket/runs
  gamete cloud status
  gamete cloud logs my-study --follow
  gamete cloud down my-study";

/// Arguments of `gamete cloud`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Estimate time and cost of a study before anything is rented
    Plan(plan::Arguments),
    /// Rent machines and run a study on them
    Up(up::Arguments),
    /// Show the machines of studies
    Status(status::Arguments),
    /// Show the output of a machine
    Logs(logs::Arguments),
    /// Release the machines of a study
    Down(down::Arguments),
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.what {
        What::Plan(arguments) => plan::run(arguments),
        What::Up(arguments) => up::run(arguments),
        What::Status(arguments) => status::run(arguments),
        What::Logs(arguments) => logs::run(arguments),
        What::Down(arguments) => down::run(arguments),
    }
}

/// The installed SkyPilot.
fn sky() -> Sky {
    Sky::new(std::env::var_os("GAMETE_SKY"))
}

/// The launches of this user.
fn launches() -> Result<Launches, Failure> {
    let strategy = etcetera::choose_base_strategy();
    let strategy = strategy.map_err(|error| Failure::Failed(error.into()))?;
    let state = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    Ok(Launches::new(&state.join("gamete/cloud")))
}

impl From<PriceError> for Failure {
    fn from(error: PriceError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<LaunchError> for Failure {
    fn from(error: LaunchError) -> Self {
        match error {
            LaunchError::Unknown { .. } => Self::Usage(error.to_string()),
            other => Self::Failed(other.into()),
        }
    }
}

impl From<SkyError> for Failure {
    fn from(error: SkyError) -> Self {
        match error {
            SkyError::Missing { .. } | SkyError::CannotStart { .. } | SkyError::NoAccess { .. } => {
                Self::Usage(error.to_string())
            }
            other => Self::Failed(other.into()),
        }
    }
}
