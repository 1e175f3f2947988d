//! Passwords, certificates, and what each role may do.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cluster::address::{Address, Login, Secret};
use cluster::link::{Link, LinkError, Role};
use cluster::pool::PoolError;
use cluster::server::{GivenCertificate, Plan, Running, down, up};
use cluster::survey::survey;
use fixtures::nats::{free_port, program};
use tokio::runtime::Runtime;

use crate::registry::{self, HANG, Hand, answered, settings, until};
use crate::sums::Sums;

/// A server with passwords and a certificate; stopped with the test.
struct Secured {
    running: Running,
    place: tempfile::TempDir,
}

impl Drop for Secured {
    fn drop(&mut self) {
        down(self.place.path()).expect("it stops");
    }
}

fn plan(place: &Path) -> Option<Plan> {
    Some(Plan {
        directory: place.to_owned(),
        listen: SocketAddr::from(([127, 0, 0, 1], free_port())),
        host: Some("localhost".to_owned()),
        program: Some(program()?),
        secure: true,
        certificate: None,
    })
}

fn secured() -> Option<Secured> {
    let place = tempfile::tempdir().expect("a directory");
    let running = up(&plan(place.path())?).expect("a server");
    Some(Secured { running, place })
}

fn runtime() -> Runtime {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime")
}

fn open(runtime: &Runtime, address: &Address, role: &Role) -> Result<Link, LinkError> {
    answered(
        || runtime.block_on(Link::open(address, role.clone())),
        |error| matches!(error, LinkError::NotReachable { .. }),
    )
}

#[test]
fn a_study_is_done_over_tls_with_passwords() {
    let Some(secured) = secured() else { return };
    assert!(secured.running.worker.url.starts_with("tls://"));
    let worker = secured.running.files[1].display().to_string();
    let _hand = Hand::join(&worker, 2);
    let (settings, _) = settings(0.1);
    let pool = registry::open(&secured.running.coordinator, &settings).expect("a pool");
    let sums = Sums::new(2_000, 100);
    pool.run(&sums, &AtomicBool::new(false)).expect("done");
    sums.check();
    // It listens for two seconds, in which a worker on a busy machine may not be heard.
    until("the worker is seen", || {
        survey(&secured.running.coordinator).is_ok_and(|seen| seen.workers.len() == 1)
    });
}

#[test]
fn files_with_secrets_are_for_their_owner_and_logs_have_none() {
    let Some(secured) = secured() else { return };
    let secrets: Vec<String> = [&secured.running.coordinator, &secured.running.worker]
        .map(|address| {
            address
                .login
                .as_ref()
                .expect("a login")
                .password
                .reveal()
                .to_owned()
        })
        .to_vec();
    for entry in std::fs::read_dir(secured.place.path()).expect("files") {
        let entry = entry.expect("an entry");
        let (name, meta) = (entry.file_name(), entry.metadata().expect("its mode"));
        let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
        let has_secret =
            text.contains("PRIVATE KEY") || secrets.iter().any(|one| text.contains(one));
        if has_secret {
            assert_eq!(meta.permissions().mode() & 0o777, 0o600, "{name:?}");
            assert_ne!(name, "nats.log");
        }
    }
    let shown = format!("{:?}", secured.running);
    assert!(secrets.iter().all(|secret| !shown.contains(secret)));
}

#[test]
fn a_wrong_password_is_told_at_once() {
    let Some(secured) = secured() else { return };
    let address = Address {
        login: Some(Login {
            user: "coordinator".to_owned(),
            password: Secret::new("guess"),
        }),
        ..secured.running.coordinator.clone()
    };
    let refused = open(&runtime(), &address, &Role::Coordinator).expect_err("refused");
    assert!(matches!(refused, LinkError::Refused { .. }), "{refused}");
    let nobody = Address {
        login: None,
        ..secured.running.coordinator.clone()
    };
    let refused = open(&runtime(), &nobody, &Role::Coordinator).expect_err("refused");
    assert!(matches!(refused, LinkError::Refused { .. }), "{refused}");
}

