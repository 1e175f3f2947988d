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
    /// Its standard error, if the work tells it.
    pub error: Option<f64>,
    /// The name of the test that compares this and other figures with ours at once.
    pub together: Option<String>,
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

const KEYS: [&str; 6] = ["setting", "metric", "value", "error", "together", "note"];

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
    let number = |key: &str| match table.get(key)?.node.value {
        Value::Whole(number) => Some(number as f64),
        Value::Real(number) => Some(number),
        _ => None,
    };
    let Some(value) = number("value") else {
        reading.flaw(
            keys::REFERENCE_FIGURES.path(),
            "every figure needs a value that is a number",
        );
        return None;
    };
    let error = number("error").filter(|error| *error > 0.0);
    if error.is_none() && (table.contains_key("error") || table.contains_key("together")) {
        reading.flaw(
            keys::REFERENCE_FIGURES.path(),
            "the error of a figure is its standard error, a number above 0; figures that are tested together need one",
        );
    }
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
        error,
        together: text("together"),
        note: text("note").unwrap_or_default(),
    })
}
