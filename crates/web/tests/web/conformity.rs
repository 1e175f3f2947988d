//! The description of the API against the server, by schemathesis: every answer has a status, a type and a form that are described.

use std::process::Command;

use fixtures::python::environment;

use crate::house::{House, MEETING, QUICK};

/// One version, so that the same seed asks the same questions.
const PACKAGE: &str = "schemathesis==4.32.5";

/// Names that are there, and one that is not.
const KNOWN: &str = r#"
[parameters]
study = ["quick", "meeting", "nothing"]
run = ["s1-r1", "r1", "nothing"]
game = ["2048", "connect", "tetris", "0", "1"]
file = ["report.html", "report.md", "results.csv", "results.json", "study.toml", "champion.json", "games.csv", "best-game.json", "history.csv", "nothing"]
chart = ["progress", "scores", "boxes", "nothing"]
"#;

#[test]
fn the_server_answers_as_described() {
    let Some(programs) = environment("schemathesis", &[PACKAGE]) else {
        return;
    };
    let house = House::open();
    house.run_study(QUICK);
    house.run_study(MEETING);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("schemathesis.toml"), KNOWN).unwrap();
    let output = Command::new(programs.join("schemathesis"))
        .arg("run")
        .arg(format!("http://{}/api/openapi.json", house.address))
        // Streams do not end; studies would go on for longer than the test.
        .args(["--exclude-path", "/api/events"])
        .args(["--exclude-path", "/api/watch"])
        .args(["--exclude-path", "/api/measure"])
        .args(["--exclude-operation-id", "studies_start"])
        .args(["--exclude-path-regex", "^/api/studies/.*/(resume|fork|stop)$"])
        .args(["--phases", "examples,coverage,fuzzing"])
        .args(["--max-examples", "15", "--seed", "1", "--workers", "1"])
        .args(["--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"])
        .args(["--generation-database", "none", "--no-color"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}");
}
