//! A store that is unavailable for a while costs nothing but time.

use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use snapshot::{Environment, Notice, SnapshotStore, Uploader, Writer};

use crate::stores::{KEEP_THREE, POLICY, TestStore, read, write};

const OFTEN: Duration = Duration::from_millis(20);
/// Nothing takes that long unless it hangs.
const HANG: Duration = Duration::from_secs(600);

fn start(writer: Writer) -> (Uploader, Receiver<Notice>) {
    let (send, notices) = mpsc::channel();
    let report = move |notice| send.send(notice).expect("the test listens");
    (Uploader::start(writer, OFTEN, report), notices)
}

#[test]
fn the_last_state_is_backed_up() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    write(&directory, &[("state", b"one")]);
    let (uploader, notices) = start(store.writer(&directory));
    for round in 0..50_u8 {
        write(&directory, &[("state", &[round])]);
    }
    uploader.finish().expect("a backup");
    assert_eq!(store.restored(), (read(&directory), Vec::new()));
    assert_eq!(notices.iter().count(), 0);
}

/// The server is frozen and thawed again. On a busy machine it may seem frozen more often, but notices always alternate.
#[test]
fn an_unavailable_store_is_reported_once_and_caught_up_with() {
    let Some(store) = TestStore::in_bucket() else {
        return;
    };
    let server = store.server.as_ref().expect("a server");
    let impatient = ("AWS_TIMEOUT".to_owned(), "3s".to_owned());
    let environment: Environment = server.variables(0).into_iter().chain([impatient]).collect();
    let directory = store.path("directory");
    write(&directory, &[("state", b"one")]);
    let view = SnapshotStore::open(&store.location, &environment)
        .and_then(|store| store.repository("study").view())
        .expect("a view");
    let (uploader, notices) = start(Writer::new(view, &directory, POLICY, KEEP_THREE));
    let repository = store.repository();
    while repository.view().expect("a view").newest().is_none() {}
    server.signal("STOP");
    write(&directory, &[("state", b"two")]);
    let mut heard = vec![notices.recv_timeout(HANG).expect("a notice")];
    server.signal("CONT");
    heard.push(notices.recv_timeout(HANG).expect("a notice"));
    write(&directory, &[("state", b"three")]);
    uploader.finish().expect("a backup");
    assert_eq!(store.restored(), (read(&directory), Vec::new()));
    heard.extend(notices);
    for (i, notice) in heard.iter().enumerate() {
        let is_expected = match notice {
            Notice::Unavailable(error) => {
                i % 2 == 0
                    && error
                        .to_string()
                        .contains("cannot reach s3://bucket/some/prefix")
            }
            Notice::Recovered => i % 2 == 1,
            Notice::TakenOver => false,
        };
        assert!(is_expected, "{heard:?}");
    }
}

#[test]
fn at_the_end_an_error_says_that_the_last_state_is_not_backed_up() {
    let Some(mut store) = TestStore::in_bucket() else {
        return;
    };
    let directory = store.path("directory");
    write(&directory, &[("state", b"one")]);
    let (uploader, _notices) = start(store.writer(&directory));
    store.server = None;
    let message = uploader.finish().expect_err("no server").to_string();
    assert!(
        message.contains("cannot reach s3://bucket/some/prefix"),
        "{message}"
    );
}

#[test]
fn a_lost_race_is_reported_at_once() {
    let store = TestStore::in_directory();
    let (one, two) = (store.path("one"), store.path("two"));
    write(&one, &[("state", b"one")]);
    let writer = store.writer(&one);
    write(&two, &[("state", b"two")]);
    store.snapshot(&two);
    let (uploader, notices) = start(writer);
    assert!(matches!(notices.recv_timeout(HANG), Ok(Notice::TakenOver)));
    assert!(uploader.finish().expect_err("it lost").is_taken_over());
    assert_eq!(store.restored().0, read(&two));
}
