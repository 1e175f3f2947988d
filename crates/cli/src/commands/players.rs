//! `gamete players`: which players there are, and what each does.

mod network;

use std::path::Path;

use games::registry::{Family, family};
use play::named_player::is_spec;
use play::network_file::is_network;
use play::player_file::{Expressions, PlayerFile};
use play::records::{RECORDS, Record};
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
  gamete players show my-champion/champion.json
  gamete players show my-network/champion.network
  gamete players records
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
        /// The player's name, a record (record:NAME), a player file or a network's
        #[arg(value_name = "PLAYER")]
        name: String,
        /// Print the program of a player file as a Graphviz graph
        #[arg(long)]
        dot: bool,
    },
    /// List the champions that come with the program: record:NAME is such a player
    Records {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Serialize)]
struct DescribedRecord {
    player: String,
    #[serde(flatten)]
    file: PlayerFile,
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

/// The game of this name. Who names a player wants it explained.
fn game_named(name: &str) -> Result<&'static Family, Failure> {
    if play::seating::all_players().any(|entry| entry.kind.name == name) {
        return Err(Failure::Usage(format!(
            "'{name}' is a player, not a game; 'gamete players show {name}' explains it"
        )));
    }
    Ok(family(name)?)
}

/// Prints the list or the explanation.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.show {
        Some(Show::Show { name, dot }) if is_network(name) => return network::show(name, *dot),
        Some(Show::Show { name, dot }) if !is_spec(name) => {
            return print(&render_file(name, *dot)?);
        }
        Some(Show::Show { name, dot: true }) => {
            return Err(Failure::Usage(format!(
                "--dot: {name} is not a player file with a program"
            )));
        }
        Some(Show::Show { name, dot: false }) => return show(name),
        Some(Show::Records { json }) => return records(*json),
        None => {}
    }
    let game = arguments.game.as_deref().map(game_named).transpose()?;
    let listed =
        play::seating::all_players().filter(|entry| game.is_none_or(|game| entry.plays(game.name)));
    if arguments.json {
        return print_json(&listed.map(describe).collect::<Vec<_>>());
    }
    let mut text: String = listed.map(render).collect();
    text += &render_evaluations(game.map(|game| game.name));
    text += "\n'gamete players show NAME' explains a player; 'gamete players records' lists champions.\n";
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
fn render(entry: &Entry) -> String {
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

fn render_evaluations(game: Option<&str>) -> String {
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
    let found = play::seating::find(&spec)?;
    let texts: Vec<String> = found.into_iter().map(explain).collect();
    print(&texts.join("\n"))
}

fn explain(entry: &Entry) -> String {
    let mut text = render(entry);
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

/// Prints the champions that come with the program.
fn records(json: bool) -> Result<(), Failure> {
    let all = RECORDS.iter().map(|record| DescribedRecord {
        player: record.text(),
        file: record.player(),
    });
    if json {
        return print_json(&all.collect::<Vec<_>>());
    }
    let lines = all.map(|DescribedRecord { player, file }| {
        format!(
            "{player}\n    {} plays {} ({}). {}\n",
            file.player, file.game, file.rules, file.about
        )
    });
    let (example, game) = (RECORDS[0].text(), RECORDS[0].player().game);
    print(&format!(
        "{}\nPlay, watch or measure one by its name: gamete watch {game} --player {example}\n",
        lines.collect::<String>()
    ))
}

/// What a record or a player file holds; with `dot`, the graph of its program.
fn render_file(name: &str, dot: bool) -> Result<String, Failure> {
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    let file = match Record::named(name) {
        Some(record) => record.map_err(|error| usage(&error))?.player(),
        None => PlayerFile::read(Path::new(name)).map_err(|error| usage(&error))?,
    };
    let program = file.program().map_err(|error| usage(&error))?;
    match (&program, dot) {
        (Some(program), true) => return Ok(program.graph()),
        (None, true) => return Err(Failure::Usage(format!("--dot: {name} has no program"))),
        (_, false) => {}
    }
    let mut text = format!(
        "{name}: {} plays {} ({})\n",
        file.player, file.game, file.rules
    );
    for (name, weight) in file.named_weights() {
        text += &format!("  {name:<22} {weight}\n");
    }
    for (name, expression) in program.iter().flat_map(Expressions::formulas) {
        text += &format!("  {name} = {expression}\n");
    }
    if !file.about.is_empty() {
        text += &format!("{}\n", file.about);
    }
    Ok(text)
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
