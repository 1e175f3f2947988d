//! What can be chosen of the players of a game, for menus: the kinds, their parameters, and the values that each takes.
//!
//! A player names these values itself when it refuses another one, so new players and parameters appear by themselves.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use games::{AnyGame, Options, registry};
use players::evaluate::EVALUATIONS;
use players::registry::PLAYERS;
use players::{Allowed, Kind, Parameter, Spec};

use crate::seating::check;

/// The parameter that names an evaluation.
const EVAL: &str = "eval";

/// A kind of player that plays as it is, without a parameter that must be given.
#[derive(Debug, Clone)]
pub struct PlayerChoice {
    /// Its name in a spec.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// What can be set.
    pub parameters: Vec<ParameterChoice>,
}

/// A parameter of a player.
#[derive(Debug, Clone)]
pub struct ParameterChoice {
    /// Its name in a spec.
    pub name: &'static str,
    /// Its value if nothing is said; may be empty.
    pub default: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// The values it takes.
    pub values: Values,
}

impl ParameterChoice {
    /// Its name for people.
    #[must_use]
    pub fn label(&self) -> String {
        match self.name {
            EVAL => "heuristic".to_owned(),
            name => name.replace('-', " "),
        }
    }
}

/// The values of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// One of these.
    OneOf(Vec<Value>),
    /// A number in a range.
    Numbers {
        /// The lowest.
        low: f64,
        /// The highest.
        high: f64,
        /// Whether only whole ones.
        whole: bool,
    },
    /// Any text that the player understands.
    Text,
}

/// A value that can be chosen by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// Its name in a spec.
    pub name: String,
    /// One line about it; empty if the parameter says it all.
    pub about: &'static str,
}

static CHOICES: LazyLock<BTreeMap<&'static str, Vec<PlayerChoice>>> = LazyLock::new(|| {
    let families = registry::FAMILIES.iter();
    families
        .filter_map(|family| {
            Some((
                family.name,
                of_game(&family.build(&Options::default()).ok()?),
            ))
        })
        .collect()
});

/// The players of this game under its usual rules, in the order of the registry; none for an unknown game.
#[must_use]
pub fn choices(game: &str) -> &'static [PlayerChoice] {
    CHOICES.get(game).map_or(&[], Vec::as_slice)
}

fn of_game(game: &AnyGame) -> Vec<PlayerChoice> {
    let entries = PLAYERS.iter();
    entries
        .filter(|entry| entry.plays(game.family().name))
        .filter_map(|entry| of_kind(game, &entry.kind))
        .collect()
}

/// None for a kind that does not play without parameters.
fn of_kind(game: &AnyGame, kind: &Kind) -> Option<PlayerChoice> {
    let plain: Spec = kind.name.parse().ok()?;
    check(game, &plain).ok()?;
    let parameters = kind.parameters.iter();
    let stated: Vec<_> = parameters
        .map(|parameter| (parameter, allowed(game, &plain, parameter)))
        .collect();
    let choice = |(parameter, allowed): &(&'static Parameter, Option<Allowed>)| ParameterChoice {
        name: parameter.name,
        default: parameter.default,
        about: parameter.help,
        values: match allowed {
            None => Values::Text,
            Some(Allowed::Numbers { low, high, whole }) => Values::Numbers {
                low: low.parse().unwrap_or(f64::MIN),
                high: high.parse().unwrap_or(f64::MAX),
                whole: *whole,
            },
            Some(Allowed::OneOf(names)) => {
                let possible = names.iter().filter(|name| {
                    let spec = plain.clone().with(parameter.name, name);
                    is_possible(game, &spec, parameter, &stated)
                });
                Values::OneOf(possible.map(|name| value(parameter, name)).collect())
            }
        },
    };
    Some(PlayerChoice {
        name: kind.name,
        about: kind.about,
        parameters: stated.iter().map(choice).collect(),
    })
}

