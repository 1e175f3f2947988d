//! The kinds of things that a spec can choose, with their parameters.

use crate::nearest::did_you_mean;
use crate::spec::{Spec, SpecError};

/// One parameter of a kind.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name in a spec.
    pub name: &'static str,
    /// Its default value.
    pub default: &'static str,
    /// One line on what it does and which values are allowed.
    pub help: &'static str,
}

/// A kind of player, operator ..., before its parameters are fixed.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its name in a spec.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// A few more lines, for someone new to it.
    pub more: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
}

impl Kind {
    /// Rejects parameters that this kind does not have.
    pub fn check_parameters(&self, spec: &Spec) -> Result<(), SpecError> {
        let parameters = || self.parameters.iter().map(|parameter| parameter.name);
        match spec
            .names()
            .find(|name| !parameters().any(|known| known == *name))
        {
            None => Ok(()),
            Some(unknown) if self.parameters.is_empty() => Err(spec.at(
                unknown,
                format!("{} has no parameter '{unknown}'; it takes none", self.name),
            )),
            Some(unknown) => Err(spec.at(
                unknown,
                format!(
                    "{} has no parameter '{unknown}'{}; its parameters are {}",
                    self.name,
                    did_you_mean(unknown, parameters()),
                    parameters().collect::<Vec<_>>().join(", ")
                ),
            )),
        }
    }
}

impl Spec {
    /// The error for a name that is not among the `known` ones.
    #[must_use]
    pub fn unknown<'a>(&self, known: impl Iterator<Item = &'a str> + Clone) -> SpecError {
        self.at_name(format!(
            "unknown {} '{}'{}; expected one of {}",
            self.what(),
            self.name(),
            did_you_mean(self.name(), known.clone()),
            known.collect::<Vec<_>>().join(", ")
        ))
    }
}
