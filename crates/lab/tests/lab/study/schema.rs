//! The schema takes what the laboratory takes.

use std::path::{Path, PathBuf};

use lab::study::{Form, Study, Template, study_schema, template, templates};
use serde_json::Value;

/// What is wrong with a value, as far as our schema can say it.
fn check(value: &Value, schema: &Value, path: &str, wrong: &mut Vec<String>) {
    if let Some(kinds) = schema.get("type") {
        let kinds = kinds
            .as_array()
            .cloned()
            .unwrap_or_else(|| vec![kinds.clone()]);
        if !kinds.iter().any(|kind| is_a(value, kind.as_str().unwrap())) {
            wrong.push(format!("{path} is not {kinds:?}"));
        }
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        wrong.push(format!("{path} is not one of {allowed:?}"));
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let fits = |choice: &&Value| {
            let mut wrong = Vec::new();
            check(value, choice, path, &mut wrong);
            wrong.is_empty()
        };
        if choices.iter().filter(fits).count() != 1 {
            wrong.push(format!("{path} fits not exactly one"));
        }
    }
    for (key, inner) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(key) {
            Some(property) => check(inner, property, &format!("{path}.{key}"), wrong),
            None if schema["additionalProperties"] == false => {
                wrong.push(format!("{path}.{key} is unknown"));
            }
            None => {}
        }
    }
    for item in value.as_array().into_iter().flatten() {
        check(item, &schema["items"], path, wrong);
    }
}

fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no such type: {other}"),
    }
}

fn flaws(text: &str) -> Vec<String> {
    let study: Value = toml::from_str(text).expect("TOML");
    let mut wrong = Vec::new();
    check(&study, &study_schema(), "", &mut wrong);
    wrong
}

fn shipped(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            shipped(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "toml") {
            found.push(path);
        }
    }
}

#[test]
fn shipped_studies_and_templates_fit_the_schema() {
    let mut files = Vec::new();
    shipped(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies"),
        &mut files,
    );
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(flaws(&text), [""; 0], "{}", file.display());
        // What another study makes is there only after that has run; the short form does without.
        let form = match text.contains("../../runs/") {
            true => Form::Short,
            false => Form::Whole,
        };
        let study = Study::read(&file, form);
        assert!(study.is_ok(), "{}", study.unwrap_err());
    }
    for Template { name, .. } in templates() {
        assert_eq!(flaws(&template(&name).unwrap()), [""; 0], "{name}");
    }
}

#[test]
fn the_schema_knows_what_is_wrong() {
    let expected = |text: &str, part: &str| {
        let flaws = flaws(text).join("\n");
        assert!(flaws.contains(part), "{text}: {flaws}");
    };
    expected("repeets = 1", ".repeets is unknown");
    expected("[game]\nname = \"chess\"", ".game.name is not one of");
    expected("[game]\nghost = 1", ".game.ghost is unknown");
    expected(
        "[optimizer]\npopluation = 1",
        ".optimizer.popluation is unknown",
    );
    expected("[stop]\ngenerations = \"many\"", ".stop.generations is not");
}
