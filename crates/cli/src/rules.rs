//! A game and its rules on the command line. The options come from the registry, so a new game brings its own.

use std::collections::BTreeMap;
use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use games::{AnyGame, OptionSpec, Options, registry};

use crate::output::Failure;

/// The game that was named and the options that were given.
#[derive(Debug, Clone)]
pub(crate) struct GameArguments {
    name: String,
    options: Options,
}

impl GameArguments {
    /// The game's name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The rules that were given.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// The game with its rules, or what is wrong with them; where none is given, those of `rules` hold.
    pub(crate) fn build_over(&self, rules: &str) -> Result<AnyGame, Failure> {
        let mut options: Options = rules.parse()?;
        options.extend(self.options.iter());
        Ok(registry::build(&self.name, &options)?)
    }

    /// The game with its rules, or what is wrong with them.
    pub(crate) fn build(&self) -> Result<AnyGame, Failure> {
        Ok(registry::build(&self.name, &self.options)?)
    }
}

/// The same for a command that can get the game elsewhere: from a file, or by asking.
#[derive(Debug, Clone)]
pub(crate) struct OptionalGame {
    name: Option<String>,
    options: Options,
}

impl OptionalGame {
    /// The game, if one was named; rules alone are refused, because of what is said `otherwise`.
    pub(crate) fn given(&self, otherwise: &str) -> Result<Option<GameArguments>, Failure> {
        match (&self.name, self.options.iter().next()) {
            (Some(name), _) => Ok(Some(GameArguments {
                name: name.clone(),
                options: self.options.clone(),
            })),
            (None, None) => Ok(None),
            (None, Some((option, _))) => Err(Failure::Usage(format!("--{option}: {otherwise}"))),
        }
    }
}

/// Options of all games by name, each with the games that have it.
fn all_options() -> BTreeMap<&'static str, Vec<(&'static str, &'static OptionSpec)>> {
    let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for family in registry::FAMILIES {
        for option in family.options {
            all.entry(option.name)
                .or_default()
                .push((family.name, option));
        }
    }
    all
}

fn argument(name: &'static str, uses: &[(&'static str, &'static OptionSpec)]) -> Arg {
    let help = uses.iter().map(|(game, option)| {
        let default = if option.is_switch() {
            String::new()
        } else {
            format!(" [default: {}]", option.default)
        };
        let of = if uses.len() > 1 {
            format!("{game}: ")
        } else {
            String::new()
        };
        format!("{of}{}{default}", option.help)
    });
    let (first_game, first) = uses[0];
    let arg = Arg::new(name)
        .long(name)
        .help(help.collect::<Vec<_>>().join("; "))
        .help_heading(format!("Rules of {first_game}"));
    if first.is_switch() {
        arg.action(ArgAction::SetTrue)
    } else {
        arg.action(ArgAction::Set)
            .value_name(first.value)
            .allow_hyphen_values(true)
    }
}

/// The command line with help on the rules of the game that the words name, and on no others.
pub(crate) fn show_those_of_named_game(command: Command, words: &[OsString]) -> Command {
    let names = registry::FAMILIES.iter().map(|family| family.name);
    let mut names = names.filter(|name| words.iter().any(|word| word == name));
    let named = names.next();
    let takes_rules = |command: &&Command| {
        let options = all_options();
        options.keys().all(|option| has_argument(command, option))
    };
    let commands = command.get_subcommands().filter(takes_rules);
    let commands: Vec<String> = commands
        .map(|command| command.get_name().to_owned())
        .collect();
    commands.iter().fold(command, |all, name| {
        let game = if name == "solve" { Some(SOLVED) } else { named };
        all.mut_subcommand(name, |command| show_rules_of(command, game))
    })
}

/// The only game that can be solved.
const SOLVED: &str = "connect";

fn has_argument(command: &Command, name: &str) -> bool {
    command
        .get_arguments()
        .any(|argument| argument.get_id() == name)
}

fn show_rules_of(command: Command, game: Option<&str>) -> Command {
    let all = all_options();
    // An argument that is changed goes to the end, so the order of the game is kept by changing them in it.
    let options = registry::FAMILIES.iter().flat_map(|family| family.options);
    options.fold(command, |command, option| {
        let uses = &all[option.name];
        let own = uses.iter().find(|(family, _)| Some(*family) == game);
        command.mut_arg(option.name, |shown| match own {
            Some(own) => argument(option.name, &[*own]),
            None => shown.hide(true),
        })
    })
}

impl Args for GameArguments {
    fn augment_args(command: Command) -> Command {
        let names = registry::FAMILIES.iter().map(|family| family.name);
        let game = Arg::new("game")
            .value_name("GAME")
            .help("The game; 'COMMAND GAME --help' lists its rules")
            .required(true)
            .value_parser(clap::builder::PossibleValuesParser::new(names));
        // In the order of the games, so that help shows one game's rules together.
        let options = all_options();
        let mut arguments: Vec<Arg> = Vec::new();
        for family in registry::FAMILIES {
            for option in family.options {
                let uses = &options[option.name];
                if uses[0].0 == family.name {
                    arguments.push(argument(option.name, uses));
                }
            }
        }
        command.arg(game).args(arguments)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GameArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let name: String = matches
            .get_one::<String>("game")
            .cloned()
            .ok_or_else(|| clap::Error::new(ErrorKind::MissingRequiredArgument))?;
        let options = given_options(matches);
        Ok(Self { name, options })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn given_options(matches: &ArgMatches) -> Options {
    let mut options = Options::default();
    for (option, uses) in all_options() {
        if uses[0].1.is_switch() {
            if matches.get_flag(option) {
                options.set(option, "true");
            }
        } else if let Some(value) = matches.get_one::<String>(option) {
            options.set(option, value.as_str());
        }
    }
    options
}

impl Args for OptionalGame {
    fn augment_args(command: Command) -> Command {
        GameArguments::augment_args(command).mut_arg("game", |game| game.required(false))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OptionalGame {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self {
            name: matches.get_one::<String>("game").cloned(),
            options: given_options(matches),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
