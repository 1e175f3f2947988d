//! Variables by which stores are reached: addresses and credentials.

use std::collections::BTreeMap;
use std::fmt;

/// Variables, as a process has them. What they say is never shown.
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

    /// What a variable says; an empty one says nothing.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let value = self.0.get(name).map(String::as_str);
        value.filter(|value| !value.is_empty())
    }

    /// The variables whose names begin so, in the order of their names.
    pub(crate) fn starting_with(&self, start: &str) -> impl Iterator<Item = (&str, &str)> {
        let variables = self
            .0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        variables.filter(move |(name, value)| name.starts_with(start) && !value.is_empty())
    }
}

impl FromIterator<(String, String)> for Environment {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(variables: T) -> Self {
        Self(variables.into_iter().collect())
    }
}

/// Names only: values may be secrets.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
