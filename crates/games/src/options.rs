//! Rules as words: the options of a game, as on the command line and in study files.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use spec::nearest;

/// One option of a game, with its default.
#[derive(Debug, Clone, Copy)]
pub struct OptionSpec {
    /// Its name, kebab-case; `--name` on the command line, `name = ...` in a study.
    pub name: &'static str,
    /// The placeholder of the value in help, e.g. `ROWSxCOLS`; empty for a switch.
    pub value: &'static str,
    /// The value when it is not given; for a switch `false`.
    pub default: &'static str,
    /// One line: what it does and what is allowed.
    pub help: &'static str,
}

impl OptionSpec {
    /// A switch takes no value: naming it means `true`.
    #[must_use]
    pub const fn is_switch(&self) -> bool {
        self.value.is_empty()
    }
}

/// What is wrong with the rules, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The value of an option is not one of the allowed ones.
    #[error("{option} = {value}: {allowed}")]
    Value {
        /// The option's name.
        option: &'static str,
        /// What was given.
        value: String,
        /// What is allowed, as the rest of a sentence.
        allowed: String,
    },
    /// The game has no such option.
    #[error(
        "{game} has no option '{option}'{}; its options are {known}",
        suggestion(nearest)
    )]
    Unknown {
        /// The game's name.
        game: &'static str,
        /// What was given.
        option: String,
        /// The known name that is closest, if one is close.
        nearest: Option<&'static str>,
        /// All options of the game.
        known: String,
    },
    /// No game has this name.
    #[error(
        "unknown game '{name}'{}; expected one of {known}",
        suggestion(nearest)
    )]
    NoGame {
        /// What was given.
        name: String,
        /// The known name that is closest, if one is close.
        nearest: Option<&'static str>,
        /// All games.
        known: String,
    },
    /// The text is not a list of `name=value`.
    #[error("'{0}' is not of the form name=value")]
    NotAnOption(String),
}

fn suggestion(nearest: &Option<&str>) -> String {
    nearest
        .map(|name| format!(" (did you mean '{name}'?)"))
        .unwrap_or_default()
}

/// Options that were given, by name. What is missing has its default. Serialised as a map, sorted by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Options(BTreeMap<String, String>);

impl Options {
    /// Sets an option; a later value replaces an earlier one.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.insert(name.into(), value.into());
    }

    /// Removes an option, and says whether it was given.
    pub fn remove(&mut self, name: &str) -> bool {
        self.0.remove(name).is_some()
    }

    /// The value that was given for `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// All options given, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of `option` read as a `T`: the given one, or the default.
    pub fn read<T: FromStr>(&self, option: &OptionSpec, allowed: &str) -> Result<T, RulesError> {
        let value = self.get(option.name).unwrap_or(option.default);
        value.parse().map_err(|_| option.refuse(value, allowed))
    }

    /// The value of `option` as a whole number of `range`.
    pub fn number(
        &self,
        option: &OptionSpec,
        range: std::ops::RangeInclusive<u64>,
    ) -> Result<u64, RulesError> {
        let allowed = format!(
            "must be a whole number from {} to {}",
            range.start(),
            range.end()
        );
        let number = self.read(option, &allowed)?;
        if range.contains(&number) {
            Ok(number)
        } else {
            Err(option.refuse(number, &allowed))
        }
    }

    /// The value of `option` as two numbers `AxB`.
    pub fn pair(&self, option: &OptionSpec, allowed: &str) -> Result<(u64, u64), RulesError> {
        let value = self.get(option.name).unwrap_or(option.default);
        value
            .split_once('x')
            .and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)))
            .ok_or_else(|| option.refuse(value, allowed))
    }

    /// Refuses options that are not in `known`, the options of `game`.
    pub fn check_names(
        &self,
        game: &'static str,
        known: &'static [OptionSpec],
    ) -> Result<(), RulesError> {
        let names = || known.iter().map(|option| option.name);
        match self
            .0
            .keys()
            .find(|name| !names().any(|known| known == *name))
        {
            None => Ok(()),
            Some(unknown) => Err(RulesError::Unknown {
                game,
                option: unknown.clone(),
                nearest: nearest(unknown, names()),
                known: names().collect::<Vec<_>>().join(", "),
            }),
        }
    }
}

impl OptionSpec {
    /// The error for a value that this option does not allow.
    pub fn refuse(&self, value: impl fmt::Display, allowed: impl Into<String>) -> RulesError {
        RulesError::Value {
            option: self.name,
            value: value.to_string(),
            allowed: allowed.into(),
        }
    }
}

impl<N: Into<String>, V: Into<String>> Extend<(N, V)> for Options {
    fn extend<I: IntoIterator<Item = (N, V)>>(&mut self, options: I) {
        for (name, value) in options {
            self.set(name, value);
        }
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Options {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(options: I) -> Self {
        let mut all = Self::default();
        all.extend(options);
        all
    }
}

impl IntoIterator for Options {
    type Item = (String, String);
    type IntoIter = std::collections::btree_map::IntoIter<String, String>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Written as `name=value name=value`.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (name, value)) in self.iter().enumerate() {
            let gap = if place == 0 { "" } else { " " };
            write!(f, "{gap}{name}={value}")?;
        }
        Ok(())
    }
}

impl FromStr for Options {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, RulesError> {
        let option = |word: &str| match word.split_once('=') {
            Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
            None => Err(RulesError::NotAnOption(word.to_owned())),
        };
        text.split_whitespace().map(option).collect()
    }
}
