//! `gamete study`: write a study file, check one, or print the schema for editors.

mod check;

use lab::study::{study_schema, template, templates};
use spec::did_you_mean;

use crate::output::{Failure, print, print_json};

const EXAMPLES: &str = "\
Examples:
  gamete study new tetris > my-study.toml
  gamete study new 2048 --kind train > my-training.toml
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
        /// What its runs do: evolve, or train (a network learns) [default: evolve]
        #[arg(long, value_name = "KIND", value_parser = ["evolve", "train"], hide_possible_values = true)]
        kind: Option<String>,
    },
    /// Report all errors in a study file, or what it does and how long it takes
    Check(check::Arguments),
    /// Print the JSON schema of study files, for editors
    Schema,
}

/// Does what was asked.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.what {
        What::New { game, kind } => new(game, kind.as_deref()),
        What::Check(arguments) => check::run(arguments),
        What::Schema => print_json(&study_schema()),
    }
}

fn new(game: &str, kind: Option<&str>) -> Result<(), Failure> {
    let wanted = match kind {
        Some("train") => format!("{game}-train"),
        _ => game.to_owned(),
    };
    if let Some(text) = template(&wanted) {
        return print(&text);
    }
    let known: Vec<String> = templates().into_iter().map(|one| one.name).collect();
    let is_known = known.iter().any(|name| name == game);
    let problem = match is_known {
        true => format!("there are no networks of '{game}'"),
        false => format!(
            "there is no game '{game}'{}",
            did_you_mean(game, known.iter().map(String::as_str))
        ),
    };
    let known = known.join(", ");
    Err(Failure::Usage(format!(
        "{problem}; there are studies of {known}"
    )))
}
