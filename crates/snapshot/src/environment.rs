//! Environment variables with the addresses and credentials of stores.

use std::collections::BTreeMap;
use std::fmt;

/// The variables of a process. Their values are never shown.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// The variables of this process.
    #[must_use]
    pub fn of_process() -> Self {
        let variables = std::env::vars_os();
        variables
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect()
    }

    /// The value of a variable; an empty one counts as unset.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let value = self.0.get(name).map(String::as_str);
        value.filter(|value| !value.is_empty())
    }

    /// The set variables whose names start with a prefix, by name.
    pub(crate) fn starting_with(&self, prefix: &str) -> impl Iterator<Item = (&str, &str)> {
        let variables = self.0.iter();
        variables
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .filter(move |(name, value)| name.starts_with(prefix) && !value.is_empty())
    }
}

impl FromIterator<(String, String)> for Environment {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(variables: T) -> Self {
        Self(variables.into_iter().collect())
    }
}

/// Shows names only: values may be secrets.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
