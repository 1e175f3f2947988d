//! `gamete report`: writes the report of a study, or prints it.

use std::path::PathBuf;

use lab::store::Named;
use report::results::Results;
use report::{self, FORMATS, Format, ReportError};

use crate::formats::named;
use crate::output::{Failure, print, print_json};
use crate::runs_dir::RunsDir;
use crate::studies::check_whole;

const EXAMPLES: &str = "\
'gamete run' writes the report at the end; this command writes it at any time, e.g. while the study is still running, or to another \
directory. With --format json alone and no --out, the JSON is printed.

Examples:
  gamete report my-study
  gamete report my-study --format html,md --out docs/my-study
  gamete report my-study --format json";

/// Arguments of `gamete report`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The study, or a run of it
    name: String,
    #[command(flatten)]
    runs_dir: RunsDir,
    /// Formats, separated by commas: html, md, csv, json [default: all]
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', value_parser = format)]
    format: Vec<&'static Format>,
    /// Where to write it [default: the directory 'report' of the study]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

fn format(text: &str) -> Result<&'static Format, String> {
    named(FORMATS, |format| format.name, text)
}

/// Writes the report and says where it is.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let store = arguments.runs_dir.store();
    let (Named::Study(folder) | Named::Run(folder, _)) = store.find(&arguments.name)?;
    let is_json = matches!(arguments.format.as_slice(), [one] if one.name == "json");
    if is_json && arguments.out.is_none() {
        let results = Results::read(&folder)?;
        print_json(&results)?;
        return check_whole(&results);
    }
    let formats: Vec<&Format> = match arguments.format.as_slice() {
        [] => FORMATS.iter().collect(),
        some => some.to_vec(),
    };
    let directory = arguments
        .out
        .clone()
        .unwrap_or_else(|| report::directory(&folder));
    let (results, files) = report::write(&folder, &formats, &directory)?;
    let lines = files.iter().map(|file| format!("{}\n", file.display()));
    print(&lines.collect::<String>())?;
    check_whole(&results)
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Store(error) => error.into(),
            other => Self::Failed(other.into()),
        }
    }
}
