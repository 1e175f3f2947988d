//! Passwords, certificates, and what each role may do.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cluster::address::{Address, Login, Secret};
use cluster::identity::{Identity, UserKey};
use cluster::link::{Link, LinkError, Role};
use cluster::pool::PoolError;
use cluster::server::{GivenCertificate, Plan, Running, down, up};
use cluster::survey::survey;
use cluster::wire::{PRESENCE, orders_to, sent_by};
use fixtures::nats::{free_port, program};
use rustix::process::Signal;
use tokio::runtime::Runtime;

use crate::registry::{self, HANG, Hand, answered, settings, until};
use crate::sums::Sums;

/// A server with passwords and a certificate; stopped with the test.
pub(crate) struct Secured {
    pub(crate) running: Running,
    plan: Plan,
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

pub(crate) fn secured() -> Option<Secured> {
    let place = tempfile::tempdir().expect("a directory");
    let plan = plan(place.path())?;
    let running = up(&plan).expect("a server");
    Some(Secured {
        running,
        plan,
        place,
    })
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
        .map(|address| match &address.login {
            Some(Login::User(user)) => user.seed.reveal().to_owned(),
            Some(Login::Worker(issuer)) => issuer.issuer.reveal().to_owned(),
            other => panic!("{other:?}"),
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
fn a_wrong_login_is_told_at_once() {
    let Some(secured) = secured() else { return };
    let address = Address {
        login: Some(Login::Password {
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

/// What the server says to a worker that publishes to a subject, or subscribes to it.
fn denial(runtime: &Runtime, address: &Address, act: &str, subject: &str) -> Option<LinkError> {
    let role = Role::Worker(Identity::new());
    let link = open(runtime, address, &role).expect("a link");
    runtime.block_on(async {
        if act == "publish" {
            let sent = link.client.publish(subject.to_owned(), "x".into()).await;
            sent.expect("sent");
        } else {
            // It is dropped at once, but what was asked stands.
            let asked = link.client.subscribe(subject.to_owned()).await;
            drop(asked.expect("asked"));
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
    })
}

#[test]
fn a_worker_can_neither_read_nor_answer_for_others() {
    let Some(secured) = secured() else { return };
    let (settings, _) = settings(0.0);
    let _pool = registry::open(&secured.running.coordinator, &settings).expect("a pool");
    let other = Identity::new().name();
    let denied = [
        ("publish", orders_to(&other)),
        ("publish", sent_by(&other, PRESENCE)),
        ("publish", sent_by(&other, "0123456789abcdef")),
        ("publish", "gamete.coordinator.sums".to_owned()),
        ("publish", "gamete.who".to_owned()),
        ("publish", "$JS.API.STREAM.CREATE.ANY".to_owned()),
        ("publish", "$SYS.REQ.SERVER.PING".to_owned()),
        ("subscribe", orders_to(&other)),
        ("subscribe", orders_to("*")),
        ("subscribe", sent_by("*", PRESENCE)),
        ("subscribe", sent_by(&other, "*")),
        ("subscribe", "gamete.>".to_owned()),
        ("subscribe", "_INBOX.>".to_owned()),
        ("subscribe", ">".to_owned()),
    ];
    let runtime = runtime();
    for (act, subject) in denied {
        let fault = denial(&runtime, &secured.running.worker, act, &subject);
        let is_denied = matches!(fault, Some(LinkError::Denied { .. }));
        assert!(is_denied, "{act} {subject}: {fault:?}");
    }
    // And a worker's file is no coordinator's.
    let error = registry::open(&secured.running.worker, &settings).expect_err("denied");
    assert!(
        matches!(error, PoolError::Link(LinkError::Denied { .. })),
        "{error}"
    );
}

#[test]
fn the_key_of_workers_signs_nothing_but_workers() {
    let Some(secured) = secured() else { return };
    let Some(Login::Worker(issuer)) = &secured.running.worker.login else {
        panic!("a worker's login")
    };
    let signer = Identity::of_seed(&issuer.issuer).expect("a key");
    let user = Identity::new();
    let part = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let limits = [
        serde_json::json!({ "pub": { "allow": [">"] }, "sub": { "allow": [">"] } }),
        serde_json::json!({ "subs": -1, "data": -1, "payload": -1 }),
    ];
    for limits in limits {
        let mut claims = serde_json::json!({
            "type": "user", "version": 2, "issuer_account": issuer.account,
        });
        let wider = limits.as_object().expect("an object").clone();
        claims.as_object_mut().expect("an object").extend(wider);
        let header = part(serde_json::json!({ "typ": "JWT", "alg": "ed25519-nkey" }));
        let body = part(serde_json::json!({
            "iss": signer.name(), "sub": user.name(), "name": "worker", "iat": 0, "nats": claims,
        }));
        let signed = format!("{header}.{body}");
        let signature = URL_SAFE_NO_PAD.encode(signer.sign(signed.as_bytes()).expect("signed"));
        let address = Address {
            login: Some(Login::User(UserKey {
                jwt: format!("{signed}.{signature}"),
                seed: user.seed(),
            })),
            ..secured.running.worker.clone()
        };
        let refused = open(&runtime(), &address, &Role::Coordinator).expect_err("refused");
        assert!(matches!(refused, LinkError::Refused { .. }), "{refused}");
    }
}

#[test]
fn a_server_that_is_started_again_knows_everybody() {
    let Some(mut secured) = secured() else { return };
    let worker = secured.running.files[1].display().to_string();
    let _hand = Hand::join(&worker, 2);
    let (settings, _) = settings(0.0);
    let pool = registry::open(&secured.running.coordinator, &settings).expect("a pool");
    let sums = Sums::new(3_000, 1_000);
    registry::during(&pool, &sums, || {
        until("some results are there", || sums.done() > 200);
        let process = rustix::process::Pid::from_raw(secured.running.process).expect("a process");
        rustix::process::kill_process(process, Signal::KILL).expect("it is killed");
        // It takes a moment to end, and to free its port.
        let mut again = up(&secured.plan);
        until("it starts again", || {
            let is_new = |again: &Running| again.process != secured.running.process;
            let is_there = again.as_ref().is_ok_and(is_new);
            if !is_there {
                again = up(&secured.plan);
            }
            is_there
        });
        let again = again.expect("it runs");
        assert_eq!(again.worker, secured.running.worker);
        secured.running = again;
    });
}
