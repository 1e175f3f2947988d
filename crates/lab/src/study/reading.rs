//! Reads the keys of one setting, and collects all errors instead of stopping at the first.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use games::{AnyGame, Options, RulesError, registry};
use spec::did_you_mean;

use super::document::{Entry, Table, Value, find};
use super::flaw::Flaw;
use super::key::{FromValue, Key, KeyInfo, Shape};
use super::keys;
use crate::evolution::external::Programs;

/// The table of one setting, and its errors.
#[derive(Debug)]
pub struct Reading<'a> {
    table: &'a Table,
    /// The directory of the study's files.
    base: &'a Path,
    /// Programs that all settings of the study share.
    programs: Arc<Programs>,
    /// The errors.
    pub flaws: Vec<Flaw>,
}

impl<'a> Reading<'a> {
    /// Starts reading a setting.
    #[must_use]
    pub fn new(table: &'a Table, base: &'a Path, programs: Arc<Programs>) -> Self {
        let flaws = Vec::new();
        Self {
            table,
            base,
            programs,
            flaws,
        }
    }

    /// Programs that all settings of the study share.
    #[must_use]
    pub fn programs(&self) -> Arc<Programs> {
        Arc::clone(&self.programs)
    }

    /// Checks that all keys are known and their values valid.
    pub fn check_keys(&mut self, keys: &[KeyInfo]) {
        let mut flaws = Vec::new();
        check_table(self.table, "", keys, &mut flaws);
        self.flaws.extend(flaws);
    }

    /// Reports an error of a key. It is shown at the key, or else at the nearest table above it.
    pub fn flaw(&mut self, path: &str, message: impl Into<String>) {
        let flaw = Flaw {
            span: self.span(path),
            key: path.to_owned(),
            message: message.into(),
        };
        self.flaws.push(flaw);
    }

    /// Reports an error at a span.
    pub fn flaw_at(&mut self, span: &Range<usize>, key: &str, message: impl Into<String>) {
        self.flaws.push(Flaw {
            span: span.clone(),
            key: key.to_owned(),
            message: message.into(),
        });
    }

    /// A list of tables.
    #[must_use]
    pub fn tables(&self, key: Key<Vec<Table>>) -> Vec<&'a Table> {
        let Some(Value::List(list)) = self.value(key.path()) else {
            return Vec::new();
        };
        list.iter()
            .filter_map(|node| match &node.value {
                Value::Table(table) => Some(table),
                _ => None,
            })
            .collect()
    }

    fn span(&self, path: &str) -> Range<usize> {
        if let Some(entry) = find(self.table, path) {
            return entry.key.clone();
        }
        path.rsplit_once('.')
            .map_or(0..0, |(above, _)| self.span(above))
    }

    fn entry(&self, path: &str) -> Option<&'a Entry> {
        find(self.table, path)
    }

    fn value(&self, path: &str) -> Option<&'a Value> {
        self.entry(path).map(|entry| &entry.node.value)
    }

    /// Is the key set?
    #[must_use]
    pub fn has<T>(&self, key: Key<T>) -> bool {
        self.has_path(key.path())
    }

    /// Is the key of this path set?
    #[must_use]
    pub fn has_path(&self, path: &str) -> bool {
        self.entry(path).is_some()
    }

    /// The given value of a key. One that the key does not allow is reported by [`check_keys`](Self::check_keys) and counts as not
    /// given, so nothing is built from it.
    #[must_use]
    pub fn given<T: FromValue>(&self, key: Key<T>) -> Option<T> {
        let value = self.value(key.path());
        let allowed = value.filter(|value| key.info().shape.fault(value).is_none());
        allowed.and_then(T::from_value)
    }

    /// The value of a key, or its default.
    #[must_use]
    pub fn get<T: FromValue>(&self, key: Key<T>) -> Option<T> {
        let default = || T::from_value(&key.info().default.value()?);
        self.given(key).or_else(default)
    }

    /// The value of a key that has a default.
    ///
    /// # Panics
    /// If it has none.
    #[must_use]
    pub fn value_of<T: FromValue>(&self, key: Key<T>) -> T {
        self.get(key).expect("the key has a default")
    }

    /// The keys of an open table with their values as text, but not those named.
    #[must_use]
    pub fn others(&self, key: Key<Table>, known: &[&str]) -> Vec<(String, String)> {
        let Some(Value::Table(table)) = self.value(key.path()) else {
            return Vec::new();
        };
        table
            .iter()
            .filter(|(key, _)| !known.contains(&key.as_str()))
            .map(|(key, entry)| (key.clone(), entry.node.value.plain()))
            .collect()
    }

    /// The path of a file of the study: relative to the study, unless it is absolute.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.base.join(name)
    }

    /// The directory of the study.
    #[must_use]
    pub fn base(&self) -> &'a Path {
        self.base
    }

    /// The game with its rules (`rules` by default); reports all wrong rules.
    pub fn game(&mut self, name: &str, rules: &str) -> Option<AnyGame> {
        let mut options: Options = rules.parse().unwrap_or_default();
        options.extend(self.others(keys::GAME, &["name"]));
        loop {
            let error = match registry::build(name, &options) {
                Ok(game) => return Some(game),
                Err(error) => error,
            };
            let rule = match &error {
                RulesError::Value { option, .. } => (*option).to_owned(),
                RulesError::Unknown { option, .. } => option.clone(),
                RulesError::NoGame { .. } | RulesError::NotAnOption(_) => {
                    self.flaw(keys::GAME_NAME.path(), error.to_string());
                    return None;
                }
            };
            self.flaw(&format!("game.{rule}"), rule_problem(&error));
            // Without it, the next wrong rule is found; a rule that was not given cannot be removed.
            if !options.remove(&rule) {
                return None;
            }
        }
    }
}

