//! Keys of a study: one definition for checking, the JSON schema and the documentation.

use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::time::Duration;

use serde_json::{Map, Value as Json, json};

use super::document::{Table, Value};

/// A key of a study whose value is a `T`. Readers, the schema, messages, flags and the page's form all use this one value, so a
/// misspelt key does not compile.
#[derive(Debug)]
pub struct Key<T> {
    info: KeyInfo,
    value: PhantomData<fn() -> T>,
}

impl<T> Clone for Key<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Key<T> {}

/// A key without the type of its value.
#[derive(Debug, Clone, Copy)]
pub struct KeyInfo {
    /// Its dotted path, e.g. `stop.generations`.
    pub path: &'static str,
    /// Allowed values.
    pub shape: Shape,
    /// One-line description.
    pub about: &'static str,
    /// The default value.
    pub default: Default,
}

/// The default value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Default {
    /// None, or the preset's value.
    None,
    /// A whole number.
    Whole(u64),
    /// A number.
    Real(f64),
    /// `true` or `false`.
    Truth(bool),
    /// A text.
    Text(&'static str),
    /// A value that depends on other keys, described in words.
    Words(&'static str),
}

impl KeyInfo {
    /// The description with the default.
    #[must_use]
    pub fn help(&self) -> String {
        match self.default.text() {
            None => self.about.to_owned(),
            Some(default) => format!("{} [default: {default}]", self.about),
        }
    }
}

impl<T> Key<T> {
    const fn new(path: &'static str, shape: Shape, about: &'static str) -> Self {
        let info = KeyInfo {
            path,
            shape,
            about,
            default: Default::None,
        };
        Self {
            info,
            value: PhantomData,
        }
    }

    /// Its dotted path.
    #[must_use]
    pub const fn path(self) -> &'static str {
        self.info.path
    }

    /// The key without its type, for lists of keys.
    #[must_use]
    pub const fn info(self) -> KeyInfo {
        self.info
    }

    const fn or(mut self, default: Default) -> Self {
        self.info.default = default;
        self
    }

    /// Describes a default that depends on other keys.
    #[must_use]
    pub const fn or_else(self, words: &'static str) -> Self {
        self.or(Default::Words(words))
    }
}

impl Key<String> {
    /// Any text.
    pub const fn text(path: &'static str, about: &'static str) -> Self {
        Self::new(path, Shape::Text, about)
    }

    /// One of these texts; the first is the default.
    pub const fn one_of(
        path: &'static str,
        names: &'static [&'static str],
        about: &'static str,
    ) -> Self {
        Self::new(path, Shape::OneOf(names), about).or(Default::Text(names[0]))
    }
}

impl<T: TryFrom<i64>> Key<T> {
    /// A whole number within bounds.
    pub const fn whole(path: &'static str, least: u64, most: u64, about: &'static str) -> Self {
        Self::new(path, Shape::Whole(least, most), about)
    }

    /// With this default.
    pub const fn or_whole(self, number: u64) -> Self {
        self.or(Default::Whole(number))
    }
}

impl Key<f64> {
    /// A number.
    pub const fn real(path: &'static str, about: &'static str) -> Self {
        Self::new(path, Shape::Real, about)
    }

    /// With this default.
    pub const fn or_real(self, number: f64) -> Self {
        self.or(Default::Real(number))
    }
}

impl Key<bool> {
    /// True or false.
    pub const fn truth(path: &'static str, about: &'static str) -> Self {
        Self::new(path, Shape::Truth, about)
    }

    /// With this default.
    pub const fn or_truth(self, truth: bool) -> Self {
        self.or(Default::Truth(truth))
    }
}

impl Key<Duration> {
    /// A time.
    pub const fn time(path: &'static str, about: &'static str) -> Self {
        Self::new(path, Shape::Time, about)
    }

    /// With this default.
    pub const fn or_time(self, text: &'static str) -> Self {
        self.or(Default::Text(text))
    }
}

