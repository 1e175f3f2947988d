//! Every key of every kind with odd values: the reader says what is wrong, or gives a study that can be planned; it never panics.

use std::path::Path;

use lab::study::kind::KINDS;
use lab::study::{Form, Study};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Values at and beyond the bounds of every shape, and of every other type.
const ODD: &[&str] = &[
    "0",
    "1",
    "2",
    "-1",
    "3.5",
    "0.0",
    "-0.0",
    "1e308",
    "5e-324",
    "nan",
    "inf",
    "-inf",
    "1000000",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "true",
    "false",
    "[]",
    "{}",
    "[[]]",
    "[0]",
    "[1]",
    "[-1]",
    "[255]",
    "[256]",
    "[1, 1]",
    "[1, \"a\"]",
    "[1.5]",
    "[{}]",
    "[\"\"]",
    "[\"a\", \"a\"]",
    "[\"1x1\"]",
    "[\"0x0\"]",
    "[\"256x1\", \"99999999999x2\"]",
    "[\"0/1\", \"1/0\"]",
    "[\"4294967295/1\"]",
    "{ a = 1 }",
    "{ a = { b = [] } }",
    "{ population = 0 }",
    "{ population = 1, generations = -1 }",
    "{ algorithm = \"ga\", population = 1 }",
    "{ name = \"2048\", size = \"0x0\" }",
    "{ name = \"tetris\", board = \"16x40\", limit = 0 }",
    "{ name = \"connect\", rows = 1, cols = 1, connect = 1 }",
    "\"\"",
    "\" \"",
    "\"a\"",
    "\"\\u0000\\u001b[2J\"",
    "\"2048\"",
    "\"connect\"",
    "\"random\"",
    "\"minimax(depth=0)\"",
    "\"minimax(depth=18446744073709551616)\"",
    "\"weighted\"",
    "\"perfect\"",
    "\"a(b(c(d(\"",
    "\"0s\"",
    "\"99999999999999999999s\"",
    "\"racing\"",
    "\"racing(first=0)\"",
    "\"nowhere.json\"",
    "1979-05-27",
];

/// A valid study of a kind without this key.
fn base(kind: &str, without: &[&str]) -> Vec<(&'static str, &'static str)> {
    let mut keys = vec![("name", "\"odd\"")];
    keys.extend(match kind {
        "evolve" | "deviation" => vec![("game.name", "\"2048\"")],
        "measure" | "speed" => vec![("game.name", "\"2048\""), ("player", "\"random\"")],
        _ => vec![],
    });
    let is_free = |key: &str| {
        let clashes = |other: &&str| {
            let within = |a: &str, b: &str| a == b || a.starts_with(&format!("{b}."));
            within(key, other) || within(other, key)
        };
        !without.iter().any(clashes)
    };
    keys.retain(|(key, _)| is_free(key));
    keys
}

fn check(kind: &str, odd: &[(&str, &str)]) {
    let names: Vec<&str> = odd.iter().map(|(key, _)| *key).collect();
    let mut text = String::new();
    if !names.contains(&"kind") {
        text += &format!("kind = \"{kind}\"\n");
    }
    for (key, value) in base(kind, &names).iter().chain(odd) {
        text += &format!("{key} = {value}\n");
    }
    for form in [Form::Whole, Form::Short] {
        // A panic shows the study.
        let _shown = Shown(&text);
        let Ok(study) = Study::parse(&text, "study.toml", Path::new("/nowhere"), form) else {
            continue;
        };
        let runs = study.runs();
        assert_eq!(runs.len(), study.repeats as usize * study.settings.len());
        for setting in &study.settings {
            let experiment = &setting.experiment;
            assert!(!experiment.step_name().is_empty());
            let _ = (experiment.steps(), experiment.games(), experiment.title());
            let _ = (experiment.main_metric(), experiment.replication());
        }
    }
}

struct Shown<'a>(&'a str);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the study was:\n{}", self.0);
        }
    }
}

const COMMON: &[&str] = &[
    "name",
    "question",
    "kind",
    "seed",
    "repeats",
    "same-start",
    "vary",
    "compare.metric",
    "compare.better",
    "compare.with",
    "charts",
    "reference.source",
    "reference.conclusion",
    "reference.figures",
    "short",
    "notify.command",
    "notify.webhook",
    "notify.email.to",
];

fn keys(kind: &lab::study::kind::Kind) -> Vec<&'static str> {
    let own = kind.keys.iter().copied().flatten().map(|key| key.path);
    COMMON.iter().copied().chain(own).collect()
}

#[test]
fn no_key_with_an_odd_value_panics_the_reader() {
    for kind in KINDS {
        for key in keys(kind) {
            for value in ODD {
                check(kind.name, &[(key, value)]);
            }
        }
    }
}

#[test]
fn no_keys_with_odd_values_panic_the_reader() {
    let config = Config {
        cases: 2000,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let several = vec((any::<Index>(), select(ODD)), 2..6);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let tried = runner.run(&(select(KINDS), several), |(kind, odd)| {
        let known = keys(&kind);
        let mut chosen: Vec<(&str, &str)> = Vec::new();
        for (index, value) in odd {
            let key = *index.get(&known);
            let is_apart = |other: &str| {
                let within = |a: &str, b: &str| a == b || a.starts_with(&format!("{b}."));
                !within(key, other) && !within(other, key)
            };
            if chosen.iter().all(|(other, _)| is_apart(other)) {
                chosen.push((key, value));
            }
        }
        check(kind.name, &chosen);
        Ok(())
    });
    tried.unwrap_or_else(|failed| panic!("{failed}"));
}

#[test]
fn a_line_of_one_is_a_flaw_and_nothing_else() {
    for kind in ["cost", "optimality"] {
        for value in ["[1]", "[0]", "[1, 3]"] {
            let text = format!("name = \"a\"\nkind = \"{kind}\"\n[check]\nconnect = {value}\n");
            let study = Study::parse(&text, "study.toml", Path::new("."), Form::Whole);
            let flaws = study.expect_err("a flaw").to_string();
            assert!(
                flaws.contains("line 4, check.connect: must be a list of whole numbers from 2"),
                "{flaws}"
            );
        }
    }
}
