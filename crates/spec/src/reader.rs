//! The parser of specs.

use crate::spec::{Given, Spec, SpecError, written};

/// Parses a spec from left to right.
pub(crate) struct Reader<'a> {
    what: &'static str,
    text: &'a str,
    characters: Vec<char>,
    place: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(what: &'static str, text: &'a str) -> Self {
        Self {
            what,
            text,
            characters: text.chars().collect(),
            place: 0,
        }
    }

    pub(crate) fn spec(mut self) -> Result<Spec, SpecError> {
        self.skip_blanks();
        let name = self.word(&format!("a {}'s name", self.what))?;
        let parameters = if self.take('(') {
            self.parameters()?
        } else {
            Vec::new()
        };
        self.skip_blanks();
        if self.place < self.characters.len() {
            return Err(self.error("unexpected text after the spec"));
        }
        Ok(Spec {
            what: self.what,
            text: self.text.trim().to_owned(),
            name,
            parameters,
            label: None,
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
        self.word_of(is_of_word, what)
    }

    fn word_of(&mut self, is_of_it: fn(char) -> bool, what: &str) -> Result<String, SpecError> {
        let start = self.place;
        while self.peek().is_some_and(is_of_it) {
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
                return Err(self.error(&format!("duplicate parameter '{name}'")));
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
            return self.word_or_spec();
        };
        let start = self.place + 1;
        let rest = &self.characters[start..];
        let length = rest
            .iter()
            .position(|&c| c == quote)
            .ok_or_else(|| self.error("unclosed quote"))?;
        self.place = start + length + 1;
        Ok(rest[..length].iter().collect())
    }

    /// A word, or a spec within this one: `eval=network(id=1)`. Its value is its canonical text.
    fn word_or_spec(&mut self) -> Result<String, SpecError> {
        let name = self.word_of(is_of_value, "a value")?;
        if self.peek() != Some('(') {
            return Ok(name);
        }
        self.place += 1;
        let parameters = self.parameters()?;
        Ok(written(&name, &parameters))
    }

    fn error(&self, problem: &str) -> SpecError {
        SpecError {
            what: self.what,
            text: self.text.to_owned(),
            place: self.place,
            problem: problem.to_owned(),
            allowed: None,
        }
    }
}

/// Whether a value may contain this character without quotes: paths of files need none.
fn is_of_value(c: char) -> bool {
    is_of_word(c) || "/~".contains(c)
}

/// Whether a name may contain this character.
pub(crate) fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || "-_.+".contains(c)
}
