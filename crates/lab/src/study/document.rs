//! A study file as a tree in which every key and value has its span, so that errors can point to it.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::flaw::Flaw;

/// A value with its span.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// The value.
    pub value: Value,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `"text"`.
    Text(String),
    /// `12`.
    Whole(i64),
    /// `1.5`.
    Real(f64),
    /// `true`.
    Truth(bool),
    /// `[1, 2]`.
    List(Vec<Node>),
    /// `[section]` or `{ key = 1 }`.
    Table(Table),
}

/// Keys in alphabetical order.
pub type Table = BTreeMap<String, Entry>;

/// A key with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Byte range of the key.
    pub key: Range<usize>,
    /// Its value.
    pub node: Node,
}

/// The text of a study and its tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The text.
    pub text: String,
    /// The tree.
    pub root: Table,
}

impl Document {
    /// Parses a text, and reports all syntax errors.
    pub fn parse(text: &str) -> Result<Self, Vec<Flaw>> {
        let (table, errors) = DeTable::parse_recoverable(text);
        if errors.is_empty() {
            let root = convert_table(table.get_ref());
            let mut flaws = Vec::new();
            refuse_deep(&root, 0, &mut flaws);
            let text = text.to_owned();
            return match flaws.is_empty() {
                true => Ok(Self { text, root }),
                false => Err(flaws),
            };
        }
        let flaw = |error: toml::de::Error| Flaw {
            span: error.span().unwrap_or(0..0),
            key: String::new(),
            message: explain(&error, text),
        };
        Err(errors.into_iter().map(flaw).collect())
    }

    /// The line number of a byte offset, from 1.
    #[must_use]
    pub fn line(&self, place: usize) -> usize {
        line(&self.text, place)
    }
}

/// The most levels of tables, lists and dots in keys. The deepest key of a study has four.
pub(super) const MOST_LEVELS: usize = 16;

/// Reports keys below too many levels: dots in a key stand for tables, which are made later.
fn refuse_deep(table: &Table, above: usize, flaws: &mut Vec<Flaw>) {
    for (name, entry) in table {
        let levels = above + name.split('.').count();
        if levels > MOST_LEVELS {
            flaws.push(Flaw {
                span: entry.key.clone(),
                key: name.chars().take(LONGEST_SHOWN).collect(),
                message: format!("is nested too deeply; at most {MOST_LEVELS} levels are possible"),
            });
            continue;
        }
        refuse_deep_value(&entry.node.value, levels, flaws);
    }
}

fn refuse_deep_value(value: &Value, levels: usize, flaws: &mut Vec<Flaw>) {
    match value {
        Value::Table(inner) => refuse_deep(inner, levels, flaws),
        Value::List(list) => {
            for node in list {
                refuse_deep_value(&node.value, levels, flaws);
            }
        }
        Value::Text(_) | Value::Whole(_) | Value::Real(_) | Value::Truth(_) => {}
    }
}

/// Characters of a key that is too long to be shown.
const LONGEST_SHOWN: usize = 60;

/// Explains a syntax error to users who do not know TOML.
fn explain(error: &toml::de::Error, text: &str) -> String {
    let place = error.span().map_or(0, |span| span.start).min(text.len());
    let before = text.as_bytes()[..place].trim_ascii_end();
    let rest = text.get(place..).unwrap_or_default().lines().next();
    if before.ends_with(b"=") && rest.is_none_or(|rest| rest.trim().is_empty()) {
        return "the value is missing".to_owned();
    }
    match error.message() {
        message if message.starts_with("string values must be quoted") => {
            "text needs quotes".to_owned()
        }
        message => format!("not valid TOML: {message}"),
    }
}

/// The line number of a byte offset, from 1.
#[must_use]
pub(super) fn line(text: &str, place: usize) -> usize {
    let before = &text.as_bytes()[..place.min(text.len())];
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}

