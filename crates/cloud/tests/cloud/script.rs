//! Job files for existing clusters.

use std::process::Command;
use std::time::Duration;

use cloud::script::{SYSTEMS, System, Workers};

use crate::fake_program::FakeProgram;

pub(crate) fn workers() -> Workers {
    Workers {
        workers: 8,
        cores: 4,
        join: "/shared/gamete/worker.join".to_owned(),
        idle: Duration::from_secs(600),
        time: Duration::from_secs(4 * 3600),
        image: None,
    }
}

/// Workers for this system, with an image if it needs one.
pub(crate) fn workers_for(system: &System) -> Workers {
    let image = (system.name == "kubernetes").then(|| "registry.example/gamete:1".to_owned());
    Workers { image, ..workers() }
}

fn system(name: &str) -> &'static System {
    let found = SYSTEMS.iter().find(|system| system.name == name);
    found.expect("a system")
}

#[test]
fn every_system_has_its_file() {
    for system in SYSTEMS {
        let text = system.script(&workers_for(system)).expect("a file");
        insta::assert_snapshot!(system.name, text);
    }
}

#[test]
fn locations_in_a_bucket_need_no_secret() {
    let image = Some("gamete@sha256:0123".to_owned());
    let join = "s3://bucket/runs/worker.join".to_owned();
    let text = system("kubernetes").script(&Workers {
        image,
        join,
        ..workers()
    });
    let text = text.expect("a file");
    assert!(text.contains("s3://bucket/runs/worker.join"), "{text}");
    assert!(!text.to_lowercase().contains("secret"), "{text}");
}

#[test]
fn every_system_gives_a_worker_time_to_end() {
    // A worker needs up to 20 s to return its unstarted work.
    for (name, mark) in [
        ("slurm", "--signal=B:TERM@"),
        ("kubernetes", "terminationGracePeriodSeconds: "),
        ("hyperqueue", "--kill-after="),
    ] {
        let text = system(name)
            .script(&workers_for(system(name)))
            .expect("a file");
        let after = text
            .split(mark)
            .nth(1)
            .unwrap_or_else(|| panic!("{name}: {text}"));
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        assert!(digits.parse::<u32>().expect("seconds") >= 20, "{name}");
    }
}

/// Any text of the user reaches the worker as one word.
#[test]
fn slurm_starts_the_worker() {
    let gamete = FakeProgram::new("gamete", "");
    let join = "/tmp/it's $(a) \"file\".join".to_owned();
    let text = system("slurm").script(&Workers {
        join: join.clone(),
        ..workers()
    });
    let path = std::env::var("PATH").expect("a path");
    let status = Command::new("sh")
        .args(["-c", &text.expect("a file")])
        .env("PATH", format!("{}:{path}", gamete.folder().display()))
        .status();
    assert!(status.expect("a shell").success());
    let expected = format!("worker --join {join} --cores 4 --idle 600s\n");
    assert_eq!(gamete.calls(), expected);
}

#[test]
fn hyperqueue_submits_the_worker() {
    let hq = FakeProgram::new("hq", "");
    let text = system("hyperqueue").script(&workers()).expect("a file");
    let path = std::env::var("PATH").expect("a path");
    let status = Command::new("sh")
        .args(["-c", &text])
        .env("PATH", format!("{}:{path}", hq.folder().display()))
        .status();
    assert!(status.expect("a shell").success());
    assert_eq!(
        hq.calls(),
        "submit --name gamete-worker --array 1-8 --cpus 4 --time-limit 14400s -- \
         timeout --preserve-status --signal=TERM --kill-after=60s 14280s \
         gamete worker --join /shared/gamete/worker.join --cores 4 --idle 600s\n"
    );
}

#[test]
fn limits_are_checked() {
    const MINUTE: Duration = Duration::from_secs(60);
    type Change = fn(&mut Workers);
    let refused: [(Change, &str); 12] = [
        (|w| w.workers = 0, "--workers is 0; expected 1 to 10000"),
        (
            |w| w.workers = 10_001,
            "--workers is 10001; expected 1 to 10000",
        ),
        (|w| w.cores = 0, "--cores is 0; expected 1 to 1024"),
        (|w| w.cores = 1025, "--cores is 1025"),
        (
            |w| w.time = 4 * MINUTE,
            "--time is 4m; expected 5m to 1year",
        ),
        (|w| w.time = MINUTE * 600_000, "--time is 1year"),
        (
            |w| w.idle = Duration::ZERO,
            "--idle is 0s; expected at least 1s",
        ),
        (|w| w.idle = 240 * MINUTE, "less than --time, 4h"),
        (
            |w| w.join = String::new(),
            "--join is ''; expected nats://host:port",
        ),
        (|w| w.join = "a\nb".to_owned(), "--join is 'a\\nb'"),
        (|w| w.image = Some("-x".to_owned()), "--image is '-x'"),
        (|w| w.image = Some("a b".to_owned()), "--image is 'a b'"),
    ];
    for (change, expected) in refused {
        let mut workers = workers();
        change(&mut workers);
        for system in SYSTEMS {
            let message = system.script(&workers).expect_err(expected).to_string();
            assert!(message.contains(expected), "{message}");
        }
    }
    let least = Workers {
        workers: 1,
        cores: 1,
        idle: Duration::from_secs(1),
        time: 5 * MINUTE,
        ..workers()
    };
    let most = Workers {
        workers: 10_000,
        cores: 1024,
        ..workers()
    };
    for workers in [least, most] {
        system("slurm").script(&workers).expect("within the limits");
    }
}

#[test]
fn images_are_for_containers_only() {
    let message = system("kubernetes")
        .script(&workers())
        .expect_err("no image")
        .to_string();
    assert!(
        message.contains("kubernetes runs containers: --image must name an image"),
        "{message}"
    );
    let with_image = Workers {
        image: Some("gamete".to_owned()),
        ..workers()
    };
    for name in ["slurm", "hyperqueue"] {
        let message = system(name)
            .script(&with_image)
            .expect_err("an image")
            .to_string();
        assert!(
            message.contains("does not run containers: omit --image"),
            "{message}"
        );
    }
}
