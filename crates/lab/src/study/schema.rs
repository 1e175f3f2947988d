//! The JSON schema of study files, for editors: all keys, with the rules of games and the settings of algorithms.

use std::collections::BTreeMap;

use games::registry::FAMILIES;
use serde_json::{Value as Json, json};

use super::key::{KeyInfo, schema};
use super::kind::KINDS;
use super::{COMMON, notify};
use crate::evolution::presets;
use crate::evolution::settings::default_settings;

/// The JSON schema of study files, for editors.
#[must_use]
pub fn study_schema() -> Json {
    let mut keys: Vec<KeyInfo> = [COMMON, notify::KEYS].concat();
    for key in KINDS.iter().flat_map(|kind| kind.keys.concat()) {
        if !keys.iter().any(|known| known.path == key.path) {
            keys.push(key);
        }
    }
    let mut schema = schema(&keys);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = "A study of gamete".into();
    schema["required"] = json!(["name"]);
    let properties = &mut schema["properties"];
    properties["name"]["pattern"] = "^[a-z0-9][a-z0-9-]{0,79}$".into();
    properties["preset"]["enum"] = presets::all().map(|preset| preset.name).collect();
    describe_rules(&mut properties["game"]);
    describe_settings(&mut properties["optimizer"]);
    schema
}

/// Rules of all games. The descriptions say which game has which, and `gamete study check` checks it.
fn describe_rules(game: &mut Json) {
    let mut rules: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for family in FAMILIES {
        for option in family.options {
            let text = format!(
                "{}: {} [default: {}]",
                family.name, option.help, option.default
            );
            rules.entry(option.name).or_default().push(text);
        }
    }
    game["additionalProperties"] = false.into();
    game["properties"]["name"]["enum"] = FAMILIES.iter().map(|family| family.name).collect();
    for (rule, about) in rules {
        let types = json!(["string", "number", "boolean"]);
        game["properties"][rule] = json!({"type": types, "description": about.join("; ")});
    }
}

/// Settings of all algorithms, with their defaults.
fn describe_settings(optimizer: &mut Json) {
    let algorithms = default_settings();
    let names: Vec<&str> = algorithms.iter().map(|(name, _)| *name).collect();
    let mut settings: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, own) in &algorithms {
        for (setting, default) in own {
            let text = format!("{name} [default: {default}]");
            settings.entry(setting.clone()).or_default().push(text);
        }
    }
    optimizer["additionalProperties"] = false.into();
    optimizer["properties"]["algorithm"]["enum"] = json!(names);
    for (setting, of) in settings {
        let about = format!("Of {}", of.join(", "));
        optimizer["properties"][setting] = json!({"description": about});
    }
}
