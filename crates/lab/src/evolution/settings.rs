//! An algorithm from its name and settings as text, e.g. `population` = `50`, `selection` = `tournament(size=3)`.

use evolve::Config;
use evolve::algorithm::{ALGORITHMS, PRESETS};
use serde_json::{Map, Value};
use spec::did_you_mean;

/// Why there is no such algorithm.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// No algorithm or preset has this name.
    #[error(
        "unknown algorithm '{name}'{}; available: {}, and the genetic algorithms of the five works {}",
        did_you_mean(.name, algorithms()),
        algorithms().take(ALGORITHMS.len()).collect::<Vec<_>>().join(", "),
        algorithms().skip(ALGORITHMS.len()).collect::<Vec<_>>().join(", ")
    )]
    NoAlgorithm {
        /// As given.
        name: String,
    },
    /// The algorithm has no such setting.
    #[error("{algorithm} has no setting '{key}'{hint}; its settings are {known}{}", others(.owners))]
    NoSetting {
        /// The algorithm.
        algorithm: String,
        /// As given.
        key: String,
        /// The likely intended one.
        hint: String,
        /// The available ones.
        known: String,
        /// The algorithms that have it.
        owners: Vec<&'static str>,
    },
    /// An invalid value.
    #[error("{key} = {value}: {problem}")]
    Value {
        /// The setting.
        key: String,
        /// As given.
        value: String,
        /// What is wrong.
        problem: String,
    },
}

/// Names of all algorithms, then of the works' genetic algorithms.
fn algorithms() -> impl Iterator<Item = &'static str> + Clone {
    let presets = PRESETS.iter().map(|preset| preset.name);
    ALGORITHMS
        .iter()
        .map(|algorithm| algorithm.name)
        .chain(presets)
}

/// The algorithm (or a work's genetic algorithm) of this name, with these settings changed.
pub fn configure(name: &str, settings: &[(String, String)]) -> Result<Config, SettingsError> {
    let preset = PRESETS.iter().find(|preset| preset.name == name);
    let config = preset
        .map(|preset| Config::Ga(preset.config()))
        .or_else(|| Config::named(name));
    let mut config = config.ok_or_else(|| SettingsError::NoAlgorithm {
        name: name.to_owned(),
    })?;
    for (key, text) in settings {
        config = changed(&config, key, text)?;
    }
    Ok(config)
}

/// The settings with one of them changed.
fn changed(config: &Config, key: &str, text: &str) -> Result<Config, SettingsError> {
    let wrong = |problem: String| SettingsError::Value {
        key: key.to_owned(),
        value: text.to_owned(),
        problem,
    };
    let mut map = as_map(config);
    let Some(old) = map.get(key).filter(|_| key != TAG) else {
        return Err(no_setting(config, key, &map));
    };
    let value = match old {
        Value::String(_) => Value::String(text.to_owned()),
        _ if text == AUTO => Value::Null,
        // An algorithm inside another, by its name.
        Value::Object(_) if !text.starts_with('{') => Value::Object(as_map(&configure(text, &[])?)),
        Value::Null => {
            serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
        }
        _ => serde_json::from_str(text).map_err(|_| wrong(format!("must be like {old}")))?,
    };
    map.insert(key.to_owned(), value);
    serde_json::from_value(Value::Object(map)).map_err(|error| wrong(error.to_string()))
}

/// The text that leaves a setting to the algorithm.
const AUTO: &str = "auto";

/// The key that names the algorithm.
const TAG: &str = "algorithm";

fn as_map(config: &Config) -> Map<String, Value> {
    match serde_json::to_value(config) {
        Ok(Value::Object(map)) => map,
        other => unreachable!("settings are a table, not {other:?}"),
    }
}

fn no_setting(config: &Config, key: &str, map: &Map<String, Value>) -> SettingsError {
    let known = || map.keys().map(String::as_str).filter(|&known| known != TAG);
    SettingsError::NoSetting {
        algorithm: config.name().to_owned(),
        key: key.to_owned(),
        hint: did_you_mean(key, known()),
        known: known().collect::<Vec<_>>().join(", "),
        owners: owners(key),
    }
}

/// The algorithms that have a setting.
fn owners(key: &str) -> Vec<&'static str> {
    let has =
        |name: &&str| Config::named(name).is_some_and(|config| as_map(&config).contains_key(key));
    let names = ALGORITHMS.iter().map(|algorithm| algorithm.name);
    names.filter(has).filter(|_| key != TAG).collect()
}

/// Where to find a setting that the chosen algorithm does not have.
fn others(owners: &[&str]) -> String {
    if owners.is_empty() {
        return String::new();
    }
    format!("; it is a setting of the algorithm {}", owners.join(", "))
}

/// Every algorithm with all its settings and their defaults, as text.
#[must_use]
pub fn default_settings() -> Vec<(&'static str, Vec<(String, String)>)> {
    let settings = |name| Some((name, settings_of(&configure(name, &[]).ok()?)));
    algorithms().filter_map(settings).collect()
}

/// Every setting of an algorithm with its value, as text.
#[must_use]
pub fn settings_of(config: &Config) -> Vec<(String, String)> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => AUTO.to_owned(),
        other => other.to_string(),
    };
    let map = as_map(config);
    map.iter()
        .filter(|(key, _)| *key != TAG)
        .map(|(key, value)| (key.clone(), text(value)))
        .collect()
}
