//! Kinds of things that a spec can choose, with their parameters; and the lists they stand in.

use crate::nearest::did_you_mean;
use crate::spec::{Spec, SpecError};

/// One parameter of a kind.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name in a spec.
    pub name: &'static str,
    /// The value when it is not given.
    pub default: &'static str,
    /// One line on what it does and what is allowed.
    pub help: &'static str,
}

/// A kind of player, operator ..., before its parameters are fixed.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The name in a spec.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// A few lines more, for someone who has not met it before.
    pub more: &'static str,
    /// What may be set.
    pub parameters: &'static [Parameter],
}

impl Kind {
    /// Refuses parameters that this kind does not have.
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
    /// The error of a name that is none of the `known`.
    #[must_use]
    pub fn unknown<'a>(&self, known: impl Iterator<Item = &'a str> + Clone) -> SpecError {
        let what = self.what();
        self.at_name(format!(
            "there is no {what} '{}'{}; the {what}s are {}",
            self.name(),
            did_you_mean(self.name(), known.clone()),
            known.collect::<Vec<_>>().join(", ")
        ))
    }
}
