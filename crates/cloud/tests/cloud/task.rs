//! Task files: as they are written, and what their scripts do when they are run by a shell.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use cloud::place::Place;
use cloud::sky::task::Launch;
use tempfile::TempDir;

use crate::launches::launched;
use crate::stand_in::write_program;

/// The task files of a study whose program and study file are these.
pub(crate) fn tasks(program: &Path, study: &Path, store: &str) -> (String, String) {
    let store: Place = store.parse().expect("a place");
    let launch = Launch {
        launched: &launched("weights"),
        program,
        study,
        store: &store,
        idle: Duration::from_secs(20 * 60),
    };
    (launch.head_task(), launch.worker_task())
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

/// The lines of a block `name: |`, as the shell gets them.
fn block(task: &str, name: &str) -> String {
    let mark = format!("{name}: |");
    let lines = task.lines().skip_while(|line| *line != mark).skip(1);
    let lines = lines.take_while(|line| line.is_empty() || line.starts_with("  "));
    lines
        .map(|line| format!("{}\n", line.get(2..).unwrap_or("")))
        .collect()
}

/// A machine whose program writes down its calls, and goes on with this script.
struct Rented {
    home: TempDir,
}

impl Rented {
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

/// The job ends as the study does, and the server with it.
#[test]
fn the_head_starts_the_server_and_then_the_study() {
    let rented = Rented::new("[ \"$1\" != run ] || exit 7");
    let output = rented.run(&block(&usual("s3://bucket/runs").0, "run"), &[]);
    assert_eq!(output.status.code(), Some(7), "{output:?}");
    assert_eq!(
        rented.calls(),
        ":: cluster up --dir pool --listen 10.0.0.7:4222 --announce s3://bucket/runs/pools/gamete-weights-12345678/worker.join\n\
         :: run study.toml --pool pool/coordinator.join --store s3://bucket/runs\n\
         :: cluster down --dir pool\n"
    );
}

#[test]
fn the_head_gives_up_when_the_server_does_not_start() {
    let rented = Rented::new("echo no room >&2; exit 3");
    let output = rented.run(&block(&usual("s3://bucket/runs").0, "run"), &[]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert_eq!(told, "no room\n");
    assert!(rented.calls().lines().count() == 1, "{}", rented.calls());
}

#[test]
fn a_worker_waits_in_the_bucket_and_ends_as_the_program_does() {
    let rented = Rented::new("exit 3");
    let output = rented.run(&block(&usual("gs://bucket/runs").1, "run"), &[]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert_eq!(
        rented.calls(),
        ":: worker --join gs://bucket/runs/pools/gamete-weights-12345678/worker.join --idle 20m\n"
    );
}

#[test]
fn keys_of_the_account_are_found_where_skypilot_puts_them() {
    let file = "[other]\naws_access_key_id = wrong\n\n[default]\naws_access_key_id = AKIA\naws_secret_access_key=s3cr+t/=\nregion = x\n\n[work]\naws_access_key_id = WORK\naws_secret_access_key = w\naws_session_token = t\n";
    let script = block(&usual("s3://bucket/runs").1, "run");
    let check = |file: Option<&str>, variables: &[(&str, &str)], expected: &str| {
        let rented = Rented::new("exit 0");
        file.into_iter().for_each(|text| rented.keys(text));
        let output = rented.run(&script, variables);
        assert!(output.status.success(), "{output:?}");
        let calls = rented.calls();
        assert!(calls.starts_with(&format!("{expected} worker")), "{calls}");
    };
    check(Some(file), &[], "AKIA:s3cr+t/=:");
    check(Some(file), &[("AWS_PROFILE", "work")], "WORK:w:t");
    check(Some(file), &[("AWS_PROFILE", "absent")], "::");
    check(None, &[], "::");
    let set = [("AWS_ACCESS_KEY_ID", "ENV"), ("AWS_SECRET_ACCESS_KEY", "e")];
    check(Some(file), &set, "ENV:e:");
}

/// A binary that went through a bucket has lost its permissions; a processor that cannot run it shows before the work begins.
#[test]
fn the_program_is_made_ready_before_the_work() {
    let rented = Rented::new("exit 0");
    let path: PathBuf = rented.home.path().join("gamete/bin/gamete");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    fs::set_permissions(&path, mode).expect("a mode");
    let (_, worker) = usual("s3://bucket/runs");
    let output = rented.run(&block(&worker, "setup"), &[]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(rented.calls(), ":: --version\n");
}
