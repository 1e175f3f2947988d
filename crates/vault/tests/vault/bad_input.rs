//! What is wrong with a place is told before anything is kept there: one message each, and nothing hangs.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;

use fixtures::s3::S3Server;
use vault::{Environment, Place, Vault};

use crate::stores::Store;

/// The secret that must not be told.
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

fn check(place: &str, environment: &Environment, expected: &str) {
    let place: Place = place.parse().expect("a place");
    let error = Vault::open(&place, environment).expect_err(expected);
    let message = error.to_string();
    assert!(message.contains(expected), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(
        !format!("{message} {error:?}").contains(SECRET),
        "{message}"
    );
}

#[test]
fn a_bucket_that_is_not_there_is_named() {
    let Some(server) = S3Server::start() else {
        return;
    };
    let environment = server.variables(0).into_iter().collect();
    check(
        "s3://other/prefix",
        &environment,
        "there is no bucket 'other' for s3://other/prefix; make it, or check its name",
    );
}

#[test]
fn wrong_and_weak_credentials_are_told() {
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
    let [keeper, reader] = &server.keys[..] else {
        panic!("two keys")
    };
    let (place, refused) = ("s3://bucket/prefix", "does not accept the credentials");
    check(place, &with("unknown", SECRET), refused);
    check(place, &with(&keeper.id, SECRET), refused);
    check(
        place,
        &with("unknown", SECRET),
        "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
    check(
        place,
        &with(&reader.id, &reader.secret),
        "s3://bucket/prefix may not be written (AccessDenied",
    );
    let may = Vault::open(
        &place.parse().expect("a place"),
        &with(&keeper.id, &keeper.secret),
    );
    may.expect("the right ones are accepted");
}

#[test]
fn missing_credentials_are_told() {
    // Nobody at the address at which a machine tells its role.
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

/// An address of this machine at which nobody listens.
fn closed_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    format!("http://{}", listener.local_addr().expect("an address"))
}

#[test]
fn a_server_that_is_not_there_is_told() {
    let address = closed_address();
    check(
        "s3://bucket/a",
        &at(&address),
        &format!("cannot reach s3://bucket/a at {address}: Connection refused"),
    );
    let google = environment(&[
        ("GOOGLE_BASE_URL", &address),
        ("GOOGLE_BEARER_TOKEN", SECRET),
    ]);
    check(
        "gs://bucket/a",
        &google,
        &format!("cannot reach gs://bucket/a at {address}: Connection refused"),
    );
    let azure = environment(&[
        ("AZURE_STORAGE_ACCOUNT_NAME", "account"),
        ("AZURE_STORAGE_TOKEN", SECRET),
        ("AZURE_ENDPOINT", &address),
    ]);
    check(
        "az://container/a",
        &azure,
        &format!("cannot reach az://container/a at {address}: Connection refused"),
    );
}

#[test]
fn a_server_that_never_answers_is_not_waited_for() {
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
fn a_stopped_server_is_not_waited_for() {
    let Some(server) = S3Server::start() else {
        return;
    };
    server.signal("STOP");
    check("s3://bucket/a", &at(&server.url), "no answer within 10 s");
}

#[test]
fn addresses_that_cannot_be_are_told() {
    check(
        "s3://bucket/a",
        &at("10.0.0.1:9000"),
        "the address '10.0.0.1:9000' of the store is wrong",
    );
    check(
        "s3://bucket/a",
        &at("ftp://localhost"),
        "must begin with https:// or http://",
    );
    check(
        "s3://bucket/a",
        &at("http://192.0.2.1:9000"),
        "is not encrypted; use https, or allow it by AWS_ALLOW_HTTP=true",
    );
}

#[test]
fn directories_that_cannot_be_used_are_told() {
    let store = Store::in_directory();
    fs::write(store.path("file"), "").expect("a file");
    let below_a_file = store.path("file/store").display().to_string();
    check(&below_a_file, &Environment::default(), "cannot make");
    let missing = store.path("missing");
    let look = Vault::look(&Place::directory(&missing), &Environment::default());
    let message = look.expect_err("nothing there").to_string();
    assert_eq!(
        message,
        format!("there is no directory {}", missing.display())
    );
    assert!(!missing.exists());
}

#[test]
fn a_directory_that_cannot_be_written_is_told() {
    let store = Store::in_directory();
    let directory = store.path("read-only");
    fs::create_dir(&directory).expect("a directory");
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o555)).expect("permissions");
    if fs::write(directory.join("root"), "").is_ok() {
        // Permissions do not bind the superuser; a file system without room for names does.
        return check("/proc", &Environment::default(), "/proc");
    }
    check(
        directory.to_str().expect("text"),
        &Environment::default(),
        "may not be written (Permission denied",
    );
}

#[test]
fn a_place_that_opens_is_left_as_it_was() {
    let store = Store::in_directory();
    store.vault();
    assert_eq!(
        fs::read_dir(store.path("store"))
            .expect("a directory")
            .count(),
        0
    );
}
