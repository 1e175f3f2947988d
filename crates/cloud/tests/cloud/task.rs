//! Task files, and what their scripts do when a shell runs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use cloud::bucket_url::BucketUrl;
use cloud::sky::task::TaskFiles;
use tempfile::TempDir;

use crate::fake_program::write_program;
use crate::launches::launch;

/// The task files of the head and a worker.
pub(crate) fn tasks(program: &Path, study: &Path, store: &str) -> (String, String) {
    let store: BucketUrl = store.parse().expect("a URL");
    let files = TaskFiles {
        launch: &launch("weights"),
        program,
        study,
        store: &store,
        idle: Duration::from_secs(20 * 60),
    };
    (files.head_task(), files.worker_task())
}

fn usual(store: &str) -> (String, String) {
    tasks(
        Path::new("/usr/bin/gamete"),
        Path::new("/home/me/weights.toml"),
        store,
    )
}

#[test]
fn the_head_is_written() {
    insta::assert_snapshot!(usual("s3://bucket/runs").0);
}

#[test]
fn a_worker_is_written() {
    insta::assert_snapshot!(usual("gs://bucket/runs").1);
}

/// The lines of a block `name: |`, as a shell gets them.
fn block(task: &str, name: &str) -> String {
    let mark = format!("{name}: |");
    let lines = task.lines().skip_while(|line| *line != mark).skip(1);
    let lines = lines.take_while(|line| line.is_empty() || line.starts_with("  "));
    lines
        .map(|line| format!("{}\n", line.get(2..).unwrap_or("")))
        .collect()
}

/// A machine whose program records its calls, and then runs a given script.
struct FakeMachine {
    home: TempDir,
}

impl FakeMachine {
    fn new(program: &str) -> Self {
        let home = tempfile::tempdir().expect("a directory");
        let bin = home.path().join("gamete/bin");
        fs::create_dir_all(&bin).expect("a directory");
        let text = format!(
            "#!/bin/sh\necho \"$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY:$AWS_SESSION_TOKEN $*\" >>~/calls\n{program}\n"
        );
        write_program(&bin.join("gamete"), &text);
        Self { home }
    }

    fn keys(&self, text: &str) {
        fs::create_dir(self.home.path().join(".aws")).expect("a directory");
        fs::write(self.home.path().join(".aws/credentials"), text).expect("keys");
    }

    fn run(&self, script: &str, variables: &[(&str, &str)]) -> Output {
        Command::new("sh")
            .args(["-c", script])
            .env_clear()
            .env("PATH", std::env::var_os("PATH").expect("a path"))
            .env("HOME", self.home.path())
            .env("SKYPILOT_NODE_IPS", "10.0.0.7")
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .output()
            .expect("a shell")
    }

    fn calls(&self) -> String {
        fs::read_to_string(self.home.path().join("calls")).unwrap_or_default()
    }
}

/// The job ends like the study, and stops the broker.
#[test]
fn the_head_starts_the_broker_and_then_the_study() {
    let machine = FakeMachine::new("[ \"$1\" != run ] || exit 7");
    let output = machine.run(&block(&usual("s3://bucket/runs").0, "run"), &[]);
    assert_eq!(output.status.code(), Some(7), "{output:?}");
    assert_eq!(
        machine.calls(),
        ":: cluster up --dir pool --listen 10.0.0.7:4222 --announce s3://bucket/runs/pools/gamete-weights-12345678/worker.join\n\
         :: run study.toml --pool pool/coordinator.join --store s3://bucket/runs\n\
         :: cluster down --dir pool\n"
    );
}

#[test]
fn the_head_gives_up_if_the_broker_does_not_start() {
    let machine = FakeMachine::new("echo no room >&2; exit 3");
    let output = machine.run(&block(&usual("s3://bucket/runs").0, "run"), &[]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert_eq!(message, "no room\n");
    assert!(machine.calls().lines().count() == 1, "{}", machine.calls());
}

#[test]
fn a_worker_reads_the_bucket_and_ends_like_the_program() {
    let machine = FakeMachine::new("exit 3");
    let output = machine.run(&block(&usual("gs://bucket/runs").1, "run"), &[]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert_eq!(
        machine.calls(),
        ":: worker --join gs://bucket/runs/pools/gamete-weights-12345678/worker.join --idle 20m\n"
    );
}

#[test]
fn keys_of_the_account_are_found_where_skypilot_puts_them() {
    let file = "[other]\naws_access_key_id = wrong\n\n[default]\naws_access_key_id = AKIA\naws_secret_access_key=s3cr+t/=\nregion = x\n\n[work]\naws_access_key_id = WORK\naws_secret_access_key = w\naws_session_token = t\n";
    let script = block(&usual("s3://bucket/runs").1, "run");
    let check = |file: Option<&str>, variables: &[(&str, &str)], expected: &str| {
        let machine = FakeMachine::new("exit 0");
        file.into_iter().for_each(|text| machine.keys(text));
        let output = machine.run(&script, variables);
        assert!(output.status.success(), "{output:?}");
        let calls = machine.calls();
        assert!(calls.starts_with(&format!("{expected} worker")), "{calls}");
    };
    check(Some(file), &[], "AKIA:s3cr+t/=:");
    check(Some(file), &[("AWS_PROFILE", "work")], "WORK:w:t");
    check(Some(file), &[("AWS_PROFILE", "absent")], "::");
    check(None, &[], "::");
    let set = [("AWS_ACCESS_KEY_ID", "ENV"), ("AWS_SECRET_ACCESS_KEY", "e")];
    check(Some(file), &set, "ENV:e:");
}

/// A binary that passed through a bucket has lost its permissions; a processor that cannot run it is found before the work starts.
#[test]
fn the_program_is_prepared_before_the_work() {
    let machine = FakeMachine::new("exit 0");
    let path: PathBuf = machine.home.path().join("gamete/bin/gamete");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    fs::set_permissions(&path, mode).expect("a mode");
    let (_, worker) = usual("s3://bucket/runs");
    let output = machine.run(&block(&worker, "setup"), &[]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(machine.calls(), ":: --version\n");
}
