//! `gamete verify`: is evolution as good as the best programs known?

use lab::verify::{Yardstick, verify};

use crate::output::{Failure, Table, print, print_json};

const EXAMPLES: &str = "\
A yardstick holds if p > 0.01, and 0.35 < A12 < 0.65 where the reference's runs are known. A12 is the probability that ours
needs more evaluations than the reference; 0.5 is no difference. Seeds are fixed. Takes less than a minute or two.

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
struct Told<'a> {
    #[serde(flatten)]
    yardstick: &'a Yardstick,
    holds: bool,
}

/// Measures and prints; fails if a yardstick does not hold.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let bar = indicatif::ProgressBar::new_spinner();
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    let yardsticks = verify(|yardstick| bar.set_message(format!("measured {}", yardstick.name)));
    bar.finish_and_clear();
    if arguments.json {
        let told: Vec<Told<'_>> = yardsticks
            .iter()
            .map(|yardstick| Told {
                yardstick,
                holds: yardstick.holds(),
            })
            .collect();
        print_json(&told)?;
    } else {
        print(&tell(&yardsticks))?;
    }
    let failed = yardsticks
        .iter()
        .filter(|yardstick| !yardstick.holds())
        .count();
    if failed > 0 {
        return Err(Failure::Failed(anyhow::anyhow!(
            "{failed} of {} yardsticks do not hold",
            yardsticks.len()
        )));
    }
    Ok(())
}

fn tell(yardsticks: &[Yardstick]) -> String {
    let mut table = Table::new(["yardstick", "ours", "reference", "p", "A12", ""]);
    for yardstick in yardsticks {
        table.row([
            yardstick.name.clone(),
            yardstick.ours.clone(),
            yardstick.reference.clone(),
            format!("{:.3}", yardstick.p),
            yardstick
                .a12
                .map_or("-".to_owned(), |a12| format!("{a12:.2}")),
            if yardstick.holds() { "holds" } else { "FAILS" }.to_owned(),
        ]);
    }
    table.render()
}
