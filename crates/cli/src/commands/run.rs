//! `gamete run`: from a study file to its report.

use std::path::PathBuf;

use lab::study::{Form, Study};

use crate::backup::{BackupArguments, finish};
use crate::output::Failure;
use crate::run_study::{RunArguments, run_study};
use crate::runs_dir::RunsDir;
use crate::studies::end;

const EXAMPLES: &str = "\
A study file says what is compared; 'gamete study new 2048' writes one to edit. Every setting is run as often as the \
study says, and a report is written at the end. After Ctrl-C, a kill or a power cut, 'gamete resume' (or the same 'gamete run') \
resumes the study; it ends with the same numbers. A study may grow: more repeats, settings or generations in its file, and 'gamete run' \
continues from there.

Examples:
  gamete run studies/quick/2048.toml
  gamete run my-study.toml --runs-dir /data/runs --log json
  gamete run my-study.toml --store s3://bucket/studies
  gamete run studies/tetris-ga/points.toml --short";

/// Arguments of `gamete run`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The study file
    study: PathBuf,
    #[command(flatten)]
    runs_dir: RunsDir,
    /// Try it in seconds: few repeats, generations and games, or what the study's section 'short' says
    #[arg(long)]
    short: bool,
    /// If the study file has changed since its runs started: start again under a new name
    #[arg(long)]
    fork: bool,
    #[command(flatten)]
    run_study: RunArguments,
    #[command(flatten)]
    backup: BackupArguments,
}

/// Runs the study and prints what came out.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let form = if arguments.short {
        Form::Short
    } else {
        Form::Whole
    };
    let mut study = Study::read(&arguments.study, form)?;
    let store = arguments.runs_dir.store();
    if arguments.fork {
        study.name = store.free_name(&study.name);
    }
    let backup = arguments.backup.open(&store.folder(&study.name))?;
    let ran = run_study(&study, &store, &arguments.run_study, backup.as_ref())?;
    finish(backup, || end(&study, &ran))
}
