//! What was launched is remembered, and readable by its owner only.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use cloud::launches::{Launched, Launches, Machine};
use cloud::prices::Market;

fn machine(machine_type: &str, market: Market) -> Machine {
    Machine {
        cloud: "aws".to_owned(),
        region: "us-east-1".to_owned(),
        machine_type: machine_type.to_owned(),
        market,
        price: 0.03,
    }
}

/// A launch of a study in a fixed second.
pub(crate) fn launched(study: &str) -> Launched {
    let machines = (
        machine("c5.large", Market::OnDemand),
        machine("c5.4xlarge", Market::Spot),
    );
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(0x1234_5678);
    Launched::new(study, "s3://bucket/runs", machines, 8, now)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path)
        .expect("it is there")
        .permissions()
        .mode()
        & 0o777
}

#[test]
fn a_launch_is_remembered_until_it_is_forgotten() {
    let folder = tempfile::tempdir().expect("a directory");
    let directory = folder.path().join("gamete/cloud");
    let launches = Launches::new(&directory);
    assert_eq!(launches.all().expect("none"), []);
    for study in ["second", "first"] {
        let tasks = [("head.yaml", "a: 1\n"), ("worker.yaml", "b: 2\n")];
        let paths = launches.remember(&launched(study), tasks).expect("kept");
        assert_eq!(fs::read_to_string(&paths[1]).expect("a task"), "b: 2\n");
        assert_eq!(mode(&paths[0]), 0o600);
    }
    assert_eq!(mode(&directory.join("first/launched.json")), 0o600);
    assert_eq!(mode(&directory.join("first")), 0o700);
    assert_eq!(
        launches.all().expect("two"),
        [launched("first"), launched("second")]
    );
    assert_eq!(launches.get("first").expect("one"), launched("first"));
    launches.forget(&launched("first")).expect("forgotten");
    assert_eq!(launches.find("first").expect("none"), None);
    assert_eq!(launches.all().expect("one"), [launched("second")]);
}

#[test]
fn a_later_launch_takes_the_place_of_an_earlier_one() {
    let folder = tempfile::tempdir().expect("a directory");
    let launches = Launches::new(folder.path());
    let mut later = launched("study");
    launches
        .remember(&later, [("head.yaml", "long text\n")])
        .expect("kept");
    later.workers = 2;
    let [path] = launches
        .remember(&later, [("head.yaml", "text\n")])
        .expect("kept");
    assert_eq!(launches.get("study").expect("one").workers, 2);
    assert_eq!(fs::read_to_string(path).expect("a task"), "text\n");
}

#[test]
fn jobs_are_known_by_names_that_nobody_else_has() {
    let one = launched("weights");
    assert_eq!(one.head_job(), "gamete-weights-12345678-head");
    assert_eq!(one.worker_job(), "gamete-weights-12345678-worker");
    let long = launched(&format!("{}-and-more", "x".repeat(29)));
    assert_eq!(long.name, format!("gamete-{}-12345678", "x".repeat(29)));
}

#[test]
fn unknown_and_damaged_ones_are_told() {
    let folder = tempfile::tempdir().expect("a directory");
    let launches = Launches::new(folder.path());
    let told = |study: &str| launches.get(study).expect_err(study).to_string();
    assert!(told("weights").contains("nothing was launched at all"));
    for study in ["../weights", "/etc", "", "a b", "."] {
        assert!(
            told(study).contains("nothing was launched for a study"),
            "{study}"
        );
    }
    launches.remember(&launched("weights"), []).expect("kept");
    assert!(told("weight").contains("there are weights"));
    let path = folder.path().join("weights/launched.json");
    let text = fs::read_to_string(&path).expect("a record");
    for (bad, expected) in [
        (
            text.replace("\"version\": 1", "\"version\": 2"),
            "version 2, this program knows version 1",
        ),
        (text[..40].to_owned(), "EOF"),
        (
            text.replace("\"study\"", "\"other\""),
            "missing field `study`",
        ),
    ] {
        assert_ne!(bad, text);
        fs::write(&path, bad).expect("written");
        let told = told("weights");
        assert!(
            told.contains("launched.json is no record of a launch"),
            "{told}"
        );
        assert!(told.contains(expected), "{told}");
    }
}