impl Key<Vec<String>> {
    /// A text, or a list of texts.
    pub const fn texts(path: &'static str, about: &'static str) -> Self {
        Self::new(path, Shape::Texts, about)
    }
}

impl Key<Vec<u64>> {
    /// A list of whole numbers within bounds.
    pub const fn wholes(path: &'static str, least: u64, most: u64, about: &'static str) -> Self {
        Self::new(path, Shape::Wholes(least, most), about)
    }
}

impl Key<Table> {
    /// A table whose keys depend on something else (the game's rules, the algorithm's settings).
    pub const fn open(path: &'static str, about: &'static str) -> Self {
        Self::new(path, Shape::Open, about)
    }
}

impl Key<Vec<Table>> {
    /// A list of tables.
    pub const fn tables(path: &'static str, about: &'static str) -> Self {
        Self::new(path, Shape::Tables, about)
    }
}

/// A type of key values.
pub trait FromValue: Sized {
    /// The value, if it is of this type.
    fn from_value(value: &Value) -> Option<Self>;
}

impl FromValue for String {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        }
    }
}

macro_rules! whole_numbers {
    ($($number:ty),+) => {
        $(impl FromValue for $number {
            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    Value::Whole(number) => Self::try_from(*number).ok(),
                    _ => None,
                }
            }
        })+
    };
}

whole_numbers!(u32, u64, usize);

impl FromValue for f64 {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Whole(number) => Some(*number as f64),
            Value::Real(number) => Some(*number),
            _ => None,
        }
    }
}

impl FromValue for bool {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Truth(truth) => Some(*truth),
            _ => None,
        }
    }
}

impl FromValue for Duration {
    fn from_value(value: &Value) -> Option<Self> {
        humantime::parse_duration(&String::from_value(value)?).ok()
    }
}

impl FromValue for Vec<String> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Text(text) => Some(vec![text.clone()]),
            Value::List(list) => Some(list.iter().map(|node| node.value.plain()).collect()),
            _ => None,
        }
    }
}

impl FromValue for Vec<u64> {
    fn from_value(value: &Value) -> Option<Self> {
        let Value::List(list) = value else {
            return None;
        };
        let numbers = list.iter().map(|node| u64::from_value(&node.value));
        numbers.collect()
    }
}

impl Default {
    /// The value, or what stands for it, for people.
    #[must_use]
    pub fn text(self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Whole(number) => Some(number.to_string()),
            Self::Real(number) => Some(number.to_string()),
            Self::Truth(truth) => Some(truth.to_string()),
            Self::Text(text) | Self::Words(text) => Some(text.to_owned()),
        }
    }

    /// The value, where it is one.
    pub(super) fn value(self) -> Option<Value> {
        match self {
            Self::None | Self::Words(_) => None,
            Self::Whole(number) => i64::try_from(number).ok().map(Value::Whole),
            Self::Real(number) => Some(Value::Real(number)),
            Self::Truth(truth) => Some(Value::Truth(truth)),
            Self::Text(text) => Some(Value::Text(text.to_owned())),
        }
    }

    fn json(self) -> Option<Json> {
        match self {
            Self::None | Self::Words(_) => None,
            Self::Whole(number) => Some(number.into()),
            Self::Real(number) => Some(number.into()),
            Self::Truth(truth) => Some(truth.into()),
            Self::Text(text) => Some(text.into()),
        }
    }
}

/// The allowed values of a key.
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
        Value::Table(_) => value.kind().to_owned(),
        Value::Text(text) => format!("\"{text}\""),
        other => other.plain(),
    }
}

/// The JSON schema of a table with these keys. Tables on a path are created; those that are [`Shape::Open`] accept further keys.
#[must_use]
pub fn schema(keys: &[KeyInfo]) -> Json {
    let mut root = object();
    for key in keys {
        let mut property = key.shape.schema();
        property["description"] = key.help().into();
        if let Some(default) = key.default.json() {
            property["default"] = default;
        }
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