fn convert_table(table: &DeTable<'_>) -> Table {
    let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
        let name: &std::borrow::Cow<'_, str> = key.get_ref();
        let node = Node {
            span: value.span(),
            value: convert(value.get_ref()),
        };
        let key = key.span();
        (name.clone().into_owned(), Entry { key, node })
    };
    table.iter().map(entry).collect()
}

fn convert(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.clone().into_owned()),
        DeValue::Integer(number) => {
            let digits = number.as_str().replace('_', "");
            // A number beyond i64 becomes a real one, which is refused where an integer is expected.
            i64::from_str_radix(&digits, number.radix()).map_or_else(
                |_| Value::Real(digits.parse().unwrap_or(f64::MAX)),
                Value::Whole,
            )
        }
        DeValue::Float(number) => {
            let digits = number.as_str().replace('_', "");
            Value::Real(digits.parse().unwrap_or(f64::NAN))
        }
        DeValue::Boolean(truth) => Value::Truth(*truth),
        DeValue::Datetime(time) => Value::Text(time.to_string()),
        DeValue::Array(list) => Value::List(
            list.iter()
                .map(|node| Node {
                    span: node.span(),
                    value: convert(node.get_ref()),
                })
                .collect(),
        ),
        DeValue::Table(table) => Value::Table(convert_table(table)),
    }
}

impl Value {
    /// The kind of value, for messages.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Whole(_) => "a whole number",
            Self::Real(_) => "a number",
            Self::Truth(_) => "true or false",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }

    /// The value as text without quotes, as settings and rules expect it.
    #[must_use]
    pub fn plain(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Whole(number) => number.to_string(),
            Self::Real(number) => number.to_string(),
            Self::Truth(truth) => truth.to_string(),
            Self::List(list) => {
                let items: Vec<String> = list
                    .iter()
                    .map(|node| node.value.to_json().to_string())
                    .collect();
                format!("[{}]", items.join(", "))
            }
            Self::Table(_) => self.to_json().to_string(),
        }
    }

    /// The value as JSON, without spans.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Text(text) => text.clone().into(),
            Self::Whole(number) => (*number).into(),
            Self::Real(number) => (*number).into(),
            Self::Truth(truth) => (*truth).into(),
            Self::List(list) => list.iter().map(|node| node.value.to_json()).collect(),
            Self::Table(table) => table_to_json(table),
        }
    }
}

/// A table as JSON, keys in alphabetical order.
#[must_use]
pub fn table_to_json(table: &Table) -> serde_json::Value {
    let entries = table
        .iter()
        .map(|(key, entry)| (key.clone(), entry.node.value.to_json()));
    serde_json::Value::Object(entries.collect())
}

/// The entry of a dotted path, e.g. `optimizer.population`.
#[must_use]
pub fn find<'a>(table: &'a Table, path: &str) -> Option<&'a Entry> {
    let (mut table, mut path) = (table, path);
    while let Some((first, rest)) = path.split_once('.') {
        match &table.get(first)?.node.value {
            Value::Table(inner) => (table, path) = (inner, rest),
            _ => return None,
        }
    }
    table.get(path)
}

/// Sets the entry of a dotted path, creating tables on the way and replacing anything else.
pub fn set(table: &mut Table, path: &str, entry: &Entry) {
    let (mut table, mut path) = (table, path);
    while let Some((first, rest)) = path.split_once('.') {
        table = inner_table(table, first, entry);
        path = rest;
    }
    table.insert(path.to_owned(), entry.clone());
}

/// The table of this name, made for an entry below it if it is not there.
fn inner_table<'a>(table: &'a mut Table, name: &str, below: &Entry) -> &'a mut Table {
    let empty = || Value::Table(Table::new());
    let inner = table.entry(name.to_owned()).or_insert_with(|| Entry {
        key: below.key.clone(),
        node: Node {
            span: below.key.clone(),
            value: empty(),
        },
    });
    if !matches!(inner.node.value, Value::Table(_)) {
        inner.node.value = empty();
    }
    match &mut inner.node.value {
        Value::Table(inner) => inner,
        _ => unreachable!("it was made a table"),
    }
}
