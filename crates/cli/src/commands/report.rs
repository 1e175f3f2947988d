//! `gamete report`: writes the report of a study, or prints it.

use std::path::PathBuf;

use lab::store::Named;
use report::charts::Size;
use report::results::Results;
use report::{self, FIGURES, FORMATS, Figure, Format, ReportError, Wanted};

use crate::formats::named;
use crate::output::{Failure, print, print_json};
use crate::runs_dir::RunsDir;
use crate::studies::check_whole;

const EXAMPLES: &str = "\
'gamete run' writes the report at the end; this command writes it at any time, e.g. while the study is still running, or to another \
directory. With --format json alone and no --out, the JSON is printed. svg, png and pdf write every chart to a file of its own in \
the directory 'charts'.

Examples:
  gamete report my-study
  gamete report my-study --format pdf,png --out paper
  gamete report my-study --big --out slides
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
    /// Formats, separated by commas: html, md, csv, json; svg, png, pdf for the charts [default: html,md,csv,json]
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', value_parser = format)]
    format: Vec<Asked>,
    /// Make the texts of charts large enough for the back of a room
    #[arg(long)]
    big: bool,
    /// Where to write it [default: the directory 'report' of the study]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// What a format is of.
#[derive(Debug, Clone, Copy)]
enum Asked {
    Report(&'static Format),
    Charts(&'static Figure),
}

fn format(text: &str) -> Result<Asked, String> {
    let reports = FORMATS.iter().map(|it| (it.name, Asked::Report(it)));
    let charts = FIGURES.iter().map(|it| (it.name, Asked::Charts(it)));
    let all: Vec<(&str, Asked)> = reports.chain(charts).collect();
    named(&all, |(name, _)| name, text).map(|(_, asked)| *asked)
}

fn wanted(arguments: &Arguments) -> Wanted {
    let size = if arguments.big { Size::Big } else { Size::Page };
    if arguments.format.is_empty() {
        return Wanted {
            size,
            ..Wanted::all()
        };
    }
    let mut wanted = Wanted {
        size,
        ..Wanted::default()
    };
    for asked in &arguments.format {
        match asked {
            Asked::Report(format) => wanted.reports.push(format),
            Asked::Charts(figure) => wanted.figures.push(figure),
        }
    }
    wanted
}

/// Writes the report and says where it is.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let store = arguments.runs_dir.store();
    let (Named::Study(folder) | Named::Run(folder, _)) = store.find(&arguments.name)?;
    let is_json = matches!(arguments.format.as_slice(), [Asked::Report(one)] if one.name == "json");
    if is_json && arguments.out.is_none() {
        let results = Results::read(&folder)?;
        print_json(&results)?;
        return check_whole(&results);
    }
    let directory = arguments
        .out
        .clone()
        .unwrap_or_else(|| report::directory(&folder));
    let (results, files) = report::write(&folder, &wanted(arguments), &directory)?;
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
