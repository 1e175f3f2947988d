//! A player as text: `random`, `minimax(depth=5, eval=score)`, `exec(cmd='python3 bot.py')`.
//!
//! A name, then parameters in brackets; a value is a word, or text in single or double quotes.

use std::fmt;
use std::str::FromStr;

use crate::player::Parameter;
use crate::registry::did_you_mean;

/// The text of a player, taken apart. Names are not yet checked against the players there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    text: String,
    name: String,
    parameters: Vec<Given>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Given {
    name: String,
    value: String,
    place: usize,
}

/// What is wrong with a spec, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("player '{text}', character {}: {problem}", place + 1)]
pub struct SpecError {
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
    /// The kind of player.
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

    /// The value of a parameter: what was given, or else the default.
    #[must_use]
    pub fn value<'a>(&'a self, parameter: &'a Parameter) -> &'a str {
        self.get(parameter.name).unwrap_or(parameter.default)
    }

    /// The value of a parameter as a number of `range`.
    pub(crate) fn number<T>(
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

    /// The value of a parameter as one of `choices`.
    pub(crate) fn choice<T: Copy>(
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

    /// An error at the player's name.
    pub(crate) fn at_name(&self, problem: String) -> SpecError {
        SpecError {
            text: self.text.clone(),
            place: 0,
            problem,
        }
    }

    /// An error at the parameter `name`.
    #[must_use]
    pub fn at(&self, name: &str, problem: String) -> SpecError {
        let place = self.given(name).map_or(0, |given| given.place);
        SpecError {
            text: self.text.clone(),
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
        f.write_str(&self.text)
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut reader = Reader {
            text,
            characters: text.chars().collect(),
            place: 0,
        };
        reader.skip_blanks();
        let name = reader.word("a player's name")?;
        let parameters = if reader.take('(') {
            reader.parameters()?
        } else {
            Vec::new()
        };
        reader.skip_blanks();
        if reader.place < reader.characters.len() {
            return Err(reader.error("nothing more was expected here"));
        }
        Ok(Self {
            text: text.trim().to_owned(),
            name,
            parameters,
        })
    }
}

/// Reads a spec from left to right.
struct Reader<'a> {
    text: &'a str,
    characters: Vec<char>,
    place: usize,
}

impl Reader<'_> {
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
            text: self.text.to_owned(),
            place: self.place,
            problem: problem.to_owned(),
        }
    }
}
