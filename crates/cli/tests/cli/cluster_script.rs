//! `gamete cluster script`: job files for clusters that are already there. What is in them is tested with the library.

use crate::gamete::{check_refused, gamete};
use crate::shown::{commands, workspace};

const SLURM: [&str; 7] = [
    "cluster",
    "script",
    "slurm",
    "--workers",
    "2",
    "--join",
    "a.join",
];

#[test]
fn the_file_is_printed_or_written_but_never_over_another() {
    let printed = gamete(&SLURM);
    assert!(printed.status.success(), "{printed:?}");
    let text = String::from_utf8(printed.stdout).expect("text");
    assert!(
        text.starts_with("#!/bin/sh\n") && text.contains("--array=1-2\n"),
        "{text}"
    );
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("workers.sh");
    let file = path.to_str().expect("a path");
    let with_file = [&SLURM[..], &["--output", file]].concat();
    let written = gamete(&with_file);
    assert!(
        written.status.success() && written.stdout.is_empty(),
        "{written:?}"
    );
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), text);
    std::fs::write(&path, "mine").expect("written");
    check_refused(&with_file, "workers.sh exists already; name a new file");
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), "mine");
}

#[test]
fn what_cannot_be_is_refused() {
    let with = |more: &[&str], expected: &str| {
        check_refused(&[&SLURM[..], more].concat(), expected);
    };
    with(&["--cores", "0"], "--cores is 0; expected 1 to 1024");
    with(&["--cores", "many"], "invalid value 'many'");
    with(&["--time", "1m"], "--time is 1m; expected 5m to 1year");
    with(&["--time", "soon"], "invalid value 'soon'");
    with(&["--idle", "5h"], "less than --time, 4h");
    with(
        &["--image", "gamete"],
        "slurm does not run containers: omit --image",
    );
    check_refused(
        &[
            "cluster",
            "script",
            "slurm",
            "--workers",
            "0",
            "--join",
            "a",
        ],
        "--workers is 0; expected 1 to 10000",
    );
    check_refused(
        &[
            "cluster",
            "script",
            "kubernetes",
            "--workers",
            "1",
            "--join",
            "a",
        ],
        "--image must name an image",
    );
    check_refused(
        &["cluster", "script", "pbs", "--workers", "1", "--join", "a"],
        "[possible values: slurm, kubernetes, hyperqueue]",
    );
    check_refused(
        &["cluster", "script", "slurm", "--workers", "1"],
        "--join <WHERE>",
    );
    check_refused(
        &["cluster", "script", "slurm", "--join", "a"],
        "--workers <N>",
    );
}

#[test]
fn commands_of_the_manual_on_job_files_work() {
    let page = workspace().join("docs/manual/job-scripts.md");
    let commands = commands(&std::fs::read_to_string(page).expect("the page"));
    assert_eq!(commands.len(), 3, "{commands:?}");
    let folder = tempfile::tempdir().expect("a directory");
    for command in commands {
        let binary = env!("CARGO_BIN_EXE_gamete");
        let command = command.replacen("gamete", binary, 1);
        let shell = std::process::Command::new("sh")
            .args(["-c", &command])
            .current_dir(&folder)
            .output();
        let output = shell.expect("a shell");
        assert!(output.status.success(), "{command}: {output:?}");
    }
}
