//! A choice as text: `random`, `minimax(depth=5, eval=score)`, `tournament(size=3)`.
//!
//! A name, then parameters in parentheses; a value is a word, a spec, or text in single or double quotes.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::kind::Parameter;
use crate::nearest::did_you_mean;
use crate::reader::{Reader, is_of_word};

/// A choice, read from its text. Names are not yet checked against the known ones.
///
/// Its [`Display`](fmt::Display) is canonical: it holds every parameter and nothing else, so equal text means equal behaviour. It
/// identifies a player in files and messages between machines; people read the [`label`](Self::label).
#[derive(Debug, Clone)]
pub struct Spec {
    pub(crate) what: &'static str,
    /// The text as it was written, which errors point into.
    pub(crate) text: String,
    pub(crate) name: String,
    pub(crate) parameters: Vec<Given>,
    pub(crate) label: Option<String>,
}

/// A parameter with its value.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub(crate) name: String,
    pub(crate) value: String,
    /// Where it is in the text, in characters from 0.
    pub(crate) place: usize,
}

/// Larger numbers could overflow when added.
const LARGEST: f64 = 1e9;

/// What is wrong with a spec, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} '{text}', character {}: {problem}", place + 1)]
pub struct SpecError {
    pub(crate) what: &'static str,
    pub(crate) text: String,
    pub(crate) place: usize,
    pub(crate) problem: String,
    pub(crate) allowed: Option<Box<Allowed>>,
}

/// The values that a parameter takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allowed {
    /// Numbers in a range.
    Numbers {
        /// The lowest.
        low: String,
        /// The highest.
        high: String,
        /// Whether only whole ones.
        whole: bool,
    },
    /// One of some words.
    OneOf(Vec<String>),
}

impl SpecError {
    /// The same error with the values that would have been right.
    #[must_use]
    pub fn allowing(mut self, allowed: Allowed) -> Self {
        self.allowed = Some(Box::new(allowed));
        self
    }

    /// The values that would have been right, if a value was wrong and they can be told.
    #[must_use]
    pub fn allowed(&self) -> Option<&Allowed> {
        self.allowed.as_deref()
    }

    /// The position of the problem in the text, in characters from 0.
    #[must_use]
    pub fn place(&self) -> usize {
        self.place
    }

    /// The text of the spec.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Spec {
    /// Parses the text of a choice; `what` is used in errors: "player", "selection".
    pub fn read(what: &'static str, text: &str) -> Result<Self, SpecError> {
        Reader::new(what, text).spec()
    }

