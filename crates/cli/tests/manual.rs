//! Every command shown in the README and the manual prints what they show.
//!
//! A binary of its own, since it changes the working directory, which all tests of a binary share.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// A time, as people read it.
const TIME: &str = r"\b\d[\d,]*(\.\d+)? (ns|us|ms|s|min)\b";

/// What differs from run to run and from machine to machine. Documents show it as it once was.
const VARYING: [&str; 4] = [
    TIME,
    r"\b\d+ threads?\b",
    r"\b[\d,]+ games a second\b",
    r#""(seconds|seconds_per_move|games_per_second|threads)": [\d.e-]+"#,
];

/// trycmd's sign for anything within a line.
const ANYTHING: &str = "[..]";

/// The document with outputs in which what varies may be anything.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    let (mut within, mut output) = (false, Vec::new());
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        if within && !is_fence && !line.starts_with("$ ") {
            output.push(line);
            continue;
        }
        masked.push_str(&masked_output(&std::mem::take(&mut output)));
        if is_fence {
            within = line == "```console";
        }
        masked.push_str(line);
        masked.push('\n');
    }
    masked
}

/// What a command prints. A time in a table decides how wide its column is, so there the gaps between columns vary, too.
fn masked_output(lines: &[&str]) -> String {
    let varying = Regex::new(&VARYING.join("|")).expect("a pattern");
    let cell = Regex::new(&format!("  {TIME}$")).expect("a pattern");
    let gap = Regex::new(r"  +(\[\.\.\])?").expect("a pattern");
    let in_table = lines.iter().any(|line| cell.is_match(line));
    let mut text = String::new();
    for line in lines {
        let mut line = varying.replace_all(line, ANYTHING).into_owned();
        if in_table {
            line = gap.replace_all(&line, ANYTHING).into_owned();
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn documents(root: &Path) -> Vec<PathBuf> {
    let manual = fs::read_dir(root.join("docs/manual")).expect("the manual");
    let manual = manual.map(|entry| entry.expect("a file").path());
    manual.chain([root.join("README.md")]).collect()
}

#[test]
fn commands_of_readme_and_manual_work() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().expect("the workspace is there");
    // Some of the commands write files, which do not belong into the workspace.
    let folder = tempfile::tempdir().expect("a folder");
    std::env::set_current_dir(&folder).expect("the folder is there");
    std::os::unix::fs::symlink(root.join("studies"), "studies").expect("the shipped studies");
    let copies = tempfile::tempdir().expect("a folder");
    for document in documents(&root) {
        let text = fs::read_to_string(&document).expect("a document");
        let name = document.file_name().expect("it has a name");
        assert!(
            !text.contains(ANYTHING),
            "{}: people read real outputs, without {ANYTHING}",
            document.display()
        );
        // The manual has a README, too.
        let name = match document.parent() == Some(&root) {
            true => format!("front-{}", name.display()),
            false => name.display().to_string(),
        };
        fs::write(copies.path().join(name), masked(&text)).expect("a copy");
    }
    trycmd::TestCases::new()
        .case(copies.path().join("*.md"))
        .register_bin("gamete", Path::new(env!("CARGO_BIN_EXE_gamete")))
        .run();
}

#[test]
fn only_outputs_are_masked() {
    let text = "in 3 s\n```console\n$ gamete run --for 3 s\n2 games in 1.40 s on 2 threads; 1,428 games a second\n  \"seconds\": 0.25\n```\n";
    let expected =
        "in 3 s\n```console\n$ gamete run --for 3 s\n2 games in [..] on [..]; [..]\n  [..]\n```\n";
    assert_eq!(masked(text), expected);
    let table = "```console\n$ gamete watch\nscore      584\ntotal time  10 us\n```\n";
    let expected = "```console\n$ gamete watch\nscore[..]584\ntotal time[..]\n```\n";
    assert_eq!(masked(table), expected);
}
