//! `gamete study`: write a study file, check one, or print the schema for editors.

mod check;

use lab::study::{study_schema, template, templates};
use spec::did_you_mean;

use crate::output::{Failure, print, print_json};

const EXAMPLES: &str = "\
Examples:
  gamete study new tetris > my-study.toml
  gamete study check my-study.toml
  gamete run my-study.toml
  gamete study schema > study.schema.json";

/// Arguments of `gamete study`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Print a commented study to edit, for a game, or 'other' for a program of your own as fitness
    New {
        /// The game, or 'other'
        game: String,
    },
    /// Report all errors in a study file, or what it does and how long it takes
    Check(check::Arguments),
    /// Print the JSON schema of study files, for editors
    Schema,
}

/// Does what was asked.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.what {
        What::New { game } => new(game),
        What::Check(arguments) => check::run(arguments),
        What::Schema => print_json(&study_schema()),
    }
}

fn new(game: &str) -> Result<(), Failure> {
    match template(game) {
        Some(text) => print(&text),
        None => {
            let hint = did_you_mean(game, templates().into_iter());
            let known = templates().join(", ");
            Err(Failure::Usage(format!(
                "there is no game '{game}'{hint}; there are studies of {known}"
            )))
        }
    }
}