/// What a parameter takes, as the player says when it gets something else.
fn allowed(game: &AnyGame, plain: &Spec, parameter: &Parameter) -> Option<Allowed> {
    let wrong = plain.clone().with(parameter.name, "?");
    check(game, &wrong).err()?.allowed().cloned()
}

/// Does the player take the value, alone or with a value of another parameter? Some go only together.
fn is_possible(
    game: &AnyGame,
    spec: &Spec,
    parameter: &Parameter,
    stated: &[(&'static Parameter, Option<Allowed>)],
) -> bool {
    let others = stated
        .iter()
        .filter(|(other, _)| other.name != parameter.name);
    let mut together = others.filter_map(|(other, allowed)| match allowed {
        Some(Allowed::OneOf(names)) => Some((other.name, names)),
        _ => None,
    });
    check(game, spec).is_ok()
        || together.any(|(other, names)| {
            let with = |name: &String| check(game, &spec.clone().with(other, name)).is_ok();
            names.iter().any(with)
        })
}

fn value(parameter: &Parameter, name: &str) -> Value {
    let evaluation = EVALUATIONS
        .iter()
        .find(|evaluation| parameter.name == EVAL && evaluation.name == name);
    Value {
        name: name.to_owned(),
        about: evaluation.map_or("", |evaluation| evaluation.about),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter<'a>(player: &'a PlayerChoice, name: &str) -> &'a ParameterChoice {
        let mut parameters = player.parameters.iter();
        parameters
            .find(|parameter| parameter.name == name)
            .expect("a parameter")
    }

    fn player(game: &str, name: &str) -> &'static PlayerChoice {
        let mut players = choices(game).iter();
        players
            .find(|player| player.name == name)
            .expect("a player")
    }

    fn names(values: &Values) -> Vec<&str> {
        match values {
            Values::OneOf(values) => values.iter().map(|value| value.name.as_str()).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_search_has_its_depths_and_evaluations() {
        let minimax = player("2048", "minimax");
        let depths = Values::Numbers {
            low: 1.0,
            high: 100.0,
            whole: true,
        };
        assert_eq!(parameter(minimax, "depth").values, depths);
        let evaluations = names(&parameter(minimax, "eval").values);
        assert!(
            evaluations.starts_with(&["score", "empty"]),
            "{evaluations:?}"
        );
        assert!(evaluations.contains(&"corner"), "{evaluations:?}");
        let of_connect = parameter(player("connect", "minimax"), "eval");
        assert_eq!(names(&of_connect.values), ["score", "lines"]);
    }

    #[test]
    fn values_that_go_only_together_are_there() {
        let reading = parameter(player("tetris", "weighted"), "reading");
        assert_eq!(names(&reading.values), ["as-described", "as-published"]);
    }

    #[test]
    fn every_kind_of_every_game_is_there_unless_it_needs_more() {
        for family in registry::FAMILIES {
            let listed: Vec<&str> = choices(family.name).iter().map(|one| one.name).collect();
            let of_game = PLAYERS.iter().filter(|entry| entry.plays(family.name));
            let missing: Vec<&str> = of_game
                .map(|entry| entry.kind.name)
                .filter(|name| !listed.contains(name))
                .collect();
            // Networks of Connect-N have no file that comes with the program.
            let needs_more = |name: &&str| ["program", "network"].contains(name);
            assert!(missing.iter().all(needs_more), "{missing:?}");
        }
        assert!(choices("chess").is_empty());
    }

    #[test]
    fn what_is_offered_is_taken() {
        for family in registry::FAMILIES {
            let game = family.build(&Options::default()).expect("the usual rules");
            for player in choices(family.name) {
                let plain: Spec = player.name.parse().expect("a name");
                for parameter in &player.parameters {
                    let Values::Numbers { low, high, .. } = parameter.values else {
                        continue;
                    };
                    for number in [low, high + 1.0] {
                        let spec = plain.clone().with(parameter.name, &number.to_string());
                        assert_eq!(check(&game, &spec).is_ok(), number == low, "{spec}");
                    }
                }
            }
        }
    }
}
