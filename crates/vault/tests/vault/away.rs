//! A store that is away for a while costs nothing but time.

use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use fixtures::s3::S3Server;
use vault::{Environment, Keeper, Notice, Place, Vault, Writer};

use crate::stores::{CARE, SPARING, Store, read, write};

const OFTEN: Duration = Duration::from_millis(20);

fn start(writer: Writer) -> (Keeper, Receiver<Notice>) {
    let (tell, notices) = mpsc::channel();
    let hear = move |notice| tell.send(notice).expect("the test listens");
    (Keeper::start(writer, OFTEN, hear), notices)
}

#[test]
fn a_keeper_keeps_the_last_state() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    write(&folder, &[("state", b"one")]);
    let (keeper, notices) = start(store.writer(&folder));
    for round in 0..50_u8 {
        write(&folder, &[("state", &[round])]);
    }
    keeper.finish().expect("it is kept");
    assert_eq!(store.restored(), (read(&folder), Vec::new()));
    assert_eq!(notices.iter().count(), 0);
}

/// The server is frozen, and answers nobody; then it is thawed.
#[test]
fn a_store_that_is_away_is_told_of_once_and_caught_up_with() {
    let Some(server) = S3Server::start() else {
        return;
    };
    let mut variables = server.variables(0);
    variables.push(("AWS_TIMEOUT".to_owned(), "1s".to_owned()));
    let environment: Environment = variables.into_iter().collect();
    let place: Place = "s3://bucket/away".parse().expect("a place");
    let shelf = Vault::open(&place, &environment)
        .expect("a vault")
        .shelf("kept");
    let directory = tempfile::tempdir().expect("a directory");
    let folder = directory.path().join("folder");
    write(&folder, &[("state", b"one")]);
    let view = shelf.look().expect("a view");
    let (keeper, notices) = start(Writer::new(view, &folder, CARE, SPARING));
    while shelf.look().expect("a view").newest().is_none() {}
    server.signal("STOP");
    write(&folder, &[("state", b"two")]);
    let notice = notices.recv().expect("a notice");
    assert!(
        matches!(&notice, Notice::Away(error) if error.to_string().contains("cannot reach")),
        "{notice:?}"
    );
    server.signal("CONT");
    assert!(matches!(notices.recv(), Ok(Notice::Back)));
    write(&folder, &[("state", b"three")]);
    keeper.finish().expect("it is kept");
    let into = directory.path().join("back");
    shelf
        .look()
        .expect("a view")
        .restore(&into)
        .expect("it comes back");
    assert_eq!(read(&into), read(&folder));
    assert_eq!(notices.iter().count(), 0);
}

#[test]
fn at_the_end_an_error_says_that_the_last_state_is_not_kept() {
    let Some(server) = S3Server::start() else {
        return;
    };
    let environment: Environment = server.variables(0).into_iter().collect();
    let place: Place = "s3://bucket/away".parse().expect("a place");
    let shelf = Vault::open(&place, &environment)
        .expect("a vault")
        .shelf("kept");
    let directory = tempfile::tempdir().expect("a directory");
    write(directory.path(), &[("state", b"one")]);
    let view = shelf.look().expect("a view");
    let (keeper, _notices) = start(Writer::new(view, directory.path(), CARE, SPARING));
    drop(server);
    let message = keeper.finish().expect_err("nobody is there").to_string();
    assert!(
        message.contains("cannot reach s3://bucket/away"),
        "{message}"
    );
}

#[test]
fn whoever_loses_the_race_is_told_at_once() {
    let store = Store::in_directory();
    let (one, two) = (store.path("one"), store.path("two"));
    write(&one, &[("state", b"one")]);
    let writer = store.writer(&one);
    write(&two, &[("state", b"two")]);
    store.writer(&two).snapshot().expect("a snapshot");
    let (keeper, notices) = start(writer);
    assert!(matches!(notices.recv(), Ok(Notice::Lost)));
    assert!(keeper.finish().expect_err("it is lost").is_race());
    assert_eq!(store.restored().0, read(&two));
}
