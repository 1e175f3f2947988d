//! Servers that are not there, say nothing, or are others than they should be: one clear message each, and nothing hangs.

use std::net::TcpListener;

use cluster::address::Address;
use cluster::link::LinkError;
use cluster::pool::{Pool, PoolError};
use cluster::worker::{JobHandler, WorkerConfig, WorkerError, work};
use fixtures::nats::free_port;

use crate::registry::{server, settings};
use crate::sums::Hasher;

fn worker_error(url: &str) -> WorkerError {
    let address = Address::read(url).expect("an address");
    let config = WorkerConfig {
        name: "w".to_owned(),
        cores: 1,
        idle: None,
        away: None,
        stop: std::sync::Arc::default(),
        tell: |_| {},
    };
    let handler: std::sync::Arc<dyn JobHandler> = std::sync::Arc::new(Hasher {
        lies_from: None,
        chunks: std::sync::Mutex::new(0),
    });
    work(&address, &config, &handler).expect_err("it cannot work")
}

fn check_not_reachable(url: &str) {
    let address = Address::read(url).expect("an address");
    let error = Pool::open(&address, settings(0.0).0).expect_err("no pool");
    let is_told = matches!(&error, PoolError::Link(LinkError::NotReachable { .. }));
    assert!(is_told, "{error}");
    let error = worker_error(url);
    let is_told = matches!(&error, WorkerError::Link(LinkError::NotReachable { .. }));
    assert!(is_told, "{error}");
    assert!(error.to_string().contains(url), "{error}");
}

#[test]
fn nobody_there_is_told() {
    check_not_reachable(&format!("nats://127.0.0.1:{}", free_port()));
}

#[test]
fn somebody_who_takes_connections_and_says_nothing_is_told() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    check_not_reachable(&format!("nats://127.0.0.1:{port}"));
}

#[test]
fn a_server_that_is_stopped_in_its_tracks_is_told() {
    let Some((nats, _place)) = server() else {
        return;
    };
    nats.freeze();
    check_not_reachable(&nats.url());
}

#[test]
fn texts_that_are_no_address_are_told_without_their_passwords() {
    for text in [
        "",
        "somewhere",
        "http://host:1",
        "nats://",
        "nats://u:hunter2@",
        "nats://u:hunter2@host",
    ] {
        let error = Address::read(text).expect_err("no address").to_string();
        assert!(!error.contains("hunter2"), "{error}");
        assert!(error.contains("tls://"), "{error}");
    }
}
