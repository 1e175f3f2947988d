//! `gamete bench`: speed of the fast ways beside that of the plain ones.

use crate::output::{Failure, Table, number, print, print_json};

const EXAMPLES: &str = "\
The fast and the plain implementation do the same work in turns, so that the ratio is reliable on a noisy machine, too.

Examples:
  gamete bench
  gamete bench --seconds 20 --json";

/// Arguments of `gamete bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Total time of all benchmarks
    #[arg(long, value_name = "S", default_value_t = 15.0, value_parser = positive)]
    seconds: f64,
    /// Print JSON: a list of objects with name, unit, fast, plain, ratio, ratio_ci95, published and over_published
    #[arg(long)]
    json: bool,
}

/// A number of seconds that is more than none and less than a day.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err("must be a number of seconds above 0 and at most 86400".to_owned()),
    }
}

/// Measures and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let comparisons = play::bench::run(arguments.seconds, lab::bench::benches(), |_| {});
    if arguments.json {
        return print_json(&comparisons);
    }
    let ratio =
        |ratio: Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{}x", number(ratio, 1)));
    let mut table = Table::new([
        "bench",
        "fast",
        "plain",
        "ratio",
        "95 % interval",
        "over published",
        "unit",
    ]);
    for comparison in &comparisons {
        table.row([
            comparison.name.clone(),
            speed(comparison.fast),
            comparison.plain.map_or("-".to_owned(), speed),
            ratio(comparison.ratio),
            comparison.ratio_ci95.map_or("-".to_owned(), |[low, high]| {
                format!("{} to {}", number(low, 1), number(high, 1))
            }),
            ratio(comparison.over_published),
            comparison.unit.to_owned(),
        ]);
    }
    print(&table.render())
}

/// Slow things need decimals.
fn speed(speed: f64) -> String {
    number(speed, if speed < 100.0 { 2 } else { 0 })
}
