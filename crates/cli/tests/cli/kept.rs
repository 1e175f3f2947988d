//! Studies kept in an object store: whatever happens to the machine, another one goes on and ends with the same files.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use fixtures::s3::S3Server;
use rustix::process::Signal;
use serde_json::Value;

use crate::disturbed::{Files, Place, STUDY_2048, check_same, copy, files, send, told};

/// Where studies are kept, and the variables by which it is reached.
struct Kept {
    place: String,
    variables: Vec<(String, String)>,
}

impl Kept {
    fn in_directory(place: &Place) -> Self {
        let directory = place.path("kept");
        fs::create_dir(&directory).expect("a directory");
        Self {
            place: directory.to_str().expect("a path").to_owned(),
            variables: Vec::new(),
        }
    }

    fn in_bucket(server: &S3Server) -> Self {
        Self {
            place: "s3://bucket/studies".to_owned(),
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

    /// The command that begins the study and keeps it.
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
        let run = ["run", study, "--store", &self.place];
        self.command(&[&run[..], &often].concat(), runs)
    }

    /// The command that goes on with it, wherever.
    fn resume(&self, runs: &Path) -> Command {
        let often = ["--quiet", "--threads", "2", "--store-every", "20ms"];
        self.command(&[&["resume", &self.place][..], &often].concat(), runs)
    }

    /// The number of the newest snapshot of the study.
    fn snapshot(&self, nowhere: &Path) -> u64 {
        let mut list = self.command(&["runs", &self.place, "--json"], nowhere);
        let output = list.stdout(Stdio::piped()).output().expect("gamete runs");
        assert!(output.status.success(), "{}", told(&output));
        let list: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        list[0]["snapshot"].as_u64().unwrap_or(0)
    }

    /// Starts the study and freezes it when so many snapshots are kept. It stands still whenever they are counted: it cannot be over too soon.
    fn begun(&self, command: &mut Command, snapshots: u64, place: &Place) -> Child {
        let mut child = command.spawn().expect("gamete runs");
        loop {
            send(&child, Signal::STOP);
            if self.snapshot(&place.path("nowhere")) >= snapshots {
                return child;
            }
            send(&child, Signal::CONT);
            std::thread::sleep(Duration::from_millis(20));
            let ended = child.try_wait().expect("a process");
            assert!(
                ended.is_none(),
                "it was over before it was disturbed: {ended:?}"
            );
        }
    }
}

fn succeeded(output: &Output) {
    assert!(output.status.success(), "{}", told(output));
}

/// A study that takes long enough to be killed in the middle.
fn study() -> Place {
    Place::new(&STUDY_2048.replace("games = 60", "games = 400"))
}

/// Killed again and again, with all its files gone each time, as when a rented machine vanishes.
fn check_machines_that_vanish(place: &Place, kept: &Kept) {
    let (expected, _) = place.undisturbed();
    let mut command = kept.run(place, &place.path("machine-0"));
    for machine in 0..3_u64 {
        let before = if machine == 0 {
            0
        } else {
            kept.snapshot(&place.path("nowhere"))
        };
        let mut child = kept.begun(&mut command, before + 3, place);
        child.kill().expect("it can be killed");
        child.wait().expect("it is over");
        fs::remove_dir_all(place.path(&format!("machine-{machine}"))).expect("its files");
        command = kept.resume(&place.path(&format!("machine-{}", machine + 1)));
    }
    let output = command.output().expect("it goes on");
    succeeded(&output);
    assert!(
        told(&output).contains("brought back from snapshot"),
        "{}",
        told(&output)
    );
    check_same(&expected, &place.path("machine-3"), "machines that vanish");
    // And what is kept is what is here.
    let again = place.path("machine-4");
    succeeded(&kept.resume(&again).output().expect("it comes back"));
    check_same(&expected, &again, "what is kept");
}

#[test]
fn a_study_in_a_bucket_outlives_its_machines() {
    let Some(server) = S3Server::start() else {
        return;
    };
    check_machines_that_vanish(&study(), &Kept::in_bucket(&server));
}

#[test]
fn a_study_in_a_directory_outlives_its_machines() {
    let place = study();
    check_machines_that_vanish(&place, &Kept::in_directory(&place));
}

/// The first process is frozen, another one goes on elsewhere, and the first one wakes up.
fn check_race(place: &Place, kept: &Kept) {
    let (expected, _) = place.undisturbed();
    let (one, two) = (place.path("one"), place.path("two"));
    let first = kept.begun(&mut kept.run(place, &one), 1, place);
    succeeded(&kept.resume(&two).output().expect("it goes on"));
    send(&first, Signal::CONT);
    let output = first.wait_with_output().expect("it is over");
    let message = told(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.contains("another process has gone on with"),
        "{message}"
    );
    assert!(
        message.contains("this one stops, and nothing was overwritten"),
        "{message}"
    );
    check_same(&expected, &two, "the second");
    let three = place.path("three");
    succeeded(&kept.resume(&three).output().expect("it comes back"));
    check_same(&expected, &three, "what is kept");
}

#[test]
fn of_two_that_keep_one_study_in_a_bucket_one_stops() {
    let Some(server) = S3Server::start() else {
        return;
    };
    check_race(&study(), &Kept::in_bucket(&server));
}

#[test]
fn of_two_that_keep_one_study_in_a_directory_one_stops() {
    let place = study();
    check_race(&place, &Kept::in_directory(&place));
}

#[test]
fn an_earlier_state_on_this_machine_is_brought_up_to_date() {
    let place = study();
    let kept = Kept::in_directory(&place);
    let (expected, _) = place.undisturbed();
    let (here, elsewhere) = (place.path("here"), place.path("elsewhere"));
    let first = kept.begun(&mut kept.run(&place, &here), 2, &place);
    send(&first, Signal::TERM);
    send(&first, Signal::CONT);
    let output = first.wait_with_output().expect("it is over");
    assert_eq!(output.status.code(), Some(130), "{}", told(&output));
    succeeded(&kept.resume(&elsewhere).output().expect("it goes on"));
    let output = kept
        .run(&place, &here)
        .output()
        .expect("it is brought up to date");
    succeeded(&output);
    assert!(
        told(&output).contains("brought back from snapshot"),
        "{}",
        told(&output)
    );
    check_same(&expected, &here, "brought up to date");
}

#[test]
fn a_study_that_went_on_here_goes_on_here() {
    let place = study();
    let kept = Kept::in_directory(&place);
    let (expected, _) = place.undisturbed();
    let here = place.path("here");
    let mut first = kept.begun(&mut kept.run(&place, &here), 2, &place);
    first.kill().expect("it can be killed");
    first.wait().expect("it is over");
    let output = kept.run(&place, &here).output().expect("it goes on");
    succeeded(&output);
    assert!(!told(&output).contains("brought back"), "{}", told(&output));
    check_same(&expected, &here, "here");
}

/// A refusal: exit code 2, one message, and nothing is changed.
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
fn states_that_went_on_apart_are_told_and_left_alone() {
    let place = Place::new(STUDY_2048);
    let kept = Kept::in_directory(&place);
    let (here, elsewhere) = (place.path("here"), place.path("elsewhere"));
    let mut first = kept.begun(&mut kept.run(&place, &elsewhere), 1, &place);
    first.kill().expect("it can be killed");
    first.wait().expect("it is over");
    copy(&elsewhere, &here);
    for runs in [&here, &elsewhere] {
        // Both go on without the store, and one of them is kept.
        let local = place.command(runs, "0s").output().expect("it runs");
        succeeded(&local);
    }
    succeeded(&kept.run(&place, &elsewhere).output().expect("it is kept"));
    fs::write(here.join("disturbed/s1-r1/games.csv"), "other games").expect("a file");
    let expected = "the study 'disturbed' has gone on in";
    check_refused(&mut kept.run(&place, &here), &here, expected);
    check_refused(
        &mut kept.resume(&here),
        &here,
        "each without the other; move",
    );
}

#[test]
fn what_is_wrong_with_a_bucket_is_told_before_anything_starts() {
    let Some(server) = S3Server::start_guarded() else {
        return;
    };
    let (place, nowhere) = (study(), "http://127.0.0.1:1");
    let runs = place.path("runs");
    let refused = |kept: &Kept, expected: &str| {
        check_refused(&mut kept.run(&place, &runs), &runs, expected);
        check_refused(&mut kept.resume(&runs), &runs, expected);
        assert!(!runs.exists(), "{expected}");
    };
    let mut kept = Kept::in_bucket(&server);
    kept.place = "s3://missing/studies".to_owned();
    refused(&kept, "there is no bucket 'missing'");
    kept.place = "s3:/bucket/studies".to_owned();
    check_refused(
        &mut kept.resume(&runs),
        &runs,
        "there is no study or run 's3:/bucket/studies'",
    );
    kept.place = "http://bucket/studies".to_owned();
    refused(
        &kept,
        "'http://' is not understood; a place is s3://bucket/prefix",
    );
    kept.place = "s3://bucket/studies".to_owned();
    check_refused(
        &mut kept.resume(&runs),
        &runs,
        "no study is kept in s3://bucket/studies",
    );
    kept.variables = server.variables(1);
    check_refused(
        &mut kept.run(&place, &runs),
        &runs,
        "s3://bucket/studies may not be written (AccessDenied",
    );
    kept.variables[2].1 = "wrong".to_owned();
    refused(
        &kept,
        "does not accept the credentials (SignatureDoesNotMatch",
    );
    kept.variables = vec![("AWS_METADATA_ENDPOINT".to_owned(), nowhere.to_owned())];
    refused(
        &kept,
        "no credentials for s3://bucket/studies: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
}

#[test]
fn a_server_that_is_away_is_told_and_not_waited_for() {
    let Some(server) = S3Server::start() else {
        return;
    };
    let place = study();
    let runs = place.path("runs");
    let mut kept = Kept::in_bucket(&server);
    server.signal("STOP");
    check_refused(&mut kept.run(&place, &runs), &runs, "no answer within 10 s");
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", silent.local_addr().expect("an address"));
    kept.variables[0].1.clone_from(&address);
    check_refused(
        &mut kept.resume(&runs),
        &runs,
        &format!("cannot reach s3://bucket/studies at {address}"),
    );
    drop(silent);
    check_refused(&mut kept.run(&place, &runs), &runs, "Connection refused");
    assert!(!runs.exists());
}

#[test]
fn of_several_studies_one_must_be_named() {
    let place = Place::new(
        "name = \"first\"\nkind = \"measure\"\nplayer = \"random\"\ngame.name = \"2048\"\nmeasure.games = 4\n",
    );
    let kept = Kept::in_directory(&place);
    let runs = place.path("runs");
    succeeded(&kept.run(&place, &runs).output().expect("it runs"));
    let study = fs::read_to_string(place.path("study.toml")).expect("a study");
    fs::write(place.path("study.toml"), study.replace("first", "second")).expect("a study");
    succeeded(&kept.run(&place, &runs).output().expect("it runs"));
    let expected = format!(
        "several studies are kept in {0}: first, second; name one, e.g. {0}/first",
        kept.place
    );
    check_refused(&mut kept.resume(&runs), &runs, &expected);
    let place_of_one = format!("{}/second", kept.place);
    let elsewhere = place.path("elsewhere");
    let mut one = kept.command(&["resume", &place_of_one, "--quiet"], &elsewhere);
    succeeded(&one.output().expect("it comes back"));
    assert!(elsewhere.join("second/r1/outcome.json").exists());
    assert!(!elsewhere.join("first").exists());
    let both = ["resume", &place_of_one, "--store", &kept.place];
    check_refused(&mut kept.command(&both, &runs), &runs, "leave --store out");
}

/// One process on this machine works on a study; a second one must not take it over.
#[test]
fn a_second_process_on_this_machine_does_not_disturb_the_first() {
    let place = study();
    let kept = Kept::in_directory(&place);
    let (expected, _) = place.undisturbed();
    let runs = place.path("runs");
    let first = kept.begun(&mut kept.run(&place, &runs), 1, &place);
    let output = kept.run(&place, &runs).output().expect("it is refused");
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(
        told(&output).contains("another process is working on the study"),
        "{}",
        told(&output)
    );
    send(&first, Signal::CONT);
    succeeded(&first.wait_with_output().expect("it is over"));
    check_same(&expected, &runs, "the first");
}
