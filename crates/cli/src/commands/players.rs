//! `gamete players`: which players there are, and what each does.

use games::registry::family;
use players::evaluate::EVALUATIONS;
use players::registry::Entry;
use players::{Kind, Parameter, Spec};
use serde::Serialize;

use crate::output::{Failure, print, print_json};

const EXAMPLES: &str = "\
Examples:
  gamete players
  gamete players 2048
  gamete players show minimax
  gamete players tetris --json";

/// Arguments of `gamete players`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    show: Option<Show>,
    /// List only players of this game
    game: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What else can be asked.
#[derive(Debug, clap::Subcommand)]
enum Show {
    /// Explain one player
    Show {
        /// The player's name
        name: String,
    },
}

#[derive(Serialize)]
struct Described {
    name: &'static str,
    games: Vec<&'static str>,
    about: &'static str,
    more: &'static str,
    parameters: Vec<DescribedParameter>,
}

#[derive(Serialize)]
struct DescribedParameter {
    name: &'static str,
    default: &'static str,
    help: &'static str,
}

/// Prints the list or the explanation.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(Show::Show { name }) = &arguments.show {
        return show(name);
    }
    let game = arguments.game.as_deref().map(family).transpose()?;
    let listed =
        lab::seat::all_players().filter(|entry| game.is_none_or(|game| entry.plays(game.name)));
    if arguments.json {
        return print_json(&listed.map(describe).collect::<Vec<_>>());
    }
    let mut text: String = listed.map(tell).collect();
    text += &tell_evaluations(game.map(|game| game.name));
    text += "\n'gamete players show NAME' explains a player.\n";
    print(&text)
}

fn describe(entry: &Entry) -> Described {
    let Kind {
        name,
        about,
        more,
        parameters,
    } = entry.kind;
    let parameter = |&Parameter {
                         name,
                         default,
                         help,
                     }: &Parameter| DescribedParameter {
        name,
        default,
        help,
    };
    Described {
        name,
        games: entry.games.to_vec(),
        about,
        more,
        parameters: parameters.iter().map(parameter).collect(),
    }
}

/// The spec with all defaults, and what it does.
fn tell(entry: &Entry) -> String {
    let set = entry
        .kind
        .parameters
        .iter()
        .filter(|parameter| !parameter.default.is_empty());
    let defaults: Vec<String> = set
        .map(|parameter| format!("{}={}", parameter.name, parameter.default))
        .collect();
    let brackets = if defaults.is_empty() {
        String::new()
    } else {
        format!("({})", defaults.join(", "))
    };
    let games = if entry.games.is_empty() {
        String::new()
    } else {
        format!(" [{}]", entry.games.join(", "))
    };
    format!(
        "{}{brackets}{games}\n    {}\n",
        entry.kind.name, entry.kind.about
    )
}

fn tell_evaluations(game: Option<&str>) -> String {
    let listed = EVALUATIONS.iter().filter(|evaluation| {
        game.is_none_or(|game| evaluation.games.is_empty() || evaluation.games.contains(&game))
    });
    let lines = listed.map(|evaluation| {
        let games = if evaluation.games.is_empty() {
            String::new()
        } else {
            format!(" [{}]", evaluation.games.join(", "))
        };
        format!("  {:<10} {}{games}\n", evaluation.name, evaluation.about)
    });
    format!("\nEvaluations (eval=...):\n{}", lines.collect::<String>())
}

fn show(name: &str) -> Result<(), Failure> {
    // A wrong name gets the same answer as in a spec.
    let spec: Spec = name.parse()?;
    let found = lab::seat::find(&spec)?;
    let texts: Vec<String> = found.into_iter().map(explain).collect();
    print(&texts.join("\n"))
}

fn explain(entry: &Entry) -> String {
    let mut text = tell(entry);
    text += &format!("\n{}\n", wrapped(entry.kind.more));
    if !entry.kind.parameters.is_empty() {
        text += "\nParameters:\n";
    }
    for parameter in entry.kind.parameters {
        let default = if parameter.default.is_empty() {
            String::new()
        } else {
            format!(" [default: {}]", parameter.default)
        };
        text += &format!("  {:<12} {}{default}\n", parameter.name, parameter.help);
    }
    text
}

/// Lines of at most 90 characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].len() + 1 + word.len() > 90 {
            lines.push(word.to_owned());
        } else {
            let gap = if lines[last].is_empty() { "" } else { " " };
            lines[last] += &format!("{gap}{word}");
        }
    }
    lines.join("\n")
}
