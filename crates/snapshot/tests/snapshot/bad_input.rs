//! Problems with a location are reported before anything is stored there: one message each, and nothing hangs.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;

use fixtures::s3::S3Server;
use snapshot::{Environment, Location, SnapshotStore};

use crate::stores::TestStore;

/// Must not be shown.
const SECRET: &str = "geheim-1234";

fn environment(variables: &[(&str, &str)]) -> Environment {
    let variables = variables
        .iter()
        .map(|&(name, value)| (name.to_owned(), value.to_owned()));
    variables.collect()
}

/// Credentials for a server at an address.
fn at(endpoint: &str) -> Environment {
    environment(&[
        ("AWS_ENDPOINT_URL", endpoint),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
    ])
}

fn check(location: &str, environment: &Environment, expected: &str) {
    let location: Location = location.parse().expect("a location");
    let error = SnapshotStore::open(&location, environment).expect_err(expected);
    let message = error.to_string();
    assert!(message.contains(expected), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(
        !format!("{message} {error:?}").contains(SECRET),
        "{message}"
    );
}

#[test]
fn a_missing_bucket_is_named() {
    let Some(server) = S3Server::start() else {
        return;
    };
    let environment = server.variables(0).into_iter().collect();
    check(
        "s3://other/prefix",
        &environment,
        "the bucket 'other' of s3://other/prefix does not exist; create it, or check its name",
    );
}

#[test]
fn wrong_and_weak_credentials_are_reported() {
    let Some(server) = S3Server::start_guarded() else {
        return;
    };
    let with = |id: &str, secret: &str| {
        environment(&[
            ("AWS_ENDPOINT_URL", &server.url),
            ("AWS_ACCESS_KEY_ID", id),
            ("AWS_SECRET_ACCESS_KEY", secret),
        ])
    };
    let [writer, reader] = &server.keys[..] else {
        panic!("two keys")
    };
    let (location, rejected) = ("s3://bucket/prefix", "rejected the credentials");
    check(location, &with("unknown", SECRET), rejected);
    check(location, &with(&writer.id, SECRET), rejected);
    check(
        location,
        &with("unknown", SECRET),
        "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
    check(
        location,
        &with(&reader.id, &reader.secret),
        "no permission to write s3://bucket/prefix (AccessDenied",
    );
    let allowed = SnapshotStore::open(
        &location.parse().expect("a location"),
        &with(&writer.id, &writer.secret),
    );
    allowed.expect("the right credentials are accepted");
}

#[test]
fn missing_credentials_are_reported() {
    // No metadata service answers at this address.
    let nobody = environment(&[("AWS_METADATA_ENDPOINT", &closed_address())]);
    let expected =
        "no credentials for s3://bucket/prefix: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
    check("s3://bucket/prefix", &nobody, expected);
    let half = environment(&[("AWS_ACCESS_KEY_ID", "key")]);
    check("s3://bucket/prefix", &half, expected);
    check(
        "az://container/a",
        &Environment::default(),
        "set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
    );
}

/// A local address at which nobody listens.
fn closed_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    format!("http://{}", listener.local_addr().expect("an address"))
}

#[test]
fn a_server_that_is_down_is_reported() {
    let address = closed_address();
    let google = environment(&[
        ("GOOGLE_BASE_URL", &address),
        ("GOOGLE_BEARER_TOKEN", SECRET),
    ]);
    let azure = environment(&[
        ("AZURE_STORAGE_ACCOUNT_NAME", "account"),
        ("AZURE_STORAGE_TOKEN", SECRET),
        ("AZURE_ENDPOINT", &address),
    ]);
    for (location, environment) in [
        ("s3://bucket/a", at(&address)),
        ("gs://bucket/a", google),
        ("az://container/a", azure),
    ] {
        let expected = format!("cannot reach {location} at {address}: Connection refused");
        check(location, &environment, &expected);
    }
}

#[test]
fn a_server_that_never_answers_does_not_block() {
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", silent.local_addr().expect("an address"));
    check(
        "s3://bucket/a",
        &at(&address),
        &format!(
            "cannot reach s3://bucket/a at {address}: no answer within 10 s; check the network"
        ),
    );
}

#[test]
fn a_stopped_server_does_not_block() {
    let Some(server) = S3Server::start() else {
        return;
    };
    server.signal("STOP");
    check("s3://bucket/a", &at(&server.url), "no answer within 10 s");
}

#[test]
fn invalid_addresses_are_reported() {
    for (address, expected) in [
        (
            "10.0.0.1:9000",
            "the store address '10.0.0.1:9000' is invalid",
        ),
        ("ftp://localhost", "must start with https:// or http://"),
        (
            "http://192.0.2.1:9000",
            "is not encrypted; use https, or set AWS_ALLOW_HTTP=true",
        ),
    ] {
        check("s3://bucket/a", &at(address), expected);
    }
}

#[test]
fn unusable_directories_are_reported() {
    let store = TestStore::in_directory();
    fs::write(store.path("file"), "").expect("a file");
    let below_a_file = store.path("file/store").display().to_string();
    check(&below_a_file, &Environment::default(), "cannot create");
    let missing = store.path("missing");
    let opened =
        SnapshotStore::open_read_only(&Location::directory(&missing), &Environment::default());
    assert_eq!(
        opened.expect_err("no directory").to_string(),
        format!("the directory {} does not exist", missing.display())
    );
    assert!(!missing.exists());
}

#[test]
fn a_read_only_directory_is_reported() {
    let store = TestStore::in_directory();
    let directory = store.path("read-only");
    fs::create_dir(&directory).expect("a directory");
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o555)).expect("permissions");
    if fs::write(directory.join("root"), "").is_ok() {
        // Permissions do not bind the superuser, but nobody can create files in /proc.
        return check("/proc", &Environment::default(), "/proc");
    }
    check(
        directory.to_str().expect("text"),
        &Environment::default(),
        "no permission to write",
    );
}

#[test]
fn opening_a_location_leaves_nothing_behind() {
    let store = TestStore::in_directory();
    store.open();
    let left = fs::read_dir(store.path("store")).expect("a directory");
    assert_eq!(left.count(), 0);
}
