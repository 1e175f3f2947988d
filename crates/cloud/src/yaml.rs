//! Writes YAML, as far as task files need it.
//!
//! JSON is YAML, too, but a shell script in it is unreadable.

use std::fmt::Write;

use serde_json::{Map, Value};

/// A value, usually a map, below a comment.
#[must_use]
pub fn document(comment: &str, value: &Value) -> String {
    let mut text = String::new();
    for line in comment.lines() {
        text += format!("# {line}").trim_end();
        text.push('\n');
    }
    block(value, 0, &mut text);
    text
}

/// A value on lines of its own.
fn block(value: &Value, indent: usize, text: &mut String) {
    match value {
        Value::Object(map) => entries(map, indent, text),
        Value::Array(list) => {
            for one in list {
                *text += &" ".repeat(indent);
                text.push('-');
                item(one, indent, text);
            }
        }
        scalar => line(indent, &plain(scalar), text),
    }
}

fn entries(map: &Map<String, Value>, indent: usize, text: &mut String) {
    for (key, value) in map {
        *text += &" ".repeat(indent);
        *text += &word(key);
        text.push(':');
        after_mark(value, indent, text);
    }
}

/// A list item: a map starts on the line of the dash.
fn item(value: &Value, indent: usize, text: &mut String) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let mut inner = String::new();
            entries(map, indent + 2, &mut inner);
            text.push(' ');
            *text += inner.trim_start();
        }
        other => after_mark(other, indent, text),
    }
}

/// What follows the colon of a key or the dash of an item.
fn after_mark(value: &Value, indent: usize, text: &mut String) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            text.push('\n');
            block(value, indent + 2, text);
        }
        Value::Array(list) if !list.is_empty() => {
            text.push('\n');
            block(value, indent + 2, text);
        }
        Value::String(lines) if is_script(lines) => {
            *text += " |\n";
            for one in lines.lines() {
                line(indent + 2, one, text);
            }
        }
        scalar => writeln!(text, " {}", plain(scalar)).expect("strings can be written to"),
    }
}

/// Can a text be written as a block of lines? It must end with exactly one newline, and not start with a space.
fn is_script(text: &str) -> bool {
    let ends_once = text.ends_with('\n') && !text.ends_with("\n\n");
    let is_printable = |c: char| c == '\n' || !c.is_control();
    ends_once && !text.starts_with([' ', '\n']) && text.chars().all(is_printable)
}

fn line(indent: usize, what: &str, text: &mut String) {
    if !what.is_empty() {
        *text += &" ".repeat(indent);
        *text += what;
    }
    text.push('\n');
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => word(text),
        // Empty lists and maps, numbers and booleans are the same as in JSON.
        other => other.to_string(),
    }
}

/// A text, quoted if it could be taken for anything else.
fn word(text: &str) -> String {
    let is_letter = |c: char| c.is_ascii_alphabetic() || "/~".contains(c);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/~._-".contains(c);
    let is_reserved = [
        "true", "false", "yes", "no", "on", "off", "null", "y", "n", "~",
    ]
    .contains(&text.to_ascii_lowercase().as_str());
    if text.starts_with(is_letter) && text.chars().all(is_plain) && !is_reserved {
        text.to_owned()
    } else {
        Value::from(text).to_string()
    }
}
