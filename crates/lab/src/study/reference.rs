//! Figures of a published work, to show next to ours.

use super::Setting;
use super::document::{Table, Value};
use super::keys;
use super::reading::Reading;

/// A published work.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reference {
    /// Its title or key.
    pub source: String,
    /// What it concluded.
    pub conclusion: String,
    /// Its figures.
    pub figures: Vec<Figure>,
}

/// A figure of a work.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Its setting; all settings if `None`.
    pub setting: Option<String>,
    /// Its metric.
    pub metric: String,
    /// The published value.
    pub value: f64,
    /// A remark.
    pub note: String,
}

/// Reads the section `reference`.
pub(super) fn read(reading: &mut Reading<'_>, settings: &[Setting]) -> Reference {
    let tables = reading.tables(keys::REFERENCE_FIGURES);
    let figures = tables
        .iter()
        .filter_map(|table| figure(reading, table, settings));
    let figures = figures.collect();
    Reference {
        source: reading.get(keys::REFERENCE_SOURCE).unwrap_or_default(),
        conclusion: reading.get(keys::REFERENCE_CONCLUSION).unwrap_or_default(),
        figures,
    }
}

const KEYS: [&str; 4] = ["setting", "metric", "value", "note"];

fn figure(reading: &mut Reading<'_>, table: &Table, settings: &[Setting]) -> Option<Figure> {
    for (key, entry) in table {
        if !KEYS.contains(&key.as_str()) {
            let hint = spec::did_you_mean(key, KEYS.into_iter());
            let message = format!("unknown key{hint}; a figure has {}", KEYS.join(", "));
            reading.flaw_at(&entry.key, &format!("reference.figures.{key}"), message);
        }
    }
    let text = |key: &str| table.get(key).map(|entry| entry.node.value.plain());
    if let Some(entry) = table.get("setting")
        && !settings.is_empty()
    {
        let label = entry.node.value.plain();
        let labels = || settings.iter().map(|setting| setting.label.as_str());
        if !labels().any(|known| known == label) {
            let hint = spec::did_you_mean(&label, labels());
            let known: Vec<&str> = labels().take(12).collect();
            let message = format!(
                "unknown setting '{label}'{hint}; available: {}",
                known.join("; ")
            );
            reading.flaw_at(&entry.key, "reference.figures.setting", message);
        }
    }
    let value = match table.get("value").map(|entry| &entry.node.value) {
        Some(Value::Whole(number)) => *number as f64,
        Some(Value::Real(number)) => *number,
        _ => {
            reading.flaw(
                keys::REFERENCE_FIGURES.path(),
                "every figure needs a value that is a number",
            );
            return None;
        }
    };
    let Some(metric) = text("metric") else {
        reading.flaw(
            keys::REFERENCE_FIGURES.path(),
            "every figure needs a metric, e.g. metric = \"score\"",
        );
        return None;
    };
    Some(Figure {
        setting: text("setting"),
        metric,
        value,
        note: text("note").unwrap_or_default(),
    })
}
