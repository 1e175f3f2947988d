//! `gamete games`: which games there are and what can be set in each.

use games::registry;
use serde::Serialize;

use crate::output::{Failure, print, print_json};

const EXAMPLES: &str = "\
Examples:
  gamete games
  gamete games tetris
  gamete games --json";

/// Arguments of `gamete games`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Show the rules of this game
    game: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Game {
    name: &'static str,
    about: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
struct Rule {
    name: &'static str,
    value: &'static str,
    default: &'static str,
    help: &'static str,
}

/// Prints the list.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let families = match &arguments.game {
        Some(name) => vec![registry::family(name)?],
        None => registry::FAMILIES.iter().collect(),
    };
    let games: Vec<Game> = families.into_iter().map(describe).collect();
    if arguments.json {
        return print_json(&games);
    }
    let with_rules = arguments.game.is_some();
    let width = games.iter().map(|game| game.name.len()).max().unwrap_or(0);
    let rendered = games.iter().map(|game| render(game, width, with_rules));
    let mut text: String = rendered.collect();
    if !with_rules {
        text += "\n'gamete games NAME' shows the rules that can be set.\n";
    }
    print(&text)
}

fn describe(family: &registry::Family) -> Game {
    let rules = family.options.iter().map(|option| Rule {
        name: option.name,
        value: option.value,
        default: option.default,
        help: option.help,
    });
    Game {
        name: family.name,
        about: family.about,
        rules: rules.collect(),
    }
}

fn render(game: &Game, width: usize, with_rules: bool) -> String {
    let mut text = format!("{:<width$}  {}\n", game.name, game.about);
    for rule in game.rules.iter().filter(|_| with_rules) {
        let flag = format!("--{} {}", rule.name, rule.value);
        let default = if rule.value.is_empty() {
            String::new()
        } else {
            format!(" [default: {}]", rule.default)
        };
        text += &format!("  {flag:<22} {}{default}\n", rule.help);
    }
    text
}
