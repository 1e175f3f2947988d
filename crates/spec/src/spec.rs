//! A choice as text: `random`, `minimax(depth=5, eval=score)`, `tournament(size=3)`.
//!
//! A name, then parameters in brackets; a value is a word, or text in single or double quotes.

use std::fmt;
use std::str::FromStr;

use crate::kind::Parameter;
use crate::nearest::did_you_mean;

/// The text of a choice, taken apart. Names are not yet checked against those there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    what: &'static str,
    text: String,
    name: String,
    parameters: Vec<Given>,
    /// What people call it, if not its text.
    called: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Given {
    name: String,
    value: String,
    place: usize,
}

/// Beyond this, sums of numbers could overflow, and nothing is gained.
const LARGEST: f64 = 1e9;

/// What is wrong with a spec, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} '{text}', character {}: {problem}", place + 1)]
pub struct SpecError {
    what: &'static str,
    text: String,
    place: usize,
    problem: String,
}

impl SpecError {
    /// Where in the text the problem is, in characters from 0.
    #[must_use]
    pub fn place(&self) -> usize {
        self.place
    }

    /// The text that was read.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Spec {
    /// Takes apart the text of a choice; `what` says what is chosen, for errors: "player", "selection".
    pub fn read(what: &'static str, text: &str) -> Result<Self, SpecError> {
        Reader::new(what, text).spec()
    }

    /// What is chosen: "player", "selection".
    #[must_use]
    pub fn what(&self) -> &'static str {
        self.what
    }

    /// The kind that is chosen.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names of the parameters that were given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(|given| given.name.as_str())
    }

    /// The value given for a parameter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.given(name).map(|given| given.value.as_str())
    }

    /// This spec under a name that is shown instead of its text: that of the file it comes from, say.
    #[must_use]
    pub fn called(mut self, name: &str) -> Self {
        self.called = Some(name.to_owned());
        self
    }

    /// This spec with a parameter set to a value that has no quotes.
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
        let parameters = self.parameters.iter();
        let parameters = parameters.map(|given| format!("{}='{}'", given.name, given.value));
        let parameters: Vec<String> = parameters.collect();
        self.text = format!("{}({})", self.name, parameters.join(", "));
        self
    }

    /// The value of a parameter: what was given, or else the default.
    #[must_use]
    pub fn value<'a>(&'a self, parameter: &'a Parameter) -> &'a str {
        self.get(parameter.name).unwrap_or(parameter.default)
    }

    /// The value of a parameter as a number of `range`.
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
        })
    }

    /// The value of a parameter as a row of numbers with commas or blanks between, one for every one of `names`.
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
            "{} {}; there must be {}, in the order {}",
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
        })
    }

    /// An error at the name.
    #[must_use]
    pub fn at_name(&self, problem: String) -> SpecError {
        SpecError {
            what: self.what,
            text: self.to_string(),
            place: 0,
            problem,
        }
    }

    /// An error at the parameter `name`.
    #[must_use]
    pub fn at(&self, name: &str, problem: String) -> SpecError {
        // In what goes by another name there is no place to point at.
        let given = self.given(name).filter(|_| self.called.is_none());
        let place = given.map_or(0, |given| given.place);
        SpecError {
            what: self.what,
            text: self.to_string(),
            place,
            problem,
        }
    }

    fn given(&self, name: &str) -> Option<&Given> {
        self.parameters.iter().find(|given| given.name == name)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.called.as_ref().unwrap_or(&self.text))
    }
}

/// A text without a further word is a player's.
impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Self::read("player", text)
    }
}

/// Reads a spec from left to right.
struct Reader<'a> {
    what: &'static str,
    text: &'a str,
    characters: Vec<char>,
    place: usize,
}

impl<'a> Reader<'a> {
    fn new(what: &'static str, text: &'a str) -> Self {
        Self {
            what,
            text,
            characters: text.chars().collect(),
            place: 0,
        }
    }

    fn spec(mut self) -> Result<Spec, SpecError> {
        self.skip_blanks();
        let name = self.word(&format!("a {}'s name", self.what))?;
        let parameters = if self.take('(') {
            self.parameters()?
        } else {
            Vec::new()
        };
        self.skip_blanks();
        if self.place < self.characters.len() {
            return Err(self.error("nothing more was expected here"));
        }
        Ok(Spec {
            what: self.what,
            text: self.text.trim().to_owned(),
            name,
            parameters,
            called: None,
        })
    }

    fn peek(&self) -> Option<char> {
        self.characters.get(self.place).copied()
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.place += 1;
        }
    }

    fn take(&mut self, wanted: char) -> bool {
        self.skip_blanks();
        let found = self.peek() == Some(wanted);
        self.place += usize::from(found);
        found
    }

    fn word(&mut self, what: &str) -> Result<String, SpecError> {
        let start = self.place;
        while self
            .peek()
            .is_some_and(|c| c.is_alphanumeric() || "-_.+".contains(c))
        {
            self.place += 1;
        }
        if start == self.place {
            return Err(self.error(&format!("expected {what}")));
        }
        Ok(self.characters[start..self.place].iter().collect())
    }

    fn parameters(&mut self) -> Result<Vec<Given>, SpecError> {
        let mut parameters: Vec<Given> = Vec::new();
        if self.take(')') {
            return Ok(parameters);
        }
        loop {
            self.skip_blanks();
            let place = self.place;
            let name = self.word("a parameter's name")?;
            if parameters.iter().any(|given| given.name == name) {
                self.place = place;
                return Err(self.error(&format!("'{name}' was given before")));
            }
            if !self.take('=') {
                return Err(self.error("expected '='"));
            }
            self.skip_blanks();
            parameters.push(Given {
                name,
                value: self.value()?,
                place,
            });
            if self.take(')') {
                return Ok(parameters);
            }
            if !self.take(',') {
                return Err(self.error("expected ',' or ')'"));
            }
        }
    }

    fn value(&mut self) -> Result<String, SpecError> {
        let Some(quote @ ('\'' | '"')) = self.peek() else {
            return self.word("a value");
        };
        let start = self.place + 1;
        let rest = &self.characters[start..];
        let length = rest
            .iter()
            .position(|&c| c == quote)
            .ok_or_else(|| self.error("this quote is not closed"))?;
        self.place = start + length + 1;
        Ok(rest[..length].iter().collect())
    }

    fn error(&self, problem: &str) -> SpecError {
        SpecError {
            what: self.what,
            text: self.text.to_owned(),
            place: self.place,
            problem: problem.to_owned(),
        }
    }
}
