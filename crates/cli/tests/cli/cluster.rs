//! Studies on workers in other processes: the same files as without, bit for bit.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use fixtures::nats::{Nats, free_port, program};
use rustix::process::Signal;
use serde_json::Value;

use crate::disturbed::{
    HANG, Place, STUDY_2048, STUDY_TETRIS, check_same, ended, send, told, wait_until,
};
use crate::gamete::{check_refused, gamete};
use crate::shown::commands;

/// A server of the test's own; none if it cannot be installed.
pub(crate) fn server(place: &Place) -> Option<Nats> {
    let directory = place.path("server");
    std::fs::create_dir(&directory).expect("a directory");
    Some(Nats::start(&program()?, &directory))
}

/// A worker process; it ends with the test.
pub(crate) struct Hand(pub(crate) Child);

impl Hand {
    pub(crate) fn join(server: &str, more: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gamete"));
        command
            .args(["worker", "--join", server, "--cores", "1"])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        Self(command.spawn().expect("a worker"))
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn on_pool(place: &Place, runs: &Path, server: &str) -> Command {
    let mut command = place.command(runs, "0s");
    command.args(["--pool", server, "--patience", "2s"]);
    command
}

#[test]
fn workers_give_the_same_files_as_this_machine_alone() {
    for study in [STUDY_2048, STUDY_TETRIS] {
        let place = Place::new(study);
        let Some(nats) = server(&place) else { return };
        let _hands = ["one", "two"].map(|name| Hand::join(&nats.url(), &["--name", name]));
        let (expected, _) = place.undisturbed();
        let runs = place.path("pool");
        let output = on_pool(&place, &runs, &nats.url())
            .output()
            .expect("it runs");
        assert!(output.status.success(), "{}", told(&output));
        check_same(&expected, &runs, "on a pool");
    }
}

#[test]
fn a_worker_that_is_told_to_leave_gives_back_what_it_has_and_leaves() {
    let place = Place::new(STUDY_2048);
    let Some(nats) = server(&place) else { return };
    let (expected, _) = place.undisturbed();
    let mut first = Hand::join(&nats.url(), &[]);
    let runs = place.path("pool");
    let running = on_pool(&place, &runs, &nats.url()).spawn();
    let mut running = running.expect("it runs");
    // By then it has played, since nobody else is there to do it.
    let played = runs.join("disturbed/s1-r1/checkpoint");
    let has_played = wait_until(&mut running, |_| played.exists());
    assert!(has_played, "it is over too soon");
    // There is more to do, and nobody else: it leaves all the same.
    send(&first.0, Signal::TERM);
    assert!(ended(&mut first.0).success());
    let _second = Hand::join(&nats.url(), &[]);
    assert!(ended(&mut running).success());
    check_same(&expected, &runs, "after a worker left");
}

#[test]
fn a_worker_without_work_leaves_when_it_should() {
    let place = Place::new(STUDY_2048);
    let Some(nats) = server(&place) else { return };
    let output = gamete(&["worker", "--join", &nats.url(), "--idle", "300ms"]);
    assert!(output.status.success(), "{}", told(&output));
    assert!(told(&output).contains("nothing to do"), "{}", told(&output));
}

/// Looks until this is seen: workers are listened to for two seconds, in which one on a busy machine may not be heard.
fn seen(arguments: &[&str], expected: &str) -> String {
    let began = Instant::now();
    loop {
        let text = String::from_utf8(gamete(arguments).stdout).expect("text");
        if text.contains(expected) {
            return text;
        }
        assert!(began.elapsed() < HANG, "{text}");
    }
}

#[test]
fn a_server_is_started_looked_at_and_stopped() {
    let place = Place::new(STUDY_2048);
    let Some(program) = program() else {
        return;
    };
    let (directory, port) = (place.path("cluster").display().to_string(), free_port());
    let program = program.display().to_string();
    let listen = format!("127.0.0.1:{port}");
    let up = [
        "cluster", "up", "--dir", &directory, "--listen", &listen, "--server", &program,
    ];
    for expected in ["is started", "runs already"] {
        let output = gamete(&up);
        assert!(output.status.success(), "{}", told(&output));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains(expected), "{text}");
        assert!(
            text.contains(&format!("gamete worker --join nats://{listen}")),
            "{text}"
        );
    }
    let url = format!("nats://{listen}");
    let _hand = Hand::join(&url, &["--name", "the \"first\""]);
    let status = ["cluster", "status", "--dir", &directory];
    let seen = seen(&[&status[..], &["--json"]].concat(), "\"jobs\"");
    let seen: Value = serde_json::from_str(&seen).expect("JSON");
    assert_eq!(seen["workers"][0]["name"], "the \"first\"");
    assert_eq!(seen["cores"], 1);
    self::seen(&status, "1 workers with 1 cores");
    let metrics = [&status[..], &["--prometheus"]].concat();
    let metrics = self::seen(&metrics, "\ngamete_workers 1\n");
    assert!(
        metrics.contains(r#"gamete_worker_cores{worker="the \"first\"","#),
        "{metrics}"
    );
    for expected in ["The server is stopped.", "No server was running."] {
        let output = gamete(&["cluster", "down", "--dir", &directory]);
        assert!(String::from_utf8_lossy(&output.stdout).contains(expected));
    }
    check_refused(&status, "no server answers");
}

/// Machines that start by themselves find the server by what it leaves for them.
#[test]
fn workers_wait_for_the_announcement_of_a_server() {
    let place = Place::new(STUDY_2048);
    let Some(program) = program() else {
        return;
    };
    let announced = format!("file://{}", place.path("store/worker.join").display());
    let idle = gamete(&["worker", "--join", &announced, "--idle", "100ms"]);
    assert!(idle.status.success(), "{}", told(&idle));
    let _hand = Hand::join(&announced, &[]);
    let (directory, listen) = (place.path("cluster"), format!("127.0.0.1:{}", free_port()));
    let directory = directory.to_str().expect("a path");
    let output = Command::new(env!("CARGO_BIN_EXE_gamete"))
        .args(["cluster", "up", "--dir", directory, "--listen", &listen])
        .args(["--secure", "--host", "localhost", "--announce", &announced])
        .env("GAMETE_NATS_SERVER", program)
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", told(&output));
    let (expected, _) = place.undisturbed();
    let (runs, join) = (place.path("pool"), format!("{directory}/coordinator.join"));
    let output = on_pool(&place, &runs, &join).output().expect("it runs");
    let stopped = gamete(&["cluster", "down", "--dir", directory]);
    assert!(stopped.status.success(), "{}", told(&stopped));
    assert!(output.status.success(), "{}", told(&output));
    check_same(&expected, &runs, "with a worker that waited");
}

#[test]
fn what_cannot_be_used_is_told_before_the_study_starts() {
    let place = Place::new(STUDY_2048);
    let runs = place.path("runs");
    let port = free_port();
    let url = format!("nats://127.0.0.1:{port}");
    let arguments = place.arguments(&runs);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let with = |more: &[&'static str]| [&arguments[..], more].concat();
    let refused = |pool: &str, expected: &str| {
        check_refused(&[&arguments[..], &["--pool", pool]].concat(), expected);
    };
    refused(&url, "no server answers at");
    refused("somewhere", "is not a server");
    refused("http://127.0.0.1", "is not a server");
    refused("nats://me:secret@example.org", "unprotected");
    check_refused(&with(&["--patience", "0s"]), "1s to 1h");
    check_refused(&with(&["--recheck", "2"]), "a number from 0 to 1");
    check_refused(
        &with(&["--verify", "most"]),
        "'all', or a number from 0 to 1",
    );
    check_refused(&["worker"], "--join");
    check_refused(&["worker", "--join", &url], "no server answers at");
    check_refused(&["worker", "--join", "missing.join"], "is not a server");
    check_refused(&["cluster", "up", "--listen", "nowhere"], "an address like");
    let nothing = place.path("empty").display().to_string();
    let up = ["cluster", "up", "--dir", &nothing];
    check_refused(
        &[&up[..], &["--server", "/bin/true"]].concat(),
        "is not a usable nats-server",
    );
    check_refused(&[&up[..], &["--cert", "a.pem"]].concat(), "--key");
    check_refused(
        &["cluster", "status", "--dir", &nothing],
        "gamete cluster up",
    );
    assert!(!runs.exists(), "nothing was begun");
    let join = place.path("bad.join");
    std::fs::write(&join, "{}").expect("a file");
    check_refused(
        &["worker", "--join", join.to_str().expect("a path")],
        "is not a join file",
    );
}

/// The manual's commands, in its order, on a port of the test's own. Workers go on in the background.
#[test]
fn commands_of_the_manual_on_more_machines_work() {
    let place = Place::new(STUDY_2048);
    let Some(program) = program() else {
        return;
    };
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual/cluster.md");
    let text = std::fs::read_to_string(manual).expect("the page");
    let studies = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies");
    std::os::unix::fs::symlink(studies, place.path("studies")).expect("a link");
    let (port, mut workers) = (free_port().to_string(), Vec::new());
    for command in commands(&text) {
        let here = command
            .replace("0.0.0.0", &format!("127.0.0.1:{port} --secure"))
            .replace("lab7.example.org", "localhost")
            .replace(
                "cluster up --dir",
                &format!("cluster up --listen 127.0.0.1:{port} --dir"),
            )
            .replace("4222", &port);
        let here = match here.as_str() {
            "gamete cluster up" => format!("gamete cluster up --listen 127.0.0.1:{port}"),
            run if run.starts_with("gamete run") => format!("{run} --short --quiet"),
            other => other.to_owned(),
        };
        let mut shell = Command::new(env!("CARGO_BIN_EXE_gamete"));
        shell
            .args(here.split_whitespace().skip(1))
            .current_dir(place.path(""))
            .env("GAMETE_NATS_SERVER", &program)
            .env("GAMETE_CLUSTER", place.path("state"))
            .stdin(Stdio::null());
        if here.starts_with("gamete worker") {
            shell.stderr(Stdio::null());
            workers.push(Hand(shell.spawn().expect("a worker")));
        } else {
            let output = shell.output().expect("it runs");
            assert!(output.status.success(), "{here}: {}", told(&output));
        }
    }
    assert_eq!(workers.len(), 2, "the manual shows how to join");
}
