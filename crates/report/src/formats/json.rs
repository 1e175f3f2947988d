//! The numbers of a report for programs: settings, runs, comparison, and published figures.

use std::path::Path;

use super::{Format, Report};
use crate::results::Results;
use lab::run::file::{FileError, replace};

pub(super) const FORMAT: Format = Format {
    name: "json",
    file: "results.json",
    write,
};

fn write(path: &Path, _: &Report, results: &Results) -> Result<(), FileError> {
    let text = serde_json::to_string_pretty(results).expect("plain data") + "\n";
    replace(path, text.as_bytes())
}
