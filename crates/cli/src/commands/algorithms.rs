//! `gamete algorithms`: what evolutions are made of: presets, algorithms, operators.

use evolve::NOISE_POLICIES;
use evolve::algorithm::{ALGORITHMS, AlgorithmKind, Config, PRESETS as GENETIC};
use evolve::cross::AnyCrossover;
use evolve::mutate::AnyMutation;
use evolve::operator::AnyOperator;
use evolve::replace::AnyReplacement;
use evolve::select::AnySelection;
use lab::evolution::presets::{self, Preset};
use lab::evolution::settings::{configure, settings_of};
use serde::Serialize;
use spec::{Kind, did_you_mean};

use crate::output::{Failure, print, print_json};

const EXAMPLES: &str = "\
Examples:
  gamete algorithms
  gamete algorithms cma-es
  gamete algorithms tournament
  gamete algorithms --json";

/// Arguments of `gamete algorithms`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Explain only this preset, algorithm or operator
    name: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "name")]
    json: bool,
}

/// What the ways to deal with noise are called in the lists.
const NOISE: &str = "noise";

/// The operators of a list.
struct Operators {
    what: &'static str,
    kinds: Vec<Kind>,
}

fn operators() -> [Operators; 5] {
    fn of<T: AnyOperator>() -> Operators {
        Operators {
            what: T::WHAT,
            kinds: T::kinds(),
        }
    }
    [
        of::<AnySelection>(),
        of::<AnyCrossover>(),
        of::<AnyMutation>(),
        of::<AnyReplacement>(),
        Operators {
            what: NOISE,
            kinds: NOISE_POLICIES.to_vec(),
        },
    ]
}

/// Prints the lists or one entry.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.name {
        Some(name) => print(&explain(name)?),
        None if arguments.json => print_json(&listed()),
        None => print(&list()),
    }
}

#[derive(Serialize)]
struct Listed {
    list: &'static str,
    name: &'static str,
    about: &'static str,
}

fn listed() -> Vec<Listed> {
    let entry = |list, name, about| Listed { list, name, about };
    let presets = presets::all().map(|preset| entry("preset", preset.name, preset.about));
    let algorithms = ALGORITHMS
        .iter()
        .map(|one| entry("algorithm", one.name, one.about));
    let genetic = GENETIC
        .iter()
        .map(|one| entry("genetic algorithm", one.name, one.about));
    let mut all: Vec<Listed> = presets.chain(algorithms).chain(genetic).collect();
    for operators in operators() {
        all.extend(
            operators
                .kinds
                .iter()
                .map(|kind| entry(operators.what, kind.name, kind.about)),
        );
    }
    all
}

fn list() -> String {
    let mut text = String::new();
    let mut last = "";
    for Listed { list, name, about } in listed() {
        if list != last {
            let heading = match list {
                "preset" => "Presets (gamete evolve GAME --preset NAME):".to_owned(),
                "algorithm" => "Algorithms (--algorithm NAME):".to_owned(),
                "genetic algorithm" => {
                    "Genetic algorithms of the published works (--algorithm NAME):".to_owned()
                }
                NOISE => "Re-evaluation policies (--noise NAME):".to_owned(),
                operator => format!("Of a genetic algorithm, --set '{operator}=NAME':"),
            };
            let gap = if last.is_empty() { "" } else { "\n" };
            text += &format!("{gap}{heading}\n");
            last = list;
        }
        text += &format!("  {name:<24} {about}\n");
    }
    text + "\n'gamete algorithms NAME' explains one.\n"
}

fn explain(name: &str) -> Result<String, Failure> {
    let texts: Vec<String> = explain_algorithm(name)
        .into_iter()
        .chain(explain_operators(name))
        .chain(explain_preset(name))
        .collect();
    if texts.is_empty() {
        let all = listed();
        return Err(Failure::Usage(format!(
            "there is no preset, algorithm or operator '{name}'{}; 'gamete algorithms' lists them",
            did_you_mean(name, all.iter().map(|one| one.name))
        )));
    }
    Ok(texts.join("\n"))
}

fn explain_algorithm(name: &str) -> Option<String> {
    let genetic = GENETIC
        .iter()
        .find(|one| one.name == name)
        .map(|one| one.about);
    let about = ALGORITHMS
        .iter()
        .find(|one| one.name == name)
        .map(|&AlgorithmKind { about, .. }| about);
    let about = about.or(genetic)?;
    let config: Config = configure(name, &[]).ok()?;
    let settings = settings_of(&config);
    let kind = ALGORITHMS.iter().find(|one| one.name == config.name())?;
    let settings = settings.iter().map(|(key, value)| {
        let what = kind.settings.iter().find(|(name, _)| name == key);
        let what = what.map_or("", |(_, what)| what);
        format!("  {key:<22} {what} [default: {value}]\n")
    });
    Some(format!(
        "{name}: {about}\n\nSettings (--set KEY=VALUE):\n{}",
        settings.collect::<String>()
    ))
}

fn explain_operators(name: &str) -> Vec<String> {
    let all = operators();
    let found = all.iter().flat_map(|operators| {
        let kinds = operators.kinds.iter().filter(|kind| kind.name == name);
        kinds.map(|kind| explain_operator(operators.what, kind))
    });
    found.collect()
}

fn explain_operator(what: &str, kind: &Kind) -> String {
    let parameters = kind.parameters.iter().map(|parameter| {
        format!(
            "  {:<12} {} [default: {}]\n",
            parameter.name, parameter.help, parameter.default
        )
    });
    let parameters: String = parameters.collect();
    let heading = if parameters.is_empty() {
        ""
    } else {
        "\nParameters:\n"
    };
    format!(
        "{} ({what}): {}\n\n{}\n{heading}{parameters}",
        kind.name, kind.about, kind.more
    )
}

fn explain_preset(name: &str) -> Option<String> {
    let preset = &lab::evolution::presets::named(name)?;
    let settings = preset.settings.iter();
    let settings: Vec<String> = settings
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    let rows = [
        ("game", preset.game.to_owned()),
        ("rules", preset.rules.to_owned()),
        ("player", preset.player.to_owned()),
        ("chromosome", chromosome(preset)),
        ("algorithm", preset.algorithm.to_owned()),
        ("settings", settings.join(", ")),
        ("generations", preset.generations.to_string()),
        ("games", preset.games.to_string()),
        ("objective", preset.objective.to_owned()),
        ("noise", preset.noise.to_string()),
        (
            "common games",
            if preset.common { "yes" } else { "no" }.to_owned(),
        ),
        ("opponents", preset.opponents.join(", ")),
        ("finalists", preset.finalists.to_string()),
    ];
    let rows = rows.iter().filter(|(_, value)| !value.is_empty());
    let rows: String = rows
        .map(|(key, value)| format!("  {key:<14} {value}\n"))
        .collect();
    Some(format!("{name} (preset): {}\n\n{rows}", preset.about))
}

/// How a preset writes weights as genes; programs have no choice.
fn chromosome(preset: &Preset) -> String {
    if preset.player.starts_with("program") {
        String::new()
    } else if preset.chromosome == "reals" {
        format!("reals, at first from -{0} to {0}", preset.initial)
    } else {
        preset.chromosome.to_owned()
    }
}
