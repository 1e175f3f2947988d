//! The command line of `gamete`: one file per command, glue over the libraries. The binary and the Python package call [`main`].
//!
//! Results go to standard output, everything else to standard error. Exit codes: 0 done, 1 failed,
//! 2 wrong usage, 130 interrupted.

mod announced;
mod arguments;
mod backup;
mod commands;
mod completion;
mod confirm;
mod counts;
mod files;
mod formats;
mod interrupt;
mod lookout;
mod one_run;
mod openings;
mod output;
mod own_program;
mod pool;
mod pool_view;
mod progress;
mod rules;
mod run_study;
mod runs_dir;
mod seats;
mod studies;
mod tui;
mod usage;

use std::ffi::OsString;

use arguments::{Arguments, Command};
use lab::study::Study;
use output::Failure;
pub use own_program::set_launcher;

/// Does what these words ask for, the first of which is the name of the program, and returns the exit code.
#[must_use]
pub fn main(words: &[OsString]) -> u8 {
    match completion::answer_shell(words) {
        Ok(true) => return 0,
        Ok(false) => {}
        Err(error) => return usage::report(&error),
    }
    match Arguments::read(words) {
        Ok(arguments) => run(&arguments.command).map_or_else(Failure::report, |()| 0),
        Err(error) => usage::report(&usage::with_advice(error)),
    }
}

/// The study of one run that `gamete evolve` or `gamete train` makes of these words, or what is wrong with them.
pub fn study_of_one_run(words: &[OsString]) -> Result<Study, String> {
    let arguments =
        Arguments::read(words).map_err(|error| usage::text(&usage::with_advice(error)))?;
    match &arguments.command {
        Command::Evolve(arguments) => commands::evolve::study(arguments).map_err(Failure::message),
        Command::Train(arguments) => commands::train::study(arguments).map_err(Failure::message),
        _ => Err("these words are not those of 'gamete evolve' or 'gamete train'".to_owned()),
    }
}

fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Play(arguments) => commands::play::run(arguments),
        Command::Watch(arguments) => commands::watch::run(arguments),
        Command::Measure(arguments) => commands::measure::run(arguments),
        Command::Match(arguments) => commands::tournament::run(arguments),
        Command::Evolve(arguments) => commands::evolve::run(arguments),
        Command::Train(arguments) => commands::train::run(arguments),
        Command::Run(arguments) => commands::run::run(arguments),
        Command::Runs(arguments) => commands::runs::run(arguments),
        Command::Show(arguments) => commands::show::run(arguments),
        Command::Resume(arguments) => commands::resume::run(arguments),
        Command::Report(arguments) => commands::report::run(arguments),
        Command::Compare(arguments) => commands::compare::run(arguments),
        Command::Export(arguments) => commands::export::run(arguments),
        Command::Fsck(arguments) => commands::fsck::run(arguments),
        Command::Rm(arguments) => commands::rm::run(arguments),
        Command::Serve(arguments) => commands::serve::run(arguments),
        Command::Cluster(arguments) => commands::cluster::run(arguments),
        Command::Worker(arguments) => commands::worker::run(arguments),
        Command::Study(arguments) => commands::study::run(arguments),
        Command::Cloud(arguments) => commands::cloud::run(arguments),
        Command::Algorithms(arguments) => commands::algorithms::run(arguments),
        Command::Solve(arguments) => commands::solve::run(arguments),
        Command::Players(arguments) => commands::players::run(arguments),
        Command::Bench(arguments) => commands::bench::run(arguments),
        Command::Verify(arguments) => commands::verify::run(arguments),
        Command::Perft(arguments) => commands::perft::run(arguments),
        Command::Games(arguments) => commands::games::run(arguments),
        Command::Completions(arguments) => commands::completions::run(arguments),
    }
}
