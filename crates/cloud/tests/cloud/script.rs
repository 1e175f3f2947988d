//! Job files for clusters that are already there.

use std::process::Command;
use std::time::Duration;

use cloud::script::{SYSTEMS, System, Workers};

use crate::stand_in::StandIn;

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

/// What a system needs beside the others.
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
fn places_in_a_bucket_need_no_secret() {
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
fn every_system_lets_a_worker_end_in_peace() {
    // A worker needs up to 20 s to give back what it has not begun.
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

/// The texts of the user reach the worker as one word each, whatever is in them.
#[test]
fn slurm_starts_the_worker_as_told() {
    let gamete = StandIn::new("gamete", "");
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
fn hyperqueue_submits_the_worker_as_told() {
    let hq = StandIn::new("hq", "");
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
fn limits_are_kept() {
    let minute = Duration::from_secs(60);
    let refused: [(Workers, &str); 12] = [
        (
            Workers {
                workers: 0,
                ..workers()
            },
            "--workers is 0; it must be 1 to 10000",
        ),
        (
            Workers {
                workers: 10_001,
                ..workers()
            },
            "--workers is 10001; it must be 1 to 10000",
        ),
        (
            Workers {
                cores: 0,
                ..workers()
            },
            "--cores is 0; it must be 1 to 1024",
        ),
        (
            Workers {
                cores: 1025,
                ..workers()
            },
            "--cores is 1025",
        ),
        (
            Workers {
                time: 4 * minute,
                ..workers()
            },
            "--time is 4m; it must be 5m to 1year",
        ),
        (
            Workers {
                time: minute * 600_000,
                ..workers()
            },
            "--time is 1year",
        ),
        (
            Workers {
                idle: Duration::ZERO,
                ..workers()
            },
            "--idle is 0s; it must be at least a second",
        ),
        (
            Workers {
                idle: 240 * minute,
                ..workers()
            },
            "less than --time, 4h",
        ),
        (
            Workers {
                join: String::new(),
                ..workers()
            },
            "--join is ''; it must be nats://host:port",
        ),
        (
            Workers {
                join: "a\nb".to_owned(),
                ..workers()
            },
            "--join is 'a\\nb'",
        ),
        (
            Workers {
                image: Some("-x".to_owned()),
                ..workers()
            },
            "--image is '-x'",
        ),
        (
            Workers {
                image: Some("a b".to_owned()),
                ..workers()
            },
            "--image is 'a b'",
        ),
    ];
    for (workers, expected) in refused {
        for system in SYSTEMS {
            let told = system.script(&workers).expect_err(expected).to_string();
            assert!(told.contains(expected), "{told}");
        }
    }
    for workers in [
        Workers {
            workers: 1,
            cores: 1,
            idle: Duration::from_secs(1),
            time: 5 * minute,
            ..workers()
        },
        Workers {
            workers: 10_000,
            cores: 1024,
            ..workers()
        },
    ] {
        system("slurm").script(&workers).expect("within the limits");
    }
}

#[test]
fn images_are_for_containers_only() {
    let told = system("kubernetes")
        .script(&workers())
        .expect_err("no image")
        .to_string();
    assert!(
        told.contains("kubernetes runs containers: --image must name one"),
        "{told}"
    );
    let with_image = Workers {
        image: Some("gamete".to_owned()),
        ..workers()
    };
    for name in ["slurm", "hyperqueue"] {
        let told = system(name)
            .script(&with_image)
            .expect_err("an image")
            .to_string();
        assert!(
            told.contains("runs no containers: leave --image out"),
            "{told}"
        );
    }
}
