//! Which keys a study may have: one list for checking, for the JSON schema and for people.

use std::ops::RangeInclusive;

use serde_json::{Map, Value as Json, json};

use super::document::Value;

/// A key of a study.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its dotted path, e.g. `stop.generations`.
    pub path: &'static str,
    /// What it may be.
    pub shape: Shape,
    /// One line on what it does.
    pub about: &'static str,
}

/// What a value may be.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// Any text.
    Text,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// A whole number within bounds.
    Whole(u64, u64),
    /// A number.
    Real,
    /// `true` or `false`.
    Truth,
    /// A time, e.g. `"10s"` or `"1h 30m"`.
    Time,
    /// A text, or a list of texts.
    Texts,
    /// A list of whole numbers within bounds.
    Wholes(u64, u64),
    /// A table whose keys depend on something else (the game's rules, the algorithm's settings).
    Open,
    /// A list of tables.
    Tables,
}

impl Key {
    /// A key.
    #[must_use]
    pub const fn new(path: &'static str, shape: Shape, about: &'static str) -> Self {
        Self { path, shape, about }
    }
}

impl Shape {
    /// What is wrong with a value, if anything.
    #[must_use]
    pub fn fault(self, value: &Value) -> Option<String> {
        let fits = match (self, value) {
            (Self::Text | Self::Texts, Value::Text(_))
            | (Self::Real, Value::Whole(_))
            | (Self::Truth, Value::Truth(_))
            | (Self::Open, Value::Table(_)) => true,
            (Self::Real, Value::Real(number)) => number.is_finite(),
            (Self::OneOf(names), Value::Text(text)) => return unknown_name(names, text),
            (Self::Whole(least, most), Value::Whole(number)) => within(&(least..=most), *number),
            (Self::Time, Value::Text(text)) => humantime::parse_duration(text).is_ok(),
            (Self::Texts, Value::List(list)) => list
                .iter()
                .all(|node| matches!(node.value, Value::Text(_))),
            (Self::Wholes(least, most), Value::List(list)) => list.iter().all(
                |node| matches!(node.value, Value::Whole(number) if within(&(least..=most), number)),
            ),
            (Self::Tables, Value::List(list)) => list
                .iter()
                .all(|node| matches!(node.value, Value::Table(_))),
            _ => false,
        };
        (!fits).then(|| format!("must be {}, not {}", self.wanted(), found(value)))
    }

    fn wanted(self) -> String {
        match self {
            Self::Text => "a text in quotes".to_owned(),
            Self::OneOf(names) => format!("one of {}", names.join(", ")),
            Self::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Self::Real => "a number".to_owned(),
            Self::Truth => "true or false".to_owned(),
            Self::Time => "a time like \"30s\", \"10m\" or \"1h 30m\"".to_owned(),
            Self::Texts => "a text in quotes or a list of them".to_owned(),
            Self::Wholes(least, most) => format!("a list of whole numbers from {least} to {most}"),
            Self::Open => "a table".to_owned(),
            Self::Tables => "a list of tables".to_owned(),
        }
    }

    fn schema(self) -> Json {
        match self {
            Self::Text => json!({"type": "string"}),
            Self::OneOf(names) => json!({"enum": names}),
            Self::Whole(least, most) => {
                json!({"type": "integer", "minimum": least, "maximum": most})
            }
            Self::Real => json!({"type": "number"}),
            Self::Truth => json!({"type": "boolean"}),
            Self::Time => json!({"type": "string", "examples": ["30s", "10m", "1h 30m"]}),
            Self::Texts => {
                json!({"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})
            }
            Self::Wholes(least, most) => {
                json!({"type": "array", "items": {"type": "integer", "minimum": least, "maximum": most}})
            }
            Self::Open => json!({"type": "object"}),
            Self::Tables => json!({"type": "array", "items": {"type": "object"}}),
        }
    }
}

fn within(range: &RangeInclusive<u64>, number: i64) -> bool {
    u64::try_from(number).is_ok_and(|number| range.contains(&number))
}

fn unknown_name(names: &[&str], text: &str) -> Option<String> {
    (!names.contains(&text)).then(|| {
        let hint = spec::did_you_mean(text, names.iter().copied());
        format!("'{text}' is not one of {}{hint}", names.join(", "))
    })
}

fn found(value: &Value) -> String {
    match value {
        Value::List(_) | Value::Table(_) => value.kind().to_owned(),
        Value::Text(text) => format!("\"{text}\""),
        other => other.plain(),
    }
}

/// The JSON schema of a table with these keys. Tables on the way of a path are made; those that are [`Shape::Open`] take further keys.
#[must_use]
pub fn schema(keys: &[Key]) -> Json {
    let mut root = object();
    for key in keys {
        let mut property = key.shape.schema();
        property["description"] = key.about.into();
        insert(&mut root, key.path, property);
    }
    root
}

fn object() -> Json {
    json!({"type": "object", "additionalProperties": false, "properties": {}})
}

fn insert(table: &mut Json, path: &str, property: Json) {
    let Some(properties) = table["properties"].as_object_mut() else {
        table["properties"] = Json::Object(Map::new());
        return insert(table, path, property);
    };
    let Some((first, rest)) = path.split_once('.') else {
        let known = properties.entry(path).or_insert(Json::Null);
        merge(known, property);
        return;
    };
    insert(
        properties.entry(first).or_insert_with(object),
        rest,
        property,
    );
}

/// An open table that also has known keys keeps both.
fn merge(known: &mut Json, property: Json) {
    match (known.as_object_mut(), property) {
        (Some(known), Json::Object(property)) => {
            known.extend(property);
            known.remove("additionalProperties");
        }
        (_, property) => *known = property,
    }
}
