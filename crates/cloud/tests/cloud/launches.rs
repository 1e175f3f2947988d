//! Launches are recorded, readable by their owner only.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use cloud::launches::{Launch, Launches, Machine};
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
pub(crate) fn launch(study: &str) -> Launch {
    let machines = (
        machine("c5.large", Market::OnDemand),
        machine("c5.4xlarge", Market::Spot),
    );
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(0x1234_5678);
    Launch::new(study, "s3://bucket/runs", machines, 8, now)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("a file").permissions().mode() & 0o777
}

#[test]
fn a_launch_is_recorded_until_it_is_deleted() {
    let folder = tempfile::tempdir().expect("a directory");
    let directory = folder.path().join("gamete/cloud");
    let launches = Launches::new(&directory);
    assert_eq!(launches.all().expect("none"), []);
    for study in ["second", "first"] {
        let tasks = [("head.yaml", "a: 1\n"), ("worker.yaml", "b: 2\n")];
        let paths = launches.save(&launch(study), tasks).expect("saved");
        assert_eq!(fs::read_to_string(&paths[1]).expect("a task"), "b: 2\n");
        assert_eq!(mode(&paths[0]), 0o600);
    }
    assert_eq!(mode(&directory.join("first/launched.json")), 0o600);
    assert_eq!(mode(&directory.join("first")), 0o700);
    assert_eq!(
        launches.all().expect("two"),
        [launch("first"), launch("second")]
    );
    assert_eq!(launches.get("first").expect("one"), launch("first"));
    launches.delete(&launch("first")).expect("deleted");
    assert_eq!(launches.find("first").expect("none"), None);
    assert_eq!(launches.all().expect("one"), [launch("second")]);
}

#[test]
fn a_later_launch_replaces_an_earlier_one() {
    let folder = tempfile::tempdir().expect("a directory");
    let launches = Launches::new(folder.path());
    let mut later = launch("study");
    launches
        .save(&later, [("head.yaml", "long text\n")])
        .expect("saved");
    later.workers = 2;
    let [path] = launches
        .save(&later, [("head.yaml", "text\n")])
        .expect("saved");
    assert_eq!(launches.get("study").expect("one").workers, 2);
    assert_eq!(fs::read_to_string(path).expect("a task"), "text\n");
}

#[test]
fn jobs_have_unique_names() {
    let one = launch("weights");
    assert_eq!(one.head_job(), "gamete-weights-12345678-head");
    assert_eq!(one.worker_job(), "gamete-weights-12345678-worker");
    let long = launch(&format!("{}-and-more", "x".repeat(29)));
    assert_eq!(long.name, format!("gamete-{}-12345678", "x".repeat(29)));
}

#[test]
fn unknown_and_damaged_ones_are_reported() {
    let folder = tempfile::tempdir().expect("a directory");
    let launches = Launches::new(folder.path());
    let error = |study: &str| launches.get(study).expect_err(study).to_string();
    assert!(error("weights").contains("nothing was launched"));
    for study in ["../weights", "/etc", "", "a b", "."] {
        assert!(error(study).contains("no launch of study"), "{study}");
    }
    launches.save(&launch("weights"), []).expect("saved");
    assert!(error("weight").contains("launched: weights"));
    let path = folder.path().join("weights/launched.json");
    let text = fs::read_to_string(&path).expect("a record");
    for (bad, expected) in [
        (
            text.replace("\"version\": 1", "\"version\": 2"),
            "version 2; this program reads version 1",
        ),
        (text[..40].to_owned(), "EOF"),
        (
            text.replace("\"study\"", "\"other\""),
            "missing field `study`",
        ),
    ] {
        assert_ne!(bad, text);
        fs::write(&path, bad).expect("written");
        let message = error("weights");
        assert!(
            message.contains("launched.json is not a launch record"),
            "{message}"
        );
        assert!(message.contains(expected), "{message}");
    }
}
