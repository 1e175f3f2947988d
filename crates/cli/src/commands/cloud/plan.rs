//! `gamete cloud plan`: time and cost before anything is rented.

use serde_json::{Value as Json, json};

use super::estimate::{Estimated, Wanted};
use super::table::tell;
use crate::output::{Failure, print, print_json};

const EXAMPLES: &str = "\
The study is tried here for some seconds, then the time and cost on every machine type of the price table follow. Nothing is rented, and
SkyPilot need not be there. Types that cost more than --max-price are left out; of those that are over before --deadline even
at worst, the cheapest is recommended.

Examples:
  gamete cloud plan my-study.toml --workers 8
  gamete cloud plan my-study.toml --clouds aws,gcp --max-price 0.40 --deadline 6h
  gamete cloud plan my-study.toml --prices aws/vms.csv --type c5.4xlarge --json";

/// Arguments of `gamete cloud plan`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    wanted: Wanted,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Plans.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let estimated = arguments.wanted.estimate()?;
    if arguments.json {
        print_json(&as_json(&estimated))
    } else {
        print(&tell(&estimated))
    }
}

fn as_json(estimated: &Estimated) -> Json {
    let recommended = estimated.plan.recommended();
    let machine_type = recommended.map(|row| &row.worker.machine_type);
    json!({
        "study": estimated.study.name,
        "runs": estimated.runs,
        "steps": estimated.step,
        "threads": estimated.threads,
        "work": estimated.work,
        "prices": estimated.catalogue.source.to_string(),
        "workers": estimated.wish.workers,
        "machines": estimated.plan.rows,
        "recommended": machine_type,
    })
}