#[test]
fn a_certificate_that_is_missing_or_another_one_is_told_at_once() {
    let Some(secured) = secured() else { return };
    let Some(other) = self::secured() else { return };
    for ca in [
        None,
        other.running.coordinator.ca.clone(),
        Some("nonsense".to_owned()),
    ] {
        let address = Address {
            ca,
            ..secured.running.coordinator.clone()
        };
        let refused = open(&runtime(), &address, &Role::Coordinator).expect_err("refused");
        assert!(matches!(refused, LinkError::Untrusted { .. }), "{refused}");
    }
    let open_address = Address {
        url: secured.running.coordinator.url.replace("tls://", "nats://"),
        ca: None,
        ..secured.running.coordinator.clone()
    };
    // Whoever does not ask for encryption gets it all the same, and must trust the server.
    let refused = open(&runtime(), &open_address, &Role::Coordinator).expect_err("refused");
    assert!(matches!(refused, LinkError::Untrusted { .. }), "{refused}");
}

#[test]
fn certificate_files_that_are_not_there_are_named_before_anything_starts() {
    let place = tempfile::tempdir().expect("a directory");
    let Some(plan) = plan(place.path()) else {
        return;
    };
    let missing = place.path().join("missing.pem");
    let plan = Plan {
        certificate: Some(GivenCertificate {
            certificate: missing.clone(),
            key: missing.clone(),
            authority: None,
        }),
        ..plan
    };
    let error = up(&plan).expect_err("no certificate").to_string();
    assert!(error.contains("missing.pem"), "{error}");
    assert!(!down(place.path()).expect("nothing runs"));
}

#[test]
fn a_worker_cannot_read_forge_or_delete() {
    let Some(secured) = secured() else { return };
    let (settings, _) = settings(0.0);
    let _pool = registry::open(&secured.running.coordinator, &settings).expect("a pool");
    let denied = [
        ("publish", "gamete.tasks.sums.x.0.0"),
        ("publish", "gamete.coordinator.sums"),
        ("publish", "$JS.API.STREAM.DELETE.GAMETE_TASKS"),
        ("publish", "$JS.API.STREAM.PURGE.GAMETE_RESULTS"),
        ("publish", "$JS.API.STREAM.MSG.GET.GAMETE_RESULTS"),
        ("publish", "$JS.API.STREAM.INFO.GAMETE_TASKS"),
        ("publish", "$JS.API.CONSUMER.CREATE.GAMETE_RESULTS"),
        ("publish", "$JS.API.DIRECT.GET.GAMETE_RESULTS"),
        ("subscribe", "gamete.results.>"),
        ("subscribe", "gamete.tasks.>"),
        ("subscribe", "_INBOX.>"),
        ("subscribe", ">"),
    ];
    let runtime = runtime();
    for (act, subject) in denied {
        let role = Role::Worker("w".to_owned());
        let link = open(&runtime, &secured.running.worker, &role).expect("a link");
        let fault = runtime.block_on(async {
            if act == "publish" {
                link.client
                    .publish(subject, "x".into())
                    .await
                    .expect("sent");
            } else {
                // It is dropped at once, but what was asked stands.
                drop(link.client.subscribe(subject).await.expect("asked"));
            }
            link.client.flush().await.expect("flushed");
            let told = async {
                while link.fault().is_none() {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            };
            // A server that allows it says nothing.
            let _ = tokio::time::timeout(HANG, told).await;
            link.fault()
        });
        let is_denied = matches!(fault, Some(LinkError::Denied { .. }));
        assert!(is_denied, "{act} {subject}: {fault:?}");
    }
    // And a worker's file is no coordinator's.
    let (settings, _) = registry::settings(0.0);
    let error = registry::open(&secured.running.worker, &settings).expect_err("denied");
    assert!(
        matches!(error, PoolError::Link(LinkError::Denied { .. })),
        "{error}"
    );
}