    /// What is chosen: "player", "selection".
    #[must_use]
    pub fn what(&self) -> &'static str {
        self.what
    }

    /// The name of the chosen kind.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names of the given parameters.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(|given| given.name.as_str())
    }

    /// The value given for a parameter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.given(name).map(|given| given.value.as_str())
    }

    /// This spec under a label for people, such as the file that it was read from.
    #[must_use]
    pub fn with_label(mut self, label: &str) -> Self {
        self.label = Some(label.to_owned());
        self
    }

    /// What people read: the label that was given, or else the canonical text with long values cut short.
    #[must_use]
    pub fn label(&self) -> String {
        let own = self.label.clone();
        own.unwrap_or_else(|| self.written(|value| cut(value, LONGEST_VALUE)))
    }

    /// This spec with a parameter set to a value without quotes. It is another player then, so a label is dropped.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        let (name, value) = (name.to_owned(), value.to_owned());
        match self.parameters.iter_mut().find(|given| given.name == name) {
            Some(given) => given.value = value,
            None => self.parameters.push(Given {
                name,
                value,
                place: 0,
            }),
        }
        self.label = None;
        self.text = self.to_string();
        self
    }

    /// The value of a parameter: the given one, or else the default.
    #[must_use]
    pub fn value<'a>(&'a self, parameter: &'a Parameter) -> &'a str {
        self.get(parameter.name).unwrap_or(parameter.default)
    }

    /// The value of a parameter as a number in `range`.
    pub fn number<T>(
        &self,
        parameter: &Parameter,
        range: std::ops::RangeInclusive<T>,
    ) -> Result<T, SpecError>
    where
        T: FromStr + PartialOrd + fmt::Display,
    {
        let value = self.value(parameter);
        let number = value.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (low, high) = (range.start(), range.end());
            self.at(
                parameter.name,
                format!(
                    "{} = {value}: must be a number from {low} to {high}",
                    parameter.name
                ),
            )
            .allowing(Allowed::Numbers {
                low: low.to_string(),
                high: high.to_string(),
                whole: "0.5".parse::<T>().is_err(),
            })
        })
    }

    /// The value of a parameter as numbers separated by commas or blanks, one for each of `names`.
    pub fn numbers(&self, parameter: &Parameter, names: &[&str]) -> Result<Vec<f64>, SpecError> {
        let wrong = |problem| self.at(parameter.name, problem);
        let mut numbers = Vec::new();
        let words = self.value(parameter).split([',', ' ', '\t', '\n']);
        for word in words.filter(|word| !word.is_empty()) {
            let allowed = word.parse().ok().filter(|n: &f64| n.abs() <= LARGEST);
            numbers.push(allowed.ok_or_else(|| {
                wrong(format!(
                    "'{word}' in {} must be a number from -{LARGEST} to {LARGEST}",
                    parameter.name
                ))
            })?);
        }
        if numbers.len() == names.len() {
            return Ok(numbers);
        }
        Err(wrong(format!(
            "{} {}; expected {}, in the order {}",
            numbers.len(),
            parameter.name,
            names.len(),
            names.join(", ")
        )))
    }

    /// The value of a parameter as one of `choices`.
    pub fn choice<T: Copy>(
        &self,
        parameter: &Parameter,
        choices: &[(&str, T)],
    ) -> Result<T, SpecError> {
        let value = self.value(parameter);
        let found = choices.iter().find(|(name, _)| *name == value);
        found.map(|&(_, choice)| choice).ok_or_else(|| {
            let names = || choices.iter().map(|&(name, _)| name);
            self.at(
                parameter.name,
                format!(
                    "{} = {value}{}: must be one of {}",
                    parameter.name,
                    did_you_mean(value, names()),
                    names().collect::<Vec<_>>().join(", ")
                ),
            )
            .allowing(Allowed::OneOf(names().map(str::to_owned).collect()))
        })
    }

    /// An error at the name.
    #[must_use]
    pub fn at_name(&self, problem: String) -> SpecError {
        self.error(0, problem)
    }

    /// An error at the parameter `name`.
    #[must_use]
    pub fn at(&self, name: &str, problem: String) -> SpecError {
        self.error(self.given(name).map_or(0, |given| given.place), problem)
    }

    /// A label has no place to point at.
    fn error(&self, place: usize, problem: String) -> SpecError {
        let (text, place) = match &self.label {
            Some(label) => (label, 0),
            None => (&self.text, place),
        };
        SpecError {
            what: self.what,
            text: text.clone(),
            place,
            problem,
            allowed: None,
        }
    }

    fn given(&self, name: &str) -> Option<&Given> {
        self.parameters.iter().find(|given| given.name == name)
    }

    /// Name and parameters, each value as `shown` gives it.
    fn written<'a>(&'a self, shown: impl Fn(&'a str) -> Cow<'a, str>) -> String {
        written_as(&self.name, &self.parameters, shown)
    }
}

/// The canonical text of a name with parameters.
pub(crate) fn written(name: &str, parameters: &[Given]) -> String {
    written_as(name, parameters, Cow::Borrowed)
}

fn written_as<'a>(
    name: &str,
    parameters: &'a [Given],
    shown: impl Fn(&'a str) -> Cow<'a, str>,
) -> String {
    let parameters: Vec<String> = parameters
        .iter()
        .map(|given| format!("{}={}", given.name, quoted(&shown(&given.value))))
        .collect();
    match parameters.as_slice() {
        [] => name.to_owned(),
        some => format!("{name}({})", some.join(", ")),
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(Cow::Borrowed))
    }
}

impl PartialEq for Spec {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Spec {}

impl Hash for Spec {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_string().hash(state);
    }
}

/// By default a spec chooses a player.
impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Self::read("player", text)
    }
}

/// Longer values are cut short in labels.
const LONGEST_VALUE: usize = 60;

/// The beginning of a text that has more than `most` characters, or all of it.
fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
    }
}

/// A value as it is written: as it is if it is a word or a spec, else in quotes.
fn quoted(value: &str) -> Cow<'_, str> {
    let quote = if value.contains('\'') { '"' } else { '\'' };
    let is_word = !value.is_empty() && value.chars().all(is_of_word);
    let is_spec = || {
        value.ends_with(')') && Spec::read("", value).is_ok_and(|spec| spec.to_string() == value)
    };
    if is_word || is_spec() {
        Cow::Borrowed(value)
    } else {
        Cow::Owned(format!("{quote}{value}{quote}"))
    }
}
