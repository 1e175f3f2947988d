//! The numbers of a report for programs: settings, runs, comparison, and published figures.

use super::{Format, Made, Report};
use crate::results::Results;

pub(super) const FORMAT: Format = Format {
    name: "json",
    file: "results.json",
    make,
};

fn make(_: &Report, results: &Results) -> Made {
    let text = serde_json::to_string_pretty(results).expect("plain data") + "\n";
    text.into()
}
