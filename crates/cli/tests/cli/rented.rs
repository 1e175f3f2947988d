//! End to end without a cloud: the task files of `gamete cloud up` are run as they are, with a real broker and a real bucket. Every machine is a home
//! directory of its own.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use fixtures::nats::program;
use fixtures::s3::S3Server;
use rustix::process::Signal;
use tempfile::TempDir;

use crate::cloud::Account;
use crate::disturbed::{Files, Place, STUDY_2048, check_same, hears, send, told, wait_until};

/// A rented machine.
struct Machine {
    home: TempDir,
    script: String,
    variables: Vec<(String, String)>,
}

impl Machine {
    /// A machine with the files that a task file mounts, and the broker as if it had been installed.
    fn rented(task: &Path, server: &Path, variables: &[(String, String)]) -> Self {
        let home = tempfile::tempdir().expect("a directory");
        let text = fs::read_to_string(task).expect("a task");
        let place = |name: &str| -> PathBuf { home.path().join(name) };
        for folder in ["gamete/bin", "gamete/server/bin"] {
            fs::create_dir_all(place(folder)).expect("a directory");
        }
        symlink(server, place("gamete/server/bin/nats-server")).expect("a link");
        let mounts = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("~/"));
        for (target, source) in mounts.filter_map(|mount| mount.split_once(": ")) {
            symlink(source, place(target)).expect("a link");
        }
        let lines = text.lines().skip_while(|line| *line != "run: |").skip(1);
        Self {
            script: lines
                .map(|line| format!("{}\n", line.trim_start()))
                .collect(),
            variables: variables.to_vec(),
            home,
        }
    }

    fn start(&self, address: &str) -> Child {
        let mut command = Command::new("sh");
        command
            .args(["-c", &self.script])
            .env("HOME", self.home.path())
            .env("SKYPILOT_NODE_IPS", address)
            .envs(self.variables.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command.spawn().expect("a shell")
    }
}

/// Holds the path of the study file, which differs on a rented machine.
const ORIGIN: &str = "disturbed/study.json";

/// The same files, except for the path of the study file.
fn check_same_work(expected: &Files, runs: &Path, what: &str) {
    fs::remove_file(runs.join(ORIGIN)).expect("where it came from");
    check_same(expected, runs, what);
}

#[test]
fn a_study_on_rented_machines_gives_the_same_files_as_here() {
    let place = Place::new(STUDY_2048);
    let Some(server) = program() else {
        return;
    };
    let Some(bucket) = S3Server::start() else {
        return;
    };
    let account = Account::new();
    let study = place.path("study.toml");
    let study = study.to_str().expect("a path");
    account.works(&[
        "up",
        study,
        "--workers",
        "2",
        "--store",
        "s3://bucket/runs",
        "--yes",
    ]);
    let variables = bucket.variables(0);
    let rent = |role: &str| {
        let task = account.state("disturbed", &format!("{role}.yaml"));
        Machine::rented(&task, &server, &variables)
    };
    let (head, workers) = (rent("head"), [rent("worker"), rent("worker")]);
    // An address of its own, since the port is the same on every rented machine.
    let address = format!(
        "127.48.{}.{}",
        std::process::id() / 256 % 256,
        std::process::id() % 256
    );
    let mut working = workers.each_ref().map(|worker| worker.start("unused"));
    let ended = head.start(&address).wait_with_output().expect("it ends");
    for worker in &mut working {
        wait_until(worker, |worker| hears(worker, Signal::TERM));
        send(worker, Signal::TERM);
    }
    let left = working
        .each_mut()
        .map(|worker| worker.wait().expect("it ends"));
    assert!(ended.status.success(), "{}", told(&ended));
    assert!(
        left.iter().all(std::process::ExitStatus::success),
        "{left:?}"
    );
    let (mut expected, _) = place.undisturbed();
    expected.remove(ORIGIN).expect("where it came from");
    check_same_work(
        &expected,
        &head.home.path().join("gamete/runs"),
        "on rented machines",
    );
    // The bucket is enough to restore everything.
    let again = place.path("again");
    let mut resume = Command::new(env!("CARGO_BIN_EXE_gamete"));
    resume.args([
        "resume",
        "s3://bucket/runs/disturbed",
        "--quiet",
        "--runs-dir",
    ]);
    let output = resume.arg(&again).envs(variables).output();
    let output = output.expect("gamete runs");
    assert!(output.status.success(), "{}", told(&output));
    check_same_work(&expected, &again, "from the bucket");
}
