//! Nothing that stands in a file is obeyed by a terminal, or looks like lines of our own.

use std::fs;

use crate::gamete::gamete;

const STUDY: &str = r#"
name = "escapes"
question = "\u001b[2Jgone\u009b31m"
kind = "measure"
game.name = "2048"
measure.games = 2
[[vary]]
settings = [{ label = "one\nother/r1 finished \u001b]0;title\u0007", player = "random" }, { label = "two\u202e", player = "random", seed = 3 }]
"#;

#[test]
fn labels_and_questions_are_shown_without_their_control_characters() {
    let place = tempfile::tempdir().expect("a directory");
    let path = |name: &str| place.path().join(name).to_str().expect("a path").to_owned();
    let (study, runs) = (path("study.toml"), path("runs"));
    let text = STUDY.replace(", seed = 3", "");
    fs::write(&study, text).expect("a study");
    let commands: [&[&str]; 8] = [
        &["run", &study],
        &["run", &study, "--log", "json"],
        &["runs"],
        &["runs", "--json"],
        &["show", "escapes"],
        &["show", "escapes/s1-r1"],
        &["show", "escapes", "--json"],
        &["compare", "escapes"],
    ];
    for command in commands {
        let output = gamete(&[command, &["--runs-dir", &runs]].concat());
        let shown = [output.stdout, output.stderr].concat();
        let shown = String::from_utf8(shown).expect("text");
        assert!(output.status.success(), "{command:?}: {shown}");
        let is_command = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!shown.contains(is_command), "{command:?}: {shown:?}");
        assert!(!shown.contains("\nother/r1"), "{command:?}: {shown}");
    }
}
