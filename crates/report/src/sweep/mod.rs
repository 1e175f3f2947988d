//! Sweeps: which keys a study varies, and what each of them does to the main metric.

mod effects;
mod same;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

pub(crate) use self::effects::{Effect, Effects};
pub(crate) use self::same::same;

/// A setting: how it differs from the rest of the study.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Varied<'a> {
    /// Its display name.
    pub(crate) label: &'a str,
    /// Full keys and their values.
    pub(crate) changes: &'a BTreeMap<String, Json>,
}

/// The keys whose values differ between settings, by their full names.
pub(crate) fn varied<'a>(settings: &[Varied<'a>]) -> Vec<&'a str> {
    let keys: BTreeSet<&'a String> = settings.iter().flat_map(|one| one.changes.keys()).collect();
    let differ = |key: &&String| {
        let mut values = settings.iter().map(|setting| setting.changes.get(*key));
        let first = values.next();
        values.any(|value| Some(value) != first)
    };
    keys.into_iter()
        .filter(differ)
        .map(String::as_str)
        .collect()
}

/// The name of the column of a key in tables for programs.
pub(crate) fn column(key: &str) -> String {
    key.replace(['.', '-'], "_")
}

/// The value that a setting gives a key; empty if it leaves the study's own.
pub(crate) fn value(setting: &Varied<'_>, key: &str) -> String {
    setting.changes.get(key).map(plain).unwrap_or_default()
}

/// A value as it is written in labels.
fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// A key, or several that always change together: what they do cannot be told apart.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Factor {
    /// Its name without its section: `population`.
    pub(crate) name: String,
    /// Its values, in the order of the settings.
    pub(crate) levels: Vec<String>,
    /// The number of the value of each setting.
    pub(crate) of: Vec<usize>,
}

/// The factors of a study in which every setting gives every varied key a value; the one that changes most rarely comes first.
#[derive(Debug, Clone)]
pub(crate) struct Sweep {
    /// The factors.
    pub(crate) factors: Vec<Factor>,
    /// Whether the labels of the settings say nothing but their values.
    pub(crate) says_all: bool,
}

impl Sweep {
    /// `None` if the settings are not values of the same keys.
    pub(crate) fn of(settings: &[Varied<'_>]) -> Option<Self> {
        let keys = varied(settings);
        let has_all = |one: &Varied<'_>| keys.iter().all(|key| one.changes.contains_key(*key));
        if keys.is_empty() || !settings.iter().all(has_all) {
            return None;
        }
        let mut together: Vec<(Vec<usize>, Vec<&str>)> = Vec::new();
        for key in keys {
            let of = numbered(settings.iter().map(|setting| value(setting, key)));
            match together.iter_mut().find(|(known, _)| *known == of) {
                Some((_, keys)) => keys.push(key),
                None => together.push((of, vec![key])),
            }
        }
        let mut factors: Vec<Factor> = together
            .into_iter()
            .map(|(of, keys)| Factor::new(settings, &keys, of))
            .collect();
        factors.sort_by_key(Factor::changes);
        let says_all = settings.iter().all(is_composed);
        Some(Self { factors, says_all })
    }

    /// Whether the settings are all combinations of the values, each once.
    fn is_complete(&self) -> bool {
        let settings = self.factors.first().map_or(0, |factor| factor.of.len());
        let combination = |setting: usize| -> Vec<usize> {
            self.factors
                .iter()
                .map(|factor| factor.of[setting])
                .collect()
        };
        let different: BTreeSet<Vec<usize>> = (0..settings).map(combination).collect();
        let all: usize = self.factors.iter().map(|one| one.levels.len()).product();
        different.len() == settings && settings == all
    }
}

/// The number of each text among the different ones, in the order in which they come.
fn numbered(texts: impl Iterator<Item = String>) -> Vec<usize> {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    texts
        .map(|text| {
            let next = known.len();
            *known.entry(text).or_insert(next)
        })
        .collect()
}

impl Factor {
    fn new(settings: &[Varied<'_>], keys: &[&str], of: Vec<usize>) -> Self {
        let count = of.iter().max().map_or(0, |last| last + 1);
        let level = |number: usize| {
            let setting = of.iter().position(|&other| other == number).unwrap_or(0);
            let values = keys.iter().map(|key| value(&settings[setting], key));
            values.collect::<Vec<_>>().join(", ")
        };
        let names: Vec<&str> = keys.iter().map(|key| short(key)).collect();
        Self {
            name: names.join(", "),
            levels: (0..count).map(level).collect(),
            of,
        }
    }

    /// How often it changes from one setting to the next.
    fn changes(&self) -> usize {
        self.of.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }
}

fn short(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// Whether the label of a setting consists of values of its keys, as labels that nobody wrote do.
pub(crate) fn is_composed(setting: &Varied<'_>) -> bool {
    let says = |part: &str| {
        setting.changes.iter().any(|(key, value)| {
            let value = plain(value);
            part == value || part == format!("{} {value}", short(key))
        })
    };
    setting.label.split(", ").all(says)
}
