//! Studies with a backup in an object store: whatever happens to the machine, another one resumes them and ends with the same files.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use fixtures::s3::S3Server;
use rustix::process::Signal;
use serde_json::Value;

use crate::disturbed::{Files, Place, STUDY_2048, check_same, copy, files, send, told};

/// Where studies are backed up, and the environment variables for it.
struct Backup {
    location: String,
    variables: Vec<(String, String)>,
}

impl Backup {
    fn in_directory(place: &Place) -> Self {
        let directory = place.path("backup");
        fs::create_dir(&directory).expect("a directory");
        Self {
            location: directory.to_str().expect("a path").to_owned(),
            variables: Vec::new(),
        }
    }

    fn in_bucket(server: &S3Server) -> Self {
        Self {
            location: "s3://bucket/studies".to_owned(),
            variables: server.variables(0),
        }
    }

    fn command(&self, arguments: &[&str], runs: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gamete"));
        command.args(arguments).arg("--runs-dir").arg(runs);
        for name in [
            "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_ENDPOINT_URL",
        ] {
            command.env_remove(name);
        }
        command
            .envs(self.variables.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    }

    /// The command that starts the study and backs it up.
    fn run(&self, place: &Place, runs: &Path) -> Command {
        let study = place.path("study.toml");
        let study = study.to_str().expect("a path");
        let often = [
            "--quiet",
            "--threads",
            "2",
            "--save-every",
            "0s",
            "--store-every",
            "20ms",
        ];
        let run = ["run", study, "--store", &self.location];
        self.command(&[&run[..], &often].concat(), runs)
    }

    /// The command that resumes it, anywhere.
    fn resume(&self, runs: &Path) -> Command {
        let often = ["--quiet", "--threads", "2", "--store-every", "20ms"];
        self.command(&[&["resume", &self.location][..], &often].concat(), runs)
    }

    /// The number of the newest snapshot of the study.
    fn snapshot(&self, nowhere: &Path) -> u64 {
        let mut list = self.command(&["runs", &self.location, "--json"], nowhere);
        let output = list.stdout(Stdio::piped()).output().expect("gamete runs");
        assert!(output.status.success(), "{}", told(&output));
        let list: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        list[0]["snapshot"].as_u64().unwrap_or(0)
    }

    /// Starts the study, and suspends it once this many snapshots are stored. It works for as long as the last look for them took, and rests during
    /// the next: so it neither ends while a busy machine looks, nor gets so little time that its requests to the store are given up.
    fn suspended(&self, command: &mut Command, snapshots: u64, place: &Place) -> Child {
        let mut child = command.spawn().expect("gamete runs");
        let mut slice = Duration::from_millis(10);
        loop {
            std::thread::sleep(slice);
            send(&child, Signal::STOP);
            let ended = child.try_wait().expect("a process");
            assert!(ended.is_none(), "it ended undisturbed: {ended:?}");
            let began = Instant::now();
            if self.snapshot(&place.path("nowhere")) >= snapshots {
                return child;
            }
            slice = began.elapsed();
            send(&child, Signal::CONT);
        }
    }
}

fn succeeded(output: &Output) {
    assert!(output.status.success(), "{}", told(output));
}

/// A study that takes long enough to be interrupted.
fn study() -> Place {
    Place::new(&STUDY_2048.replace("games = 60", "games = 400"))
}

/// Machines that vanish in a row.
const MACHINES: u64 = 3;

/// How many studies lose their machines: one, unless `nightly/kills` says how many machines in all.
fn studies_to_disturb() -> u64 {
    let asked = std::env::var("GAMETE_KILLS_WITH_STORE").ok();
    let machines = asked.map_or(1, |text| text.parse().expect("a number of machines"));
    u64::div_ceil(machines, MACHINES)
}

/// Killed three times, with all files lost each time, as when a rented machine vanishes.
fn check_machines_that_vanish(place: &Place, backup: &Backup) {
    let (expected, _) = place.undisturbed();
    let mut command = backup.run(place, &place.path("machine-0"));
    for machine in 0..MACHINES {
        let before = if machine == 0 {
            0
        } else {
            backup.snapshot(&place.path("nowhere"))
        };
        let mut child = backup.suspended(&mut command, before + 3, place);
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        fs::remove_dir_all(place.path(&format!("machine-{machine}"))).expect("its files");
        command = backup.resume(&place.path(&format!("machine-{}", machine + 1)));
    }
    let output = command.output().expect("it is resumed");
    succeeded(&output);
    assert!(
        told(&output).contains("restored from snapshot"),
        "{}",
        told(&output)
    );
    check_same(&expected, &place.path("machine-3"), "machines that vanish");
    // The backup has the same files.
    let again = place.path("machine-4");
    succeeded(&backup.resume(&again).output().expect("it is restored"));
    check_same(&expected, &again, "the backup");
}

#[test]
fn a_study_in_a_bucket_outlives_its_machines() {
    let Some(server) = S3Server::start() else {
        return;
    };
    check_machines_that_vanish(&study(), &Backup::in_bucket(&server));
}

#[test]
fn a_study_in_a_directory_outlives_its_machines() {
    for _ in 0..studies_to_disturb() {
        let place = study();
        check_machines_that_vanish(&place, &Backup::in_directory(&place));
    }
    println!("{} machines lost", studies_to_disturb() * MACHINES);
}

/// The first process is suspended, another one resumes the study elsewhere, and the first one wakes up.
fn check_race(place: &Place, backup: &Backup) {
    let (expected, _) = place.undisturbed();
    let (one, two) = (place.path("one"), place.path("two"));
    let first = backup.suspended(&mut backup.run(place, &one), 1, place);
    succeeded(&backup.resume(&two).output().expect("it is resumed"));
    send(&first, Signal::CONT);
    let output = first.wait_with_output().expect("it ends");
    let message = told(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.contains("another process has taken over"),
        "{message}"
    );
    assert!(
        message.contains("this one stops, and nothing was overwritten"),
        "{message}"
    );
    check_same(&expected, &two, "the second");
    let three = place.path("three");
    succeeded(&backup.resume(&three).output().expect("it is restored"));
    check_same(&expected, &three, "the backup");
}

#[test]
fn of_two_processes_with_one_bucket_one_stops() {
    let Some(server) = S3Server::start() else {
        return;
    };
    check_race(&study(), &Backup::in_bucket(&server));
}

#[test]
fn of_two_processes_with_one_directory_one_stops() {
    let place = study();
    check_race(&place, &Backup::in_directory(&place));
}

#[test]
fn an_earlier_state_on_this_machine_is_brought_up_to_date() {
    let place = study();
    let backup = Backup::in_directory(&place);
    let (expected, _) = place.undisturbed();
    let (here, elsewhere) = (place.path("here"), place.path("elsewhere"));
    let first = backup.suspended(&mut backup.run(&place, &here), 2, &place);
    send(&first, Signal::TERM);
    send(&first, Signal::CONT);
    let output = first.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", told(&output));
    succeeded(&backup.resume(&elsewhere).output().expect("it is resumed"));
    let output = backup
        .run(&place, &here)
        .output()
        .expect("it is brought up to date");
    succeeded(&output);
    assert!(
        told(&output).contains("restored from snapshot"),
        "{}",
        told(&output)
    );
    check_same(&expected, &here, "brought up to date");
}

#[test]
fn a_study_that_is_newer_here_continues_here() {
    let place = study();
    let backup = Backup::in_directory(&place);
    let (expected, _) = place.undisturbed();
    let here = place.path("here");
    let mut first = backup.suspended(&mut backup.run(&place, &here), 2, &place);
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
    let output = backup.run(&place, &here).output().expect("it is resumed");
    succeeded(&output);
    assert!(!told(&output).contains("restored"), "{}", told(&output));
    check_same(&expected, &here, "here");
}

/// Exit code 2, one message, and nothing is changed.
fn check_refused(command: &mut Command, runs: &Path, expected: &str) {
    let before = if runs.exists() {
        files(runs)
    } else {
        Files::new()
    };
    let output = command.output().expect("gamete runs");
    let message = told(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains(expected), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    let after = if runs.exists() {
        files(runs)
    } else {
        Files::new()
    };
    assert!(before == after, "{expected}");
}

#[test]
fn diverged_states_are_reported_and_left_alone() {
    let place = Place::new(STUDY_2048);
    let backup = Backup::in_directory(&place);
    let (here, elsewhere) = (place.path("here"), place.path("elsewhere"));
    let mut first = backup.suspended(&mut backup.run(&place, &elsewhere), 1, &place);
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
    copy(&elsewhere, &here);
    for runs in [&here, &elsewhere] {
        // Both continue without the store; then one of them is backed up.
        let local = place.command(runs, "0s").output().expect("it runs");
        succeeded(&local);
    }
    succeeded(
        &backup
            .run(&place, &elsewhere)
            .output()
            .expect("it is backed up"),
    );
    fs::write(here.join("disturbed/s1-r1/games.csv"), "other games").expect("a file");
    let expected = "the study 'disturbed' has diverged:";
    check_refused(&mut backup.run(&place, &here), &here, expected);
    check_refused(
        &mut backup.resume(&here),
        &here,
        "each have work that the other lacks; move",
    );
}

#[test]
fn problems_with_a_bucket_are_reported_before_anything_starts() {
    let Some(server) = S3Server::start_guarded() else {
        return;
    };
    let (place, nowhere) = (study(), "http://127.0.0.1:1");
    let runs = place.path("runs");
    let refused = |backup: &Backup, expected: &str| {
        check_refused(&mut backup.run(&place, &runs), &runs, expected);
        check_refused(&mut backup.resume(&runs), &runs, expected);
        assert!(!runs.exists(), "{expected}");
    };
    let mut backup = Backup::in_bucket(&server);
    backup.location = "s3://missing/studies".to_owned();
    refused(
        &backup,
        "the bucket 'missing' of s3://missing/studies does not exist",
    );
    backup.location = "s3:/bucket/studies".to_owned();
    check_refused(
        &mut backup.resume(&runs),
        &runs,
        "there is no study or run 's3:/bucket/studies'",
    );
    backup.location = "http://bucket/studies".to_owned();
    refused(
        &backup,
        "unknown scheme 'http://'; expected s3://bucket/prefix",
    );
    backup.location = "s3://bucket/studies".to_owned();
    check_refused(
        &mut backup.resume(&runs),
        &runs,
        "there is no study in s3://bucket/studies",
    );
    backup.variables = server.variables(1);
    check_refused(
        &mut backup.run(&place, &runs),
        &runs,
        "no permission to write s3://bucket/studies (AccessDenied",
    );
    backup.variables[2].1 = "wrong".to_owned();
    refused(&backup, "rejected the credentials (SignatureDoesNotMatch");
    backup.variables = vec![("AWS_METADATA_ENDPOINT".to_owned(), nowhere.to_owned())];
    refused(
        &backup,
        "no credentials for s3://bucket/studies: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
}

#[test]
fn a_server_that_does_not_answer_is_reported() {
    let Some(server) = S3Server::start() else {
        return;
    };
    let place = study();
    let runs = place.path("runs");
    let mut backup = Backup::in_bucket(&server);
    server.signal("STOP");
    check_refused(
        &mut backup.run(&place, &runs),
        &runs,
        "no answer within 10 s",
    );
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", silent.local_addr().expect("an address"));
    backup.variables[0].1.clone_from(&address);
    check_refused(
        &mut backup.resume(&runs),
        &runs,
        &format!("cannot reach s3://bucket/studies at {address}"),
    );
    drop(silent);
    check_refused(&mut backup.run(&place, &runs), &runs, "Connection refused");
    assert!(!runs.exists());
}

#[test]
fn of_several_studies_one_must_be_named() {
    let place = Place::new(
        "name = \"first\"\nkind = \"measure\"\nplayer = \"random\"\ngame.name = \"2048\"\nmeasure.games = 4\n",
    );
    let backup = Backup::in_directory(&place);
    let runs = place.path("runs");
    succeeded(&backup.run(&place, &runs).output().expect("it runs"));
    let study = fs::read_to_string(place.path("study.toml")).expect("a study");
    fs::write(place.path("study.toml"), study.replace("first", "second")).expect("a study");
    succeeded(&backup.run(&place, &runs).output().expect("it runs"));
    let expected = format!(
        "there are several studies in {0}: first, second; name one, e.g. {0}/first",
        backup.location
    );
    check_refused(&mut backup.resume(&runs), &runs, &expected);
    let one_study = format!("{}/second", backup.location);
    let elsewhere = place.path("elsewhere");
    let mut one = backup.command(&["resume", &one_study, "--quiet"], &elsewhere);
    succeeded(&one.output().expect("it is restored"));
    assert!(elsewhere.join("second/r1/outcome.json").exists());
    assert!(!elsewhere.join("first").exists());
    let both = ["resume", &one_study, "--store", &backup.location];
    check_refused(
        &mut backup.command(&both, &runs),
        &runs,
        "leave --store out",
    );
}

/// A second process on the same machine must not take over the study.
#[test]
fn a_second_process_on_this_machine_does_not_disturb_the_first() {
    let place = study();
    let backup = Backup::in_directory(&place);
    let (expected, _) = place.undisturbed();
    let runs = place.path("runs");
    let first = backup.suspended(&mut backup.run(&place, &runs), 1, &place);
    let output = backup.run(&place, &runs).output().expect("it is refused");
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(
        told(&output).contains("another process is working on the study"),
        "{}",
        told(&output)
    );
    send(&first, Signal::CONT);
    succeeded(&first.wait_with_output().expect("it ends"));
    check_same(&expected, &runs, "the first");
}
