//! `gamete cloud plan`: estimates time and cost before anything is rented.

use serde_json::{Value as Json, json};

use super::estimate::{Estimate, PlanArguments};
use super::table::describe;
use crate::output::{Failure, print, print_json};

const EXAMPLES: &str = "\
The study is tried here for a few seconds to estimate time and cost on every machine type of the price table. Nothing is rented, and \
SkyPilot need not be installed. Types above --max-price are left out; of those that meet --deadline even at worst, the cheapest is \
recommended.

Examples:
  gamete cloud plan my-study.toml --workers 8
  gamete cloud plan my-study.toml --clouds aws,gcp --max-price 0.40 --deadline 6h
  gamete cloud plan my-study.toml --prices aws/vms.csv --type c5.4xlarge --json";

/// Arguments of `gamete cloud plan`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    plan: PlanArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Plans.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let study = arguments.plan.read_study()?;
    let estimate = arguments.plan.estimate(study)?;
    if arguments.json {
        print_json(&as_json(&estimate))
    } else {
        print(&describe(&estimate))
    }
}

fn as_json(estimate: &Estimate) -> Json {
    let recommended = estimate.plan.recommended();
    let machine_type = recommended.map(|row| &row.worker.machine_type);
    json!({
        "study": estimate.study.name,
        "runs": estimate.runs,
        "steps": estimate.step,
        "threads": estimate.threads,
        "work": estimate.work,
        "prices": estimate.catalogue.source.to_string(),
        "workers": estimate.requirements.workers,
        "machines": estimate.plan.rows,
        "recommended": machine_type,
    })
}
