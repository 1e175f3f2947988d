//! A study built key by key, for commands that run one without a file.

use std::time::Duration;

use toml::{Table, Value};

use super::document::MOST_LEVELS;
use super::key::Key;

/// A study under construction.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    root: Table,
}

impl Draft {
    /// Sets a key, if there is a value.
    pub fn set<T: IntoToml>(&mut self, key: Key<T>, value: Option<T>) {
        if let Some(value) = value {
            self.insert(key.path(), value.into_toml());
        }
    }

    /// Sets a key of an open table (a rule of the game, a setting of the algorithm) to a value as the user writes it.
    pub fn set_open(&mut self, key: Key<super::document::Table>, name: &str, value: &str) {
        self.insert(&format!("{}.{name}", key.path()), plain(value));
    }

    /// The text of the study file.
    #[must_use]
    pub fn text(&self) -> String {
        self.root.to_string()
    }

    fn insert(&mut self, path: &str, value: Value) {
        // Deeper keys are refused when the text is read; as one key with dots they can be written until then.
        let mut words: Vec<&str> = path.splitn(MOST_LEVELS, '.').collect();
        let last = words.pop().unwrap_or_default();
        let mut table = &mut self.root;
        for word in words {
            let inner = table
                .entry(word)
                .or_insert_with(|| Value::Table(Table::new()));
            let Value::Table(inner) = inner else { return };
            table = inner;
        }
        table.insert(last.to_owned(), value);
    }
}

/// A number or boolean as such, anything else as text.
fn plain(text: &str) -> Value {
    let whole = text.parse().map(Value::Integer);
    let real = || text.parse().map(Value::Float);
    let truth = || text.parse().map(Value::Boolean);
    let number = whole.or_else(|_| real());
    let number = number.ok().filter(is_finite);
    number
        .or_else(|| truth().ok())
        .unwrap_or_else(|| Value::String(text.to_owned()))
}

fn is_finite(value: &Value) -> bool {
    value.as_float().is_none_or(f64::is_finite)
}

/// A type that keys of a draft can be set to.
pub trait IntoToml {
    /// The value.
    fn into_toml(self) -> Value;
}

macro_rules! into_toml {
    ($($type:ty => $make:expr),+ $(,)?) => {
        $(impl IntoToml for $type {
            fn into_toml(self) -> Value {
                let make: fn($type) -> Value = $make;
                make(self)
            }
        })+
    };
}

into_toml! {
    String => Value::String,
    bool => Value::Boolean,
    f64 => Value::Float,
    u32 => |number| Value::Integer(number.into()),
    u64 => |number| Value::Integer(number.try_into().unwrap_or(i64::MAX)),
    usize => |number| Value::Integer(number.try_into().unwrap_or(i64::MAX)),
    Duration => |time| Value::String(humantime::format_duration(time).to_string()),
    Vec<u64> => |numbers| {
        let whole = |number: u64| Value::Integer(number.try_into().unwrap_or(i64::MAX));
        Value::Array(numbers.into_iter().map(whole).collect())
    },
    Vec<String> => |texts| Value::Array(texts.into_iter().map(Value::String).collect()),
}
