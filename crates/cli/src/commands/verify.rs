//! `gamete verify`: compares evolution with reference implementations.

use lab::verify::{Check, verify};

use crate::output::{Failure, Table, print, print_json};

const EXAMPLES: &str = "\
A check passes if p > 0.01, and 0.35 < A12 < 0.65 where the reference's runs are known. A12 is the probability that ours \
needs more evaluations than the reference; 0.5 is no difference. Seeds are fixed. Takes a few seconds.

Examples:
  gamete verify
  gamete verify --json";

/// Arguments of `gamete verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Print JSON: a list of objects with name, ours, reference, p, a12 and holds
    #[arg(long)]
    json: bool,
}

#[derive(serde::Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    check: &'a Check,
    holds: bool,
}

/// Measures and prints; fails if a check does.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let bar = indicatif::ProgressBar::new_spinner();
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    let checks = verify(|check| bar.set_message(format!("measured {}", check.name)));
    bar.finish_and_clear();
    if arguments.json {
        let rows: Vec<Row<'_>> = checks
            .iter()
            .map(|check| Row {
                check,
                holds: check.holds(),
            })
            .collect();
        print_json(&rows)?;
    } else {
        print(&render(&checks))?;
    }
    let failed = checks.iter().filter(|check| !check.holds()).count();
    if failed > 0 {
        return Err(Failure::Failed(anyhow::anyhow!(
            "{failed} of {} checks failed",
            checks.len()
        )));
    }
    Ok(())
}

fn render(checks: &[Check]) -> String {
    let mut table = Table::new(["check", "ours", "reference", "p", "A12", ""]);
    for check in checks {
        table.row([
            check.name.clone(),
            check.ours.clone(),
            check.reference.clone(),
            format!("{:.3}", check.p),
            check.a12.map_or("-".to_owned(), |a12| format!("{a12:.2}")),
            if check.holds() { "holds" } else { "FAILS" }.to_owned(),
        ]);
    }
    table.render()
}
