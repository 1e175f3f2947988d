//! `gamete cloud`: a study on rented machines.

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
Machines are rented through SkyPilot (pip install \"skypilot[aws,gcp]==0.14.1\"): one head that conducts the study, and workers, as spot
machines that may vanish at any moment. Results and checkpoints are kept in a bucket, so nothing is lost. The machines are given
back when the study has ended; [notify] in the study tells you.

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
    /// Say what a study would take and cost, before anything is rented
    Plan(plan::Arguments),
    /// Rent machines and run a study on them
    Up(up::Arguments),
    /// Show how the machines of studies stand
    Status(status::Arguments),
    /// Show what a machine of a study has written
    Logs(logs::Arguments),
    /// Give the machines of a study back
    Down(down::Arguments),
}

/// Does what was asked.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.what {
        What::Plan(arguments) => plan::run(arguments),
        What::Up(arguments) => up::run(arguments),
        What::Status(arguments) => status::run(arguments),
        What::Logs(arguments) => logs::run(arguments),
        What::Down(arguments) => down::run(arguments),
    }
}

/// SkyPilot as it is installed here.
fn sky() -> Sky {
    Sky::new(std::env::var_os("GAMETE_SKY"))
}

/// What was launched by this user.
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
            SkyError::Missing { .. } | SkyError::NotStarted { .. } | SkyError::NoAccess { .. } => {
                Self::Usage(error.to_string())
            }
            other => Self::Failed(other.into()),
        }
    }
}
