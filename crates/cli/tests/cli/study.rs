//! `gamete study` and what a study does at its end.

use std::fs;

use games::registry::FAMILIES;

use crate::gamete::{check_refused, gamete, json};

#[test]
fn new_studies_pass_the_check() {
    let folder = tempfile::tempdir().expect("a folder");
    for game in FAMILIES.iter().map(|family| family.name) {
        let text = gamete(&["study", "new", game]).stdout;
        let file = folder.path().join(format!("{game}.toml"));
        fs::write(&file, text).expect("a file");
        let checked = json(&[
            "study",
            "check",
            file.to_str().expect("text"),
            "--short",
            "--json",
        ]);
        assert_eq!(checked["name"], format!("my-{game}-short"));
        assert_eq!(checked["runs"], 2);
        assert!(checked["seconds"].as_f64() > Some(0.0), "{checked}");
    }
    check_refused(&["study", "new", "tetirs"], "did you mean 'tetris'");
}

const STUDY: &str = "\
name = \"quick\"
question = \"Is it quick?\"
repeats = 2
[fitness]
exec = \"while read -r line; do echo 1; done\"
genes = 2
[stop]
generations = 2
[final]
games = 4
[[vary]]
optimizer.algorithm = [\"cma-es\", \"random\"]
[notify]
command = \"echo \\\"$GAMETE_STATE $GAMETE_SUMMARY\\\" > told.txt; exit 7\"
";

#[test]
fn a_checked_study_runs_and_tells() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, runs) = (folder.path().join("quick.toml"), folder.path().join("runs"));
    fs::write(
        &file,
        STUDY.replace(
            "told.txt",
            &folder.path().join("told.txt").display().to_string(),
        ),
    )
    .expect("a file");
    let (file, runs) = (file.to_str().expect("text"), runs.to_str().expect("text"));
    let check = || {
        let output = gamete(&["study", "check", file, "--runs-dir", runs, "--threads", "1"]);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("text")
    };
    let text = check();
    for part in [
        "question    Is it quick?",
        "settings    2, each repeated 2 times: 4 runs",
        "optimizer.algorithm = \"random\"",
        "evaluations 696 at most",
        "on 1 thread\n",
        "runs        none yet; they will be in ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let output = gamete(&["run", file, "--runs-dir", runs, "--quiet"]);
    let warning = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{warning}");
    assert!(
        warning.contains("warning: notification failed: notify.command"),
        "{warning}"
    );
    let told = fs::read_to_string(folder.path().join("told.txt")).expect("it was told");
    assert!(
        told.starts_with(
            "finished quick: 4 of 4 runs finished; best setting cma-es: fitness 1.0000"
        ),
        "{told}"
    );
    assert!(check().contains("4 of 4 are finished"));
    let text = fs::read_to_string(file).expect("text");
    let with = |generations: &str| text.replace("generations = 2", generations);
    fs::write(file, with("generations = 3")).expect("a file");
    assert!(check().contains("0 of 4 are finished"));
    fs::write(file, with("generations = 1")).expect("a file");
    assert!(check().contains("stop.generations was 2 and is 1"));
}

#[test]
fn flaws_are_exit_code_two() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("wrong.toml");
    fs::write(&file, "name = \"a\"\n[game]\nname = \"2048\"\nbord = 1\n").expect("a file");
    check_refused(
        &["study", "check", file.to_str().expect("text")],
        "line 4, game.bord",
    );
    let output = gamete(&["study", "check", "--json", file.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(2));
    let flaws: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(flaws["flaws"][0]["line"], 4);
}