fn rule_problem(error: &RulesError) -> String {
    match error {
        RulesError::Value { value, allowed, .. } => format!("{value}: {allowed}"),
        other => other
            .to_string()
            .replace(" option ", " rule ")
            .replace("its options are", "its rules are"),
    }
}

fn check_table(table: &Table, above: &str, keys: &[KeyInfo], flaws: &mut Vec<Flaw>) {
    for (name, entry) in table {
        let path = format!("{above}{name}");
        let inner = format!("{path}.");
        let known = keys.iter().find(|key| key.path == path);
        let fault = match (known, &entry.node.value) {
            (Some(key), value) => key.shape.fault(value),
            (None, Value::Table(table)) if keys.iter().any(|key| key.path.starts_with(&inner)) => {
                check_table(table, &inner, keys, flaws);
                None
            }
            (None, value) if keys.iter().any(|key| key.path.starts_with(&inner)) => {
                Some(format!("must be a section [{path}], not {}", value.kind()))
            }
            (None, _) if is_open(above, keys) => None,
            (None, _) => Some(unknown(above, name, keys)),
        };
        if let (Some(key), Value::Table(table)) = (known, &entry.node.value)
            && matches!(key.shape, Shape::Open)
        {
            check_table(table, &inner, keys, flaws);
        }
        if let Some(message) = fault {
            let span = entry.key.clone();
            let key = path;
            flaws.push(Flaw { span, key, message });
        }
    }
}

fn is_open(above: &str, keys: &[KeyInfo]) -> bool {
    let table = above.trim_end_matches('.');
    keys.iter()
        .any(|key| key.path == table && matches!(key.shape, Shape::Open))
}

fn unknown(above: &str, name: &str, keys: &[KeyInfo]) -> String {
    let here = keys.iter().filter_map(|key| key.path.strip_prefix(above));
    let known: BTreeSet<&str> = here
        .map(|rest| rest.split_once('.').map_or(rest, |(first, _)| first))
        .collect();
    let hint = did_you_mean(name, known.iter().copied());
    let known: Vec<&str> = known.into_iter().collect();
    format!("unknown key{hint}; expected one of {}", known.join(", "))
}
