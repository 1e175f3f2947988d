//! `gamete export`: what runs kept, for other programs.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use lab::store::Named;
use report::export::{ExportError, FORMATS, Format, export};
use report::results::Results;

use crate::formats::named;
use crate::output::{Failure, print};
use crate::runs_dir::RunsDir;

const EXAMPLES: &str = "\
csv: one row per individual and generation (or per game of a measurement or a training). json: one object per line for each run. individuals: one \
JSON object per line for each individual and generation. optuna: a journal for optuna-dashboard. \
cgp-txt and cgp-scores: population.txt and scores.txt of the work 2048-cgp, of one run that evolves programs.

Examples:
  gamete export my-study --format csv > individuals.csv
  gamete export my-study/s1-r2 --format json
  gamete export my-study --format optuna --out journal.log
  gamete export my-study/r1 --format cgp-txt --out population.txt";

/// Arguments of `gamete export`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The study, or a run of it
    name: String,
    #[command(flatten)]
    runs_dir: RunsDir,
    /// csv, json, individuals, optuna, cgp-txt or cgp-scores
    #[arg(long, value_name = "FORMAT", default_value = "csv", value_parser = format)]
    format: &'static Format,
    /// The file to write, which must not exist yet [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn format(text: &str) -> Result<&'static Format, String> {
    named(FORMATS, |format| format.name, text)
}

/// Writes what was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let store = arguments.runs_dir.store();
    let (folder, only) = match store.find(&arguments.name)? {
        Named::Study(folder) => (folder, None),
        Named::Run(folder, run) => {
            let id = format!("{}/{}", folder.name, run.name);
            (folder, Some(id))
        }
    };
    let results = Results::read(&folder)?;
    if arguments.out.is_none() && std::io::stdout().is_terminal() {
        let mut text = Vec::new();
        export(&results, only.as_deref(), arguments.format, &mut text)?;
        return print(&String::from_utf8_lossy(&text));
    }
    let mut out: Box<dyn Write> = match &arguments.out {
        None => Box::new(std::io::stdout().lock()),
        Some(path) => Box::new(create(path)?),
    };
    let mut out = BufWriter::new(&mut out);
    export(&results, only.as_deref(), arguments.format, &mut out)?;
    Ok(out.flush()?)
}

fn create(path: &PathBuf) -> Result<File, Failure> {
    match File::create_new(path) {
        Ok(file) => Ok(file),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(Failure::Usage(format!(
                "--out {}: the file exists already; name a new one",
                path.display()
            )))
        }
        Err(error) => Err(Failure::Failed(
            anyhow::Error::from(error).context(format!("cannot write {}", path.display())),
        )),
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Write(error) => error.into(),
            ExportError::Store(error) => error.into(),
            ExportError::Nothing { .. } | ExportError::Several { .. } => {
                Self::Usage(error.to_string())
            }
            other @ (ExportError::History(_) | ExportError::Damaged { .. }) => {
                Self::Failed(other.into())
            }
        }
    }
}
